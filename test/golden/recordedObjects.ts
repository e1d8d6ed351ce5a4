// Stores the objects of the simulated server and creates its responses.
import { isRecord, type FailRule, type Options, type PodStep } from "./caseFiles.ts";

export interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A line of a watch stream; with `isLast` the stream ends after it. */
export interface WatchLine {
  readonly text: string;
  readonly isLast: boolean;
}

interface Target {
  readonly namespace: string | undefined;
  readonly resource: string;
  readonly name: string | undefined;
}

type KubeObject = Record<string, unknown>;

const created = "2026-01-01T00:00:00Z";
const path =
  /^.*?\/(?:api\/v1|apis\/[^/]+\/[^/]+)(?:\/namespaces\/([^/]+))?\/([a-z]+)(?:\/([^/]+))?$/;
const reasons: Readonly<Record<number, string>> = {
  401: "Unauthorized",
  403: "Forbidden",
  404: "NotFound",
  409: "AlreadyExists",
  422: "Invalid",
  429: "TooManyRequests",
  500: "InternalError",
};

export class RecordedObjects {
  readonly #options: Options;
  readonly #objects = new Map<string, KubeObject>();
  readonly #hits: number[] = [];
  readonly #life: PodStep[];
  #uid = 0;
  #resourceVersion = 1000;

  constructor(options: Options) {
    this.#options = options;
    this.#life = [...(options.pod ?? [])];
    for (const given of options.objects ?? []) {
      const object = structuredClone(given);
      const metadata = metadataOf(object);
      metadata["namespace"] ??= "default";
      this.#stamp(object);
      const resource = `${String(object["kind"]).toLowerCase()}s`;
      this.#objects.set(keyOf(resource, metadata["namespace"], metadata["name"]), object);
    }
  }

  /** Returns the response to a request; undefined if the connection must be dropped without one. */
  answer(method: string, url: string, body: unknown): Answer | undefined {
    const target = targetOf(url);
    const rule = this.#rule(method, target?.resource, target?.name ?? nameIn(body));
    if (rule === undefined) return this.#serve(method, url, target, body);
    if (rule.drop) return undefined;
    const message = rule.message ?? `the recorder says ${rule.code}`;
    return failure(rule.code, message, rule.reason, rule.headers);
  }

  /** Returns the objects left after garbage collection, which deletes objects without an existing owner. */
  get remaining(): readonly string[] {
    const uids = new Set([...this.#objects.values()].map((object) => metadataOf(object)["uid"]));
    const isKept = (object: KubeObject): boolean => {
      const owners = metadataOf(object)["ownerReferences"];
      if (!Array.isArray(owners)) return true;
      return owners.some((owner: unknown) => isRecord(owner) && uids.has(owner["uid"]));
    };
    return [...this.#objects].filter(([, object]) => isKept(object)).map(([key]) => key);
  }

  /** Applies the next scripted step to the driver pod and returns its watch event; undefined if none is left. */
  live(): WatchLine | undefined {
    const step = this.#life.shift();
    const [key, pod] = [...this.#objects].find(([name]) => name.startsWith("pods/")) ?? [];
    if (step === undefined || key === undefined || pod === undefined) return undefined;
    const { event = "MODIFIED", phase, status, metadata } = step;
    if (event === "CLOSE") return { text: "", isLast: true };
    if (event === "GONE" || event === "ERROR") {
      const [code, reason] = event === "GONE" ? ([410, "Expired"] as const) : [500];
      const { body } = failure(code, "the recorder ends the watch", reason);
      return { text: lineOf("ERROR", body), isLast: true };
    }
    const changed = merge(pod, {
      ...(metadata && { metadata }),
      status: { ...(phase !== undefined && { phase }), ...status },
    });
    metadataOf(changed)["resourceVersion"] = `${++this.#resourceVersion}`;
    if (event === "DELETED") this.#objects.delete(key);
    else this.#objects.set(key, changed);
    return { text: lineOf(event, changed), isLast: false };
  }

  #rule(
    method: string,
    resource: string | undefined,
    name: string | undefined,
  ): FailRule | undefined {
    return this.#options.fail?.find((rule, index) => {
      if (rule.method !== undefined && !rule.method.split("|").includes(method)) return false;
      if (rule.resource !== undefined && rule.resource !== resource) return false;
      if (rule.name !== undefined && !new RegExp(rule.name).test(name ?? "")) return false;
      const hits = (this.#hits[index] = (this.#hits[index] ?? 0) + 1);
      const after = rule.after ?? 0;
      return hits > after && (rule.times === undefined || hits - after <= rule.times);
    });
  }

  #serve(method: string, url: string, target: Target | undefined, body: unknown): Answer {
    if (target === undefined)
      return failure(404, "the server could not find the requested resource");
    const { namespace, resource, name } = target;
    const key = keyOf(resource, namespace, name ?? nameIn(body));
    const old = this.#objects.get(key);
    const missing = (): Answer => failure(404, `${resource} "${name ?? ""}" not found`);
    switch (method) {
      case "POST": {
        if (old) return failure(409, `${resource} "${nameIn(body) ?? ""}" already exists`);
        if (nameIn(body) === undefined) return failure(422, "resource name may not be empty");
        const object = this.#stamp(withNamespace(body, namespace));
        if (resource === "pods") object["status"] = { phase: "Pending", qosClass: "Burstable" };
        this.#objects.set(key, object);
        return { status: 201, body: object };
      }
      case "PUT":
      case "PATCH": {
        if (method === "PUT" && !old) return missing();
        const object = withNamespace(method === "PUT" ? body : merge(old ?? {}, body), namespace);
        if (old) {
          metadataOf(object)["uid"] = metadataOf(old)["uid"];
          metadataOf(object)["resourceVersion"] = `${++this.#resourceVersion}`;
        } else this.#stamp(object);
        this.#objects.set(key, object);
        return { status: old ? 200 : 201, body: object };
      }
      case "GET":
        if (name !== undefined) return old ? { status: 200, body: old } : missing();
        return { status: 200, body: this.#list(resource, namespace, url) };
      case "DELETE":
        if (!old) return missing();
        this.#objects.delete(key);
        return { status: 200, body: { kind: "Status", apiVersion: "v1", status: "Success" } };
      default:
        return failure(405, "method not allowed");
    }
  }

  #list(resource: string, namespace: string | undefined, url: string): unknown {
    const query = new URL(url, "http://recorder").searchParams;
    const wanted = (query.get("labelSelector") ?? "").split(",").filter((part) => part !== "");
    const items = [...this.#objects].filter(([key, object]) => {
      const labels = metadataOf(object)["labels"];
      return (
        key.startsWith(`${resource}/${namespace ?? ""}/`) &&
        wanted.every((pair) => {
          const [label = "", value] = pair.split("=");
          return isRecord(labels) && labels[label] === value;
        })
      );
    });
    return {
      kind: "List",
      apiVersion: "v1",
      metadata: { resourceVersion: `${this.#resourceVersion}` },
      items: items.map(([, object]) => object),
    };
  }

  #stamp(object: KubeObject): KubeObject {
    const metadata = metadataOf(object);
    metadata["uid"] ??= `00000000-0000-4000-8000-${`${++this.#uid}`.padStart(12, "0")}`;
    metadata["resourceVersion"] = `${++this.#resourceVersion}`;
    metadata["creationTimestamp"] ??= created;
    return object;
  }
}

function lineOf(type: string, object: unknown): string {
  return `${JSON.stringify({ type, object })}\n`;
}

function targetOf(url: string): Target | undefined {
  const [, namespace, resource, name] = path.exec(url.split("?")[0] ?? "") ?? [];
  return resource === undefined ? undefined : { namespace, resource, name };
}

function failure(
  status: number,
  message: string,
  reason: string | undefined = reasons[status],
  headers: Readonly<Record<string, string>> = {},
): Answer {
  const body = {
    kind: "Status",
    apiVersion: "v1",
    status: "Failure",
    message,
    reason,
    code: status,
  };
  return { status, body, headers };
}

function keyOf(resource: string, namespace: unknown, name: unknown): string {
  return [resource, namespace, name]
    .map((part) => (typeof part === "string" ? part : ""))
    .join("/");
}

function nameIn(body: unknown): string | undefined {
  const metadata = isRecord(body) ? body["metadata"] : undefined;
  const name = isRecord(metadata) ? metadata["name"] : undefined;
  return typeof name === "string" && name !== "" ? name : undefined;
}

function metadataOf(object: KubeObject): KubeObject {
  const { metadata } = object;
  if (isRecord(metadata)) return metadata;
  const empty = {};
  object["metadata"] = empty;
  return empty;
}

function withNamespace(body: unknown, namespace: string | undefined): KubeObject {
  const object: KubeObject = isRecord(body) ? structuredClone(body) : {};
  metadataOf(object)["namespace"] = namespace;
  return object;
}

function merge(into: KubeObject, patch: unknown): KubeObject {
  const merged = structuredClone(into);
  for (const [key, value] of Object.entries(isRecord(patch) ? patch : {})) {
    const old = merged[key];
    if (value === null) Reflect.deleteProperty(merged, key);
    else
      merged[key] = isRecord(value) && isRecord(old) ? merge(old, value) : structuredClone(value);
  }
  return merged;
}
