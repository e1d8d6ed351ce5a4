// Applies deliberate differences between spark-submit and our submission to recordings of spark-submit. Each function
// returns the recording that our submission should produce.
import { isRecord, type Golden, type GoldenCase, type GoldenRequest } from "./caseFiles.ts";
import { failureKind } from "./failureKind.ts";
import { readPacked } from "./packed.ts";

export interface Recording {
  readonly golden: GoldenCase;
  readonly version: string;
  readonly expected: Golden;
}

/** Returns the changed recording; undefined if the difference does not apply to it. */
export type Alternative = (recording: Recording) => Golden | undefined;

// In every version, our submission creates a claim named by the user with POST, like the pod. If the claim exists
// (409), it sends no other request for it.
export function userClaims({ golden, expected }: Recording): Golden | undefined {
  const names = golden.argv.flatMap((token) => /\.options\.claimName=(.*)$/.exec(token)?.[1] ?? []);
  const own = new Set(names.filter((name) => !name.includes("OnDemand")));
  const folder = "/api/v1/namespaces/default/persistentvolumeclaims";
  const isOwn = ({ path }: GoldenRequest): boolean =>
    own.has(/\/persistentvolumeclaims\/([^/?]+)/.exec(path)?.[1] ?? "");
  if (!expected.requests.some(isOwn)) return undefined;
  const requests = expected.requests.flatMap((request) => {
    if (!isOwn(request)) return [request];
    const contentType = request.contentType?.replace("apply-patch+yaml", "json");
    return request.method === "PATCH"
      ? [
          {
            ...withoutStatus(request),
            method: "POST",
            path: folder,
            ...(contentType && { contentType }),
          },
        ]
      : [];
  });
  return { ...expected, requests };
}

// A changed request has another response, so its recorded status is dropped.
function withoutStatus(request: GoldenRequest): GoldenRequest {
  return Object.fromEntries(
    Object.entries(request).filter(([field]) => field !== "status"),
  ) as unknown as GoldenRequest;
}

// Our submission reads the pod if its creation ended without a response or with a 5xx.
export function uncertainPod({ golden, expected }: Recording): Golden | undefined {
  const isUncertain = golden.recorder.fail?.some(
    ({ resource = "pods", method = "POST", drop, code }) =>
      resource === "pods" && method.split("|").includes("POST") && (drop === true || code >= 500),
  );
  // Skips the deletions at the end, which undo the objects created before the pod.
  const isUndo = ({ method }: GoldenRequest): boolean => method === "DELETE";
  const index = expected.requests.findLastIndex((request) => !isUndo(request));
  const last = expected.requests[index];
  if (!isUncertain || expected.exitCode === 0 || last?.method !== "POST") return undefined;
  const metadata = isRecord(last.body) ? last.body["metadata"] : undefined;
  const name = isRecord(metadata) ? String(metadata["name"]) : "";
  const look = { method: "GET", path: `${last.path}/${name}` };
  return { ...expected, requests: expected.requests.toSpliced(index + 1, 0, look) };
}

// The user chose the pod's name, so the undo adds the uid of the created pod as a precondition of its deletion.
export function undoByUid({ expected }: Recording): Golden | undefined {
  const isChosen = ({ method, path }: GoldenRequest): boolean =>
    method === "DELETE" && /\/pods\/[^/]+$/.test(path) && !path.includes("${PREFIX_ID");
  if (expected.exitCode === 0 || !expected.requests.some(isChosen)) return undefined;
  return {
    ...expected,
    requests: expected.requests.map((request) =>
      isChosen(request) && isRecord(request.body)
        ? { ...request, body: { ...request.body, preconditions: { uid: "any" } } }
        : request,
    ),
  };
}

// spark-submit reads only the first kubeconfig file up to 3.5. The 4.x recording has the credentials from all files.
export function kubeconfigFiles(recording: Recording): Golden | undefined {
  const { env } = recording.golden;
  return env["KUBECONFIG"]?.includes(":") ? withLaterCredentials(recording) : undefined;
}

// Up to 3.4, the client library does not support the newest exec API version and sends no credentials.
export function execPlugins(recording: Recording): Golden | undefined {
  const { golden } = recording;
  const files = Object.keys(golden.files).map((file) => textOf(golden, file));
  return files.some((text) => /\bexec:/.test(text)) ? withLaterCredentials(recording) : undefined;
}

function withLaterCredentials({ golden, version, expected }: Recording): Golden | undefined {
  const later = golden.versions.find((each) => each.startsWith("4."));
  const isAnonymous = expected.requests.every(({ authorization }) => authorization === undefined);
  const authorization = later && golden.recording(later).requests[0]?.authorization;
  if (!version.startsWith("3.") || !isAnonymous || authorization === undefined) return undefined;
  return {
    ...expected,
    requests: expected.requests.map((request) => ({ ...request, authorization })),
  };
}

// spark-submit ignores the `tokenFile` of the kubeconfig user; our submission sends its token.
export function tokenFile({ golden, expected }: Recording): Golden | undefined {
  const texts = Object.keys(golden.files).map((file) => textOf(golden, file));
  const file = /tokenFile: "?\$\{CWD\}\/(\w+)/.exec(texts.join("\n"))?.[1];
  if (file === undefined || expected.exitCode !== 0) return undefined;
  const authorization = `Bearer ${textOf(golden, file).trim()}`;
  return {
    ...expected,
    requests: expected.requests.map((request) => ({ ...request, authorization })),
  };
}

// spark-submit 3.3 crashes. The 4.x recording has the lines that it would have printed.
export function statusWithoutLabels({ golden, expected }: Recording): Golden | undefined {
  const later = golden.versions.find((each) => each.startsWith("4."));
  const isCrash = failureKind(expected.error ?? "") === "crash";
  if (!isCrash || later === undefined) return undefined;
  const { exitCode, stdout, stderr } = golden.recording(later);
  const lines = { ...(stdout && { stdout }), ...(stderr && { stderr }) };
  return exitCode === 0 ? { ...expected, exitCode, ...lines } : undefined;
}

export function remoteFiles({ golden, version, expected }: Recording): Golden | undefined {
  if (failureKind(expected.error ?? "") !== "no such file system") return undefined;
  const options = new Map([
    ["--files", "spark.files"],
    ["--archives", "spark.archives"],
    ["--py-files", "spark.submit.pyFiles"],
  ]);
  const properties = golden.argv.flatMap((token, index) => {
    const key = options.get(token);
    return key === undefined ? [] : [[key, golden.argv[index + 1] ?? ""] as const];
  });
  const jars = golden.argv[golden.argv.indexOf("--jars") + 1];
  const all = golden.argv.includes("--jars")
    ? [...properties, ["spark.jars", `${jars ?? ""},local:///opt/a.jar`] as const]
    : properties;
  return plainSubmission(version, Object.fromEntries(all), undefined);
}

export function unresolvedPackages({ golden, version, expected }: Recording): Golden | undefined {
  if (failureKind(expected.error ?? "") !== "unresolved package") return undefined;
  const packages = golden.argv[golden.argv.indexOf("--packages") + 1] ?? "";
  return plainSubmission(version, { "spark.jars.packages": packages }, undefined);
}

export function caFileOverHttp({ golden, version, expected }: Recording): Golden | undefined {
  const token = golden.argv.find((each) => each.includes("submission.caCertFile="));
  if (token === undefined || expected.exitCode === 0) return undefined;
  return plainSubmission(version, propertyOf(token), undefined);
}

export function tokenWithNewline({ golden, version, expected }: Recording): Golden | undefined {
  const token = golden.argv.find((each) => each.includes("submission.oauthTokenFile="));
  if (
    token === undefined ||
    expected.exitCode === 0 ||
    golden.argv.join().includes("oauthToken=")
  ) {
    return undefined;
  }
  const property = propertyOf(token);
  const [file = ""] = Object.values(property);
  return plainSubmission(version, property, `Bearer ${textOf(golden, file).trim()}`);
}

// spark-submit 3.3 ends after a watch error. The 3.4 recording shows how later versions continue.
export function errorEvent({ golden, version, expected }: Recording): Golden | undefined {
  const hasEvent = golden.recorder.pod?.some(({ event }) => event === "ERROR") ?? false;
  const later = golden.versions.find((each) => each.startsWith("3.4."));
  if (!hasEvent || !version.startsWith("3.3.") || later === undefined) return undefined;
  const watch = expected.requests.find(({ upgrade }) => upgrade === "websocket");
  const { exitCode, stderr } = golden.recording(later);
  return {
    ...expected,
    exitCode,
    requests: watch ? [...expected.requests, watch] : expected.requests,
    ...(stderr && { stdout: stderr.map((line) => line.replaceAll(later, version)), stderr: [] }),
  };
}

// Some Spark versions fail at the first 429 or lost connection. Our submission retries the request and continues.
export function retried({ golden, version, expected }: Recording): Golden | undefined {
  const isOnce = golden.recorder.fail?.some(({ code, drop, times }) => {
    return (code === 429 || drop === true) && times === 1;
  });
  if (!isOnce || expected.exitCode === 0) return undefined;
  const isQuery = golden.argv.includes("--kill") || golden.argv.includes("--status");
  const later = isQuery && golden.versions.find((each) => each.startsWith("3.5."));
  if (!later) return plainSubmission(version, {}, undefined);
  const { requests, ...rest } = golden.recording(later);
  // Spark 3.3 lists all pods without a label selector, and filters the drivers on the client side.
  const pathOf = (path: string): string =>
    version.startsWith("3.3.") ? path.replace(/\?labelSelector=.*$/, "") : path;
  return { ...rest, requests: requests.map((each) => ({ ...each, path: pathOf(each.path) })) };
}

/** Returns the recorded requests of the simplest application, with additional properties. */
function plainSubmission(
  version: string,
  properties: Readonly<Record<string, string>>,
  authorization: string | undefined,
): Golden | undefined {
  const plain = readPacked().find(({ id }) => id === "app-001-jvm");
  if (!plain?.versions.includes(version)) return undefined;
  const golden = plain.recording(version);
  const requests = golden.requests.map((request) => {
    const body = isRecord(request.body) ? request.body : {};
    const data = isRecord(body["data"]) ? body["data"] : undefined;
    const before = data?.["spark.properties"];
    return {
      ...request,
      ...(authorization === undefined ? {} : { authorization }),
      ...(isRecord(before)
        ? { body: { ...body, data: { ...data, "spark.properties": { ...before, ...properties } } } }
        : {}),
    };
  });
  return { ...golden, requests, sparkProperties: { ...golden.sparkProperties, ...properties } };
}

function propertyOf(token: string): Readonly<Record<string, string>> {
  const [key = "", value = ""] = token.split("=");
  return { [key]: value };
}

function textOf(golden: GoldenCase, file: string): string {
  const source = golden.files[file];
  return typeof source === "string" ? golden.read(source).toString("utf8") : "";
}
