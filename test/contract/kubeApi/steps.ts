// Runs a case against a Kubernetes API server and normalizes the responses.
import { request } from "node:https";

type Json = unknown;

/**
 * One request. `{ns}` is the case's namespace. `{rv:x}`, `{uid:x}` and `{continue:x}` are values from the response that
 * was saved as `x`.
 */
export interface Step {
  readonly method: string;
  readonly path: string;
  readonly body?: Json;
  readonly type?: string;
  readonly accept?: string;
  /** Saves the response under this name for placeholders of later steps. */
  readonly save?: string;
  /** Steps to run while this request, a watch, is open. */
  readonly during?: readonly Step[];
  /** Repeats the request until it has this status, because controllers are asynchronous. */
  readonly until?: number;
}

export interface Case {
  readonly title: string;
  readonly steps: readonly Step[];
}

export interface Server {
  readonly url: string;
  readonly ca: string | Buffer | undefined;
  readonly token: string;
}

export interface Told {
  readonly request: string;
  readonly status: number;
  readonly warnings?: readonly string[];
  readonly body: Json;
}

interface Answer {
  readonly status: number;
  readonly warnings: readonly string[];
  readonly text: string;
}

/** Time limit in ms. A controller whose connection has failed retries only every 30 to 60 s. */
const timeoutMs = 120_000;

/** Runs a case in an existing namespace and returns the normalized responses in the order of the requests. */
export async function runCase(
  server: Server,
  { steps }: Case,
  namespace: string,
): Promise<readonly Told[]> {
  const saved = new Map<string, Record<string, unknown>>();
  const fill = (text: string): string =>
    text
      .replaceAll("{ns}", namespace)
      .replaceAll(/\{(rv|uid|continue):(\w+)\}/g, (_all, what: string, name: string) => {
        const metadata = (saved.get(name)?.["metadata"] ?? {}) as Record<string, unknown>;
        const field = { rv: "resourceVersion", uid: "uid", continue: "continue" }[what] ?? "";
        const value = String(metadata[field]);
        return what === "continue" ? encodeURIComponent(value) : value;
      });
  const told: Told[] = [];
  const runStep = async (step: Step): Promise<void> => {
    const place = told.length;
    told.push({ request: "", status: 0, body: undefined });
    const pending = send(server, step, fill, async () => {
      for (const inner of step.during ?? []) await runStep(inner);
    });
    let answer = await pending;
    const began = performance.now();
    while (step.until !== undefined && answer.status !== step.until) {
      if (performance.now() - began > timeoutMs) {
        const got = `${answer.status} ${answer.text}`;
        throw new Error(`${step.method} ${fill(step.path)}: not ${step.until} in time but ${got}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
      answer = await send(server, step, fill, () => Promise.resolve());
    }
    const body = parse(answer.text);
    if (step.save !== undefined) saved.set(step.save, body as Record<string, unknown>);
    told[place] = {
      request: `${step.method} ${step.path}`,
      status: answer.status,
      ...(answer.warnings.length > 0 ? { warnings: answer.warnings } : {}),
      body: plain(body, namespace),
    };
  };
  for (const step of steps) await runStep(step);
  return told;
}

function send(
  { url, ca, token }: Server,
  step: Step,
  fill: (text: string) => string,
  opened: () => Promise<void>,
): Promise<Answer> {
  const { method, path, body, type = "application/json", accept = "application/json" } = step;
  const raw = typeof body === "string" ? body : JSON.stringify(body);
  const text = body === undefined ? undefined : fill(raw);
  const headers = {
    authorization: `Bearer ${token}`,
    accept,
    "user-agent": "contract/1",
    ...(text === undefined
      ? {}
      : { "content-type": type, "content-length": Buffer.byteLength(text) }),
  };
  return new Promise((resolve, reject) => {
    const sent = request(new URL(fill(path), url), { method, ca, headers }, (response) => {
      const chunks: Buffer[] = [];
      const inner = opened();
      inner.catch(reject);
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        const { statusCode = 0, headers: got } = response;
        const warnings = [got["warning"] ?? []].flat().map(String);
        inner
          .then(() => {
            resolve({ status: statusCode, warnings, text: Buffer.concat(chunks).toString() });
          })
          .catch(reject);
      });
    });
    sent.on("error", reject);
    sent.end(text);
  });
}

/** Parses JSON or JSON lines; returns other text unchanged. */
function parse(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    const lines = text.trim().split("\n");
    try {
      const events = lines.map((line) => JSON.parse(line) as Json);
      // Bookmarks come at arbitrary times, so keep only the one that ends the initial events.
      return events.filter(
        (event) =>
          !/"BOOKMARK"/.test(JSON.stringify(event)) ||
          /initial-events-end/.test(JSON.stringify(event)),
      );
    } catch {
      return text;
    }
  }
}

const dropped = new Set([
  "managedFields",
  "description",
  "selfLink",
  "storageVersionHash",
  "kubernetes.io/description",
]);
const blanked = new Set(["uid", "resourceVersion", "continue", "retryAfterSeconds", "clusterIP"]);

/** Removes or masks values that differ between runs and clusters, and sorts keys. */
function plain(value: Json, namespace: string): Json {
  if (typeof value === "string") return plainText(value, namespace);
  if (Array.isArray(value)) return once(value.map((item) => plain(item, namespace)));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, inner]) => !dropped.has(name) && !isOnlyDropped(inner))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, inner]) => [
        plainText(name, namespace),
        name === "clusterIPs" && Array.isArray(inner) && inner[0] !== "None"
          ? ["*"]
          : blanked.has(name) && typeof inner !== "object" && inner !== "" && inner !== "None"
            ? "*"
            : plain(inner, namespace),
      ]),
  );
}

// Normalizes lists of causes: a real API server repeats some, and lists conflicts in random order.
const once = (list: readonly Json[]): readonly Json[] => {
  if (!list.every(isCause)) return list;
  const texts = [...new Set(list.map((cause) => JSON.stringify(cause)))];
  const isConflict = texts.some((text) => text.includes('"FieldManagerConflict"'));
  return (isConflict ? texts.sort() : texts).map((text) => JSON.parse(text) as Json);
};

const isCause = (item: Json): boolean =>
  typeof item === "object" && item !== null && "reason" in item && "field" in item;

const isOnlyDropped = (value: Json): boolean =>
  typeof value === "object" &&
  value !== null &&
  Object.keys(value).length > 0 &&
  Object.keys(value).every((name) => dropped.has(name));

const plainText = (text: string, namespace: string): string =>
  text
    .replaceAll(namespace, "{ns}")
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, "TIME")
    .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "UID")
    .replaceAll(/kube-api-access-[a-z0-9]{5}/g, "kube-api-access-*")
    .replaceAll(/\b10\.96\.\d+\.\d+\b/g, "ADDRESS")
    .replaceAll(/^\d+s$/g, "AGE")
    .replaceAll(/(generated-)[a-z0-9]{5}\b/g, "$1*")
    .replaceAll(/(resource version: )\d+(?:, current: \d+| \(\d+\))?/g, "$1*")
    .replaceAll(/(ResourceVersion in \w+(?: \w+)?: )\d+/g, "$1*")
    // The rest of the text is specific to the real server.
    .replaceAll(/(if it was previously negative\))\n@@[^]*/g, "$1")
    .replaceAll(/(json parse error: )[^]*/g, "$1*")
    .replaceAll(/(cannot be handled as a \w+: )(?!strict|json|quantities)[^]*/g, "$1*")
    .replaceAll(/(continue key is not valid)[^]*/g, "$1")
    .replaceAll(/((?:precondition|record) \()\d+\)/g, "$1*)")
    .replaceAll(/-----BEGIN CERTIFICATE-----[^]*-----END CERTIFICATE-----\n?/g, "CERTIFICATE");
