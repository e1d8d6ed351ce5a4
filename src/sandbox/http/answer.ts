import type { IncomingMessage, ServerResponse } from "node:http";
import { parseBody, readBody, toObject, type FieldValidation } from "../api/body.ts";
import type { ApiContext, User } from "../api/context.ts";
import { deleteOptions, remove } from "../api/deletion.ts";
import { evict } from "../api/eviction.ts";
import { proxyToPod, sendLog } from "../api/podCalls.ts";
import { inVersion, listObjects, listBody, selectorOf } from "../api/read.ts";
import {
  badRequest,
  conflict,
  invalid,
  methodNotAllowed,
  notServed,
  Refusal,
} from "../api/refusal.ts";
import type { RequestTarget } from "../api/request.ts";
import { review } from "../api/reviews.ts";
import { partial, table } from "../api/table.ts";
import { isTrue, watch, type WatchEvent } from "../api/watch.ts";
import {
  apply,
  create,
  getOrThrow,
  patch,
  replace,
  withoutUndefined,
  type WriteRequest,
} from "../api/write.ts";
import { timestamp } from "../clock.ts";
import type { JsonValue, JsonMembers, KubeObject } from "../kubeObject.ts";
import { jsonPatch } from "../patch/jsonPatch.ts";
import { mergePatch } from "../patch/mergePatch.ts";
import { strategicPatch } from "../patch/strategicPatch.ts";
import { asObject } from "../schema/schema.ts";
import type { Tokens } from "../security/tokens.ts";
import { readRequestText } from "./requestBody.ts";
import { sendJson } from "./respond.ts";

export interface ApiExchange {
  readonly context: ApiContext;
  readonly tokens: Tokens;
  readonly user: User;
  readonly target: RequestTarget;
  readonly query: URLSearchParams;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Returns the RBAC verb of a request. Throws a 405 for an unknown method. */
export function verbOf(
  method: string,
  { name, kind }: RequestTarget,
  query: URLSearchParams,
): string {
  const isOne = name !== "";
  switch (method) {
    case "GET":
    case "HEAD":
      if (isOne) return "get";
      return isTrue(query.get("watch")) && kind.verbs.includes("watch") ? "watch" : "list";
    case "POST":
      return "create";
    case "PUT":
      return "update";
    case "PATCH":
      return "patch";
    case "DELETE":
      return isOne ? "delete" : "deletecollection";
    default:
      throw methodNotAllowed();
  }
}

/** Handles a request for a resource. The caller has checked access. */
export async function answer(call: ApiExchange, verb: string): Promise<void> {
  const { target, context } = call;
  const { kind, subresource, name } = target;
  if (subresource !== "") {
    if (!kind.subresources.some((one) => one.name === subresource)) throw notServed();
    if (subresource !== "status") return answerSubresource(call, verb);
  } else if (!kind.verbs.includes(verb) || (name === "" && ["update", "patch"].includes(verb))) {
    throw methodNotAllowed();
  }
  switch (verb) {
    case "get":
      sendObject(call, 200, getOrThrow(context, target));
      return;
    case "list":
      sendList(call);
      return;
    case "watch":
      streamWatch(call);
      return;
    case "create":
      if (name !== "") throw methodNotAllowed();
      return answerCreate(call);
    case "update": {
      const { json, options } = await readObject(call);
      sendObject(call, 200, replace(context, target, json, options));
      return;
    }
    case "patch":
      return answerPatch(call);
    case "delete":
      return answerDelete(call);
    case "deletecollection":
      return answerDeleteAll(call);
    default:
      throw methodNotAllowed();
  }
}

function sendObject(call: ApiExchange, code: number, object: KubeObject): void {
  const { target, context, response, query } = call;
  const own = inVersion(target.kind, object);
  const form = formOf(call);
  if (form === "table") {
    const { resourceVersion = "" } = own.metadata;
    const include = query.get("includeObject") ?? "Metadata";
    sendJson(
      response,
      code,
      table(target.kind, [own], { resourceVersion }, include, context.clock.now()),
    );
  } else {
    sendJson(response, code, form === "partial" ? partial(own) : own);
  }
}

function sendList(call: ApiExchange): void {
  const { context, target, query, response } = call;
  const listed = listObjects(context, target, query);
  const form = formOf(call);
  if (form === "table") {
    const include = query.get("includeObject") ?? "Metadata";
    sendJson(
      response,
      200,
      table(target.kind, listed.items, listed.metadata, include, context.clock.now()),
    );
  } else if (form === "partial") {
    sendJson(response, 200, {
      kind: "PartialObjectMetadataList",
      apiVersion: "meta.k8s.io/v1",
      metadata: listed.metadata,
      items: listed.items.map(partial),
    });
  } else {
    sendJson(response, 200, listBody(target.kind, listed));
  }
}

/** Returns the representation that the client accepts: the whole object, a Table, or PartialObjectMetadata. */
function formOf({ request }: ApiExchange): "whole" | "table" | "partial" {
  const [first = ""] = (request.headers.accept ?? "").split(",");
  if (first.includes("as=Table")) return "table";
  return first.includes("as=PartialObjectMetadata") ? "partial" : "whole";
}

// Limit for the unread bytes of a watch. Beyond it, the sandbox disconnects the client, which then relists.
const maxUnreadBytes = 16 * 1024 * 1024;

function streamWatch(call: ApiExchange): void {
  const { context, target, query, response } = call;
  const form = formOf(call);
  const shape = watchShape(call, form);
  let isBegun = false;
  const begin = (): void => {
    if (isBegun) return;
    isBegun = true;
    response.writeHead(200, {
      "content-type": "application/json",
      "cache-control": "no-cache, private",
    });
    response.flushHeaders();
  };
  const watching = watch(context, target, query, {
    send: (event) => {
      begin();
      response.write(`${JSON.stringify(shape(event))}\n`);
      if (response.writableLength > maxUnreadBytes) response.destroy();
    },
    end: () => response.end(),
  });
  begin();
  response.on("close", () => {
    watching.dispose();
  });
}

export function watchShape(
  { target, query, context }: ApiExchange,
  form: "whole" | "table" | "partial",
): (event: WatchEvent) => JsonMembers {
  if (form === "whole") return ({ type, object }) => ({ type, object });
  const include = query.get("includeObject") ?? "Metadata";
  return ({ type, object }) => {
    if (type === "ERROR") return { type, object };
    const one = object as KubeObject;
    if (form === "partial") return { type, object: partial(one) };
    const rows = type === "BOOKMARK" ? [] : [one];
    const { resourceVersion = "" } = one.metadata;
    return {
      type,
      object: table(target.kind, rows, { resourceVersion }, include, context.clock.now()),
    };
  };
}

async function answerCreate(call: ApiExchange): Promise<void> {
  const { context, target, user, tokens, response } = call;
  const { json, options } = await readObject(call);
  const { kind } = target;
  if (kind.verbs.length === 1) {
    const told = review(context, user, kind.kind, readBody(json, kind, options), tokens.identify);
    if (told === undefined) throw methodNotAllowed();
    sendJson(response, 201, told);
    return;
  }
  sendObject(call, 201, create(context, target, json, options));
}

interface Written {
  readonly json: JsonMembers;
  readonly options: WriteRequest & { readonly duplicates: readonly string[] };
}

async function readObject(call: ApiExchange): Promise<Written> {
  const { request } = call;
  const { json, duplicates } = parseBody(
    await readRequestText(request),
    request.headers["content-type"] ?? "",
    call.target.kind.kind,
  );
  return { json, options: { ...writeOptions(call), duplicates } };
}

function writeOptions({ query, request, response }: ApiExchange): WriteRequest {
  const dryRun = query.get("dryRun") ?? "";
  if (dryRun !== "" && dryRun !== "All") {
    const kind =
      { POST: "CreateOptions", PUT: "UpdateOptions" }[request.method ?? ""] ?? "PatchOptions";
    throw invalid({ kind, group: "meta.k8s.io" }, "", [
      {
        reason: "FieldValueNotSupported",
        field: "dryRun",
        message: `Unsupported value: [${JSON.stringify(dryRun)}]: supported values: "All"`,
      },
    ]);
  }
  // Like Kubernetes, default to the user agent up to the first slash.
  const [client = ""] = (request.headers["user-agent"] ?? "").split("/");
  const validation = query.get("fieldValidation") ?? "Warn";
  const warnings: string[] = [];
  return {
    dryRun: dryRun === "All",
    fieldManager: query.get("fieldManager") ?? (client === "" ? "unknown" : client.slice(0, 128)),
    fieldValidation: (validation === "" ? "Warn" : validation) as FieldValidation,
    warn: (warning) => {
      warnings.push(`299 - ${JSON.stringify(warning)}`);
      response.setHeader("warning", warnings);
    },
  };
}

const patchTypes = {
  json: "application/json-patch+json",
  merge: "application/merge-patch+json",
  strategic: "application/strategic-merge-patch+json",
  apply: "application/apply-patch+yaml",
};

async function answerPatch(call: ApiExchange): Promise<void> {
  const { context, target, query, request } = call;
  const type = (request.headers["content-type"] ?? "").split(";")[0]?.trim() ?? "";
  const text = await readRequestText(request);
  const options = writeOptions(call);
  if (type === patchTypes.apply) {
    if (!query.has("fieldManager")) {
      throw invalid({ kind: "PatchOptions", group: "meta.k8s.io" }, "", [
        {
          reason: "FieldValueRequired",
          field: "fieldManager",
          message: "Required value: is required for apply patch",
        },
      ]);
    }
    const wanted = toObject(text, true);
    const force = isTrue(query.get("force"));
    const { object, isNew } = apply(context, target, wanted, { ...options, force });
    sendObject(call, isNew ? 201 : 200, object);
    return;
  }
  const change = changeOf(type, text, target);
  sendObject(call, 200, patch(context, target, change, options));
}

function changeOf(
  type: string,
  text: string,
  { kind }: RequestTarget,
): (before: KubeObject) => JsonValue {
  const accepted = [patchTypes.json, patchTypes.merge, patchTypes.apply];
  if (kind.custom === undefined) accepted.push(patchTypes.strategic);
  if (!accepted.includes(type)) {
    throw new Refusal(415, "UnsupportedMediaType", "415: Unsupported Media Type", {});
  }
  // Parse late: if the object does not exist, the response is 404 even for a malformed patch.
  return (before) => {
    if (type === patchTypes.json) return jsonPatch(before, parseJson(text));
    const changes = toObject(text, false);
    return type === patchTypes.merge
      ? mergePatch(before, changes)
      : strategicPatch(before, changes, kind.schema);
  };
}

function parseJson(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch (error) {
    throw badRequest(`error decoding patch: ${String(error)}`);
  }
}

async function deleteBody({ request }: ApiExchange): Promise<JsonMembers> {
  const text = await readRequestText(request);
  const type = request.headers["content-type"] ?? "application/json";
  return text.trim() === "" ? {} : parseBody(text, type, "DeleteOptions").json;
}

// Like Kubernetes, the sandbox returns a removed object of these built-in kinds, and a Status for all others.
const returnedOnDelete = new Set([
  "Pod",
  "Service",
  "ServiceAccount",
  "PersistentVolumeClaim",
  "PersistentVolume",
  "ResourceQuota",
]);

async function answerDelete(call: ApiExchange): Promise<void> {
  const { context, target, query, response } = call;
  const options = deleteOptions(await deleteBody(call), query);
  const before = getOrThrow(context, target);
  const { object, isRemoved } = remove(context, target.kind, before, options);
  const { kind } = target;
  if (!isRemoved || (kind.custom === undefined && returnedOnDelete.has(kind.kind))) {
    sendObject(call, 200, object);
    return;
  }
  sendJson(response, 200, {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Success",
    details: {
      name: object.metadata.name,
      ...(kind.group === "" ? {} : { group: kind.group }),
      kind: kind.plural,
      uid: object.metadata.uid ?? "",
    },
  });
}

async function answerDeleteAll(call: ApiExchange): Promise<void> {
  const { context, target, query, response } = call;
  const options = deleteOptions(await deleteBody(call), query);
  const listed = listObjects(context, target, query);
  const chosen = listed.items.filter(selectorOf(target, query));
  for (const object of chosen) remove(context, target.kind, object, options);
  sendJson(response, 200, listBody(target.kind, { ...listed, items: chosen }));
}

/** Handles requests for subresources other than `status`. */
async function answerSubresource(call: ApiExchange, verb: string): Promise<void> {
  const { context, target, query, request, response, tokens } = call;
  const { kind, subresource, name, namespace } = target;
  if (subresource === "proxy") {
    proxyToPod(context, target, new URL(request.url ?? "/", "https://x").search, request, response);
    return;
  }
  const object = getOrThrow(context, target);
  if (subresource === "log" && verb === "get") return sendLog(context, object, query, response);
  if (subresource === "eviction" && verb === "create") {
    sendJson(response, 201, evict(context, kind, object, await deleteBody(call), query));
    return;
  }
  if (subresource === "token" && verb === "create") {
    const { json } = await readObject(call);
    const seconds = Number(asObject(json["spec"])?.["expirationSeconds"] ?? 3600);
    sendJson(response, 201, {
      kind: "TokenRequest",
      apiVersion: "authentication.k8s.io/v1",
      metadata: { name, namespace },
      spec: asObject(json["spec"]) ?? {},
      status: {
        token: tokens.tokenFor(namespace, name),
        expirationTimestamp: timestamp(context.clock.now() + seconds * 1000),
      },
    });
    return;
  }
  if (subresource === "binding" && verb === "create") {
    const { json } = await readObject(call);
    const nodeName = asObject(json["target"])?.["name"];
    if (typeof nodeName !== "string") throw badRequest("target.name: Required value");
    const bound = asObject(object["spec"])?.["nodeName"];
    if (bound !== undefined) {
      const why = `pod ${name} is already assigned to node ${JSON.stringify(bound)}`;
      throw conflict({ plural: "pods/binding", group: "" }, name, why);
    }
    context.objects.update({ resource: kind.resource, namespace, name }, (pod) => ({
      ...pod,
      spec: { ...asObject(pod["spec"]), nodeName },
    }));
    sendJson(response, 201, {
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Success",
      code: 201,
    });
    return;
  }
  if (subresource === "finalize" && verb === "update") {
    const { json } = await readObject(call);
    const finalizers = asObject(json["spec"])?.["finalizers"] ?? [];
    const next = context.objects.update({ resource: kind.resource, namespace, name }, (present) =>
      withoutUndefined({
        ...present,
        spec: Array.isArray(finalizers) && finalizers.length > 0 ? { finalizers } : {},
      }),
    );
    sendObject(call, 200, next ?? object);
    return;
  }
  if (subresource === "exec" || subresource === "attach") {
    throw badRequest("Upgrade request required");
  }
  throw methodNotAllowed();
}
