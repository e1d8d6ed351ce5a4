// Normalizes requests, so that differences without a meaning, such as the order of some entries, are ignored.
import { parseJavaProperties } from "../../src/spark/conf/parse/properties.ts";
import { isRecord, type GoldenRequest } from "./caseFiles.ts";
import { mapTexts } from "./playground.ts";

/** Names of entries that spark-submit sends in hash map order or in random order. */
export interface Unordered {
  readonly env: ReadonlySet<string>;
  readonly volumes: ReadonlySet<string>;
}

export function unorderedNames(properties: Readonly<Record<string, string>>): Unordered {
  const env = new Set<string>();
  const volumes = new Set<string>();
  for (const key of Object.keys(properties)) {
    const variable = /^spark\.kubernetes\.driver(?:Env|\.secretKeyRef)\.(.*)$/.exec(key)?.[1];
    const secret = /^spark\.kubernetes\.driver\.secrets\.(.+)$/.exec(key)?.[1];
    const volume = /^spark\.kubernetes\.driver\.volumes\.\w+\.([^.]+)\./.exec(key)?.[1];
    if (variable !== undefined) env.add(variable);
    if (secret !== undefined) volumes.add(`${secret}-volume`);
    if (volume !== undefined) volumes.add(volume);
  }
  return { env, volumes };
}

export function canonicalBody(body: unknown, unordered: Unordered): unknown {
  if (!isRecord(body)) return body;
  if (isRecord(body["preconditions"])) return { ...body, preconditions: { uid: "any" } };
  const { data, spec } = body;
  const properties = isRecord(data) ? data["spark.properties"] : undefined;
  if (typeof properties === "string") {
    const pairs = parseJavaProperties(properties);
    return { ...body, data: { ...asRecord(data), "spark.properties": Object.fromEntries(pairs) } };
  }
  if (!isRecord(spec) || !Array.isArray(spec["containers"])) return body;
  const containers = spec["containers"].map((container: unknown) => ({
    ...asRecord(container),
    env: sortedWithin(asRecord(container)["env"], unordered.env),
    volumeMounts: sortedWithin(asRecord(container)["volumeMounts"], unordered.volumes),
  }));
  const volumes = sortedWithin(listedInAnyOrder(spec["volumes"]), unordered.volumes);
  return orderLocalDirectories({ ...body, spec: { ...spec, containers, volumes } });
}

/**
 * On-demand claims are numbered in the order of the volumes. Replaces the numbers by volume names, and sorts the
 * requests by them.
 */
export function canonicalClaims(requests: readonly GoldenRequest[]): readonly GoldenRequest[] {
  const names = new Map(
    requests.flatMap(({ body }) =>
      volumesOf(body).flatMap((volume) => {
        const claim = asRecord(asRecord(volume)["persistentVolumeClaim"])["claimName"];
        const number = typeof claim === "string" ? /-driver-pvc-\d+/.exec(claim)?.[0] : undefined;
        return number === undefined ? [] : [[number, `-driver-pvc-of-${nameOf(volume)}`] as const];
      }),
    ),
  );
  const rename = (text: string): string =>
    text.replace(/-driver-pvc-\d+/g, (number) => names.get(number) ?? number);
  const renamed = requests.map((request) => ({
    ...request,
    path: rename(request.path),
    body: mapTexts(request.body, rename),
  }));
  const isClaim = ({ path }: GoldenRequest): boolean => path.includes("/persistentvolumeclaims");
  const key = ({ path, body }: GoldenRequest): string =>
    `${path} ${nameOf(asRecord(body)["metadata"])}`;
  const claims = renamed.filter(isClaim).sort((a, b) => (key(a) < key(b) ? -1 : 1));
  // With an existing claim the order is significant: POST, GET, PUT.
  if (new Set(claims.map(({ method }) => method)).size > 1) return renamed;
  return renamed.map((request) => (isClaim(request) ? (claims.shift() ?? request) : request));
}

/**
 * Removes differences in retry and follow policy; called for both sides of a comparison. Retries after a 5xx, a 429 or
 * a lost response become one request with the last response. All requests after the creation of the pod become one
 * line, so WebSocket and chunked watches are equal.
 */
export function canonicalPolicy(requests: readonly GoldenRequest[]): readonly GoldenRequest[] {
  const kept: GoldenRequest[] = [];
  for (const request of requests) {
    const last = kept.at(-1);
    if (last && isMishap(last) && isSameRequest(last, request)) kept.pop();
    kept.push(request);
  }
  const isMade = kept.some(({ method, path, status }) => {
    return method === "POST" && path.endsWith("/pods") && status === 201;
  });
  const folder = (path: string): string => path.replace(/\/pods(?:[/?].*)?$/, "/pods");
  const isFollow = (request: GoldenRequest): boolean =>
    isWatch(request) ||
    (isMade && request.method === "GET" && /\/pods\/[^/?]+$/.test(request.path));
  const follow = kept.find(isFollow);
  return [
    ...kept.filter((request) => !isFollow(request)),
    ...(follow ? [{ method: "FOLLOW", path: folder(follow.path) }] : []),
  ];
}

function isWatch({ method, path }: GoldenRequest): boolean {
  return method === "GET" && /[?&]watch=true/.test(path);
}

function isMishap({ method, status }: GoldenRequest): boolean {
  // A GET with status 409 is an injected failure. spark-submit repeats the read after it.
  const isOddRead = method === "GET" && status === 409;
  return status === "connection closed" || status === 429 || isOddRead || (status ?? 0) >= 500;
}

function isSameRequest(a: GoldenRequest, b: GoldenRequest): boolean {
  return (
    a.method === b.method &&
    a.path === b.path &&
    JSON.stringify(sortKeys(a.body)) === JSON.stringify(sortKeys(b.body))
  );
}

/** Returns blocks of lines with the state of a pod or its containers, without consecutive repetitions. */
export function canonicalStates(lines: readonly string[]): readonly string[] {
  const blocks: string[] = [];
  for (const line of lines) {
    if (/^\t (?:pod|container) name: /.test(line) || blocks.length === 0) blocks.push(line);
    else blocks.push(`${blocks.pop() ?? ""}\n${line}`);
  }
  return [...new Set(blocks)];
}

function volumesOf(body: unknown): readonly unknown[] {
  const volumes = asRecord(asRecord(body)["spec"])["volumes"];
  return Array.isArray(volumes) ? volumes : [];
}

// Sorts the entries with these names by name; all others keep their positions.
function sortedWithin(list: unknown, names: ReadonlySet<string>): unknown {
  if (!Array.isArray(list)) return list;
  const items: readonly unknown[] = list;
  const isMovable = (item: unknown): boolean => names.has(nameOf(item));
  const movable = items
    .filter(isMovable)
    .sort((a, b) => (JSON.stringify(sortKeys(a)) < JSON.stringify(sortKeys(b)) ? -1 : 1));
  return items.map((item) => (isMovable(item) ? movable.shift() : item));
}

// Spark lists the files of the Hadoop directory in the order of the file system.
function listedInAnyOrder(volumes: unknown): unknown {
  if (!Array.isArray(volumes)) return volumes;
  return volumes.map((volume: unknown) => {
    const map = asRecord(asRecord(volume)["configMap"]);
    if (nameOf(volume) !== "hadoop-properties" || !Array.isArray(map["items"])) return volume;
    const items = map["items"].map((item: unknown) => JSON.stringify(sortKeys(item))).sort();
    return { ...asRecord(volume), configMap: { ...map, items } };
  });
}

function orderLocalDirectories(pod: Record<string, unknown>): unknown {
  const text = JSON.stringify(pod, (key, value: unknown) => {
    if (key === "volumeMounts" && Array.isArray(value)) return orderMounts(value);
    if (isRecord(value) && value["name"] === "SPARK_LOCAL_DIRS") {
      return { ...value, value: String(value["value"]).split(",").sort().join(",") };
    }
    return value;
  });
  return JSON.parse(text);
}

function orderMounts(mounts: readonly unknown[]): readonly unknown[] {
  const isLocal = (mount: unknown): boolean => nameOf(mount).startsWith("spark-local-dir-");
  const paths = mounts
    .filter(isLocal)
    .map((mount) => String(asRecord(mount)["mountPath"]))
    .sort();
  // Reorder only default mounts. A mount configured by the user has more fields and keeps its volume.
  if (mounts.filter(isLocal).some((mount) => Object.keys(asRecord(mount)).length > 2))
    return mounts;
  return mounts.map((mount) =>
    isLocal(mount) ? { ...asRecord(mount), mountPath: paths.shift() } : mount,
  );
}

export function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isRecord(value)) return value;
  const keys = Object.keys(value).sort();
  return Object.fromEntries(keys.map((key) => [key, sortKeys(value[key])]));
}

function nameOf(item: unknown): string {
  const name = asRecord(item)["name"];
  return typeof name === "string" ? name : "";
}

function asRecord(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}
