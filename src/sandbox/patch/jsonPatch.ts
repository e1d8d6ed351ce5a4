import { isDeepStrictEqual } from "node:util";
import type { Json, JsonArray, JsonObject } from "../kubeObject.ts";
import { asObject } from "../schema/schema.ts";
import { badRequest, Refusal } from "../api/refusal.ts";

/** RFC 6902. */
export function jsonPatch(target: JsonObject, patch: Json): Json {
  if (!Array.isArray(patch)) throw badRequest("a JSON patch is a list of operations");
  return (patch as JsonArray).reduce<Json>((document, step) => {
    const operation = asObject(step) ?? {};
    return carryOut(document, operation);
  }, target);
}

function carryOut(document: Json, operation: JsonObject): Json {
  const { op, value } = operation;
  const path = pointer(operation["path"]);
  switch (typeof op === "string" ? op : "") {
    case "add":
      return write(document, path, () => value ?? null, true);
    case "replace":
      // Kubernetes' own takes a member that is not there.
      return write(document, path, () => value ?? null, false);
    case "remove":
      read(document, path);
      return write(document, path, () => undefined, false);
    case "copy":
      return write(document, path, () => read(document, pointer(operation["from"])), true);
    case "move": {
      const from = pointer(operation["from"]);
      const moved = read(document, from);
      return write(
        write(document, from, () => undefined, false),
        path,
        () => moved,
        true,
      );
    }
    case "test":
      if (!isDeepStrictEqual(find(document, path), value)) {
        throw cannotBeDone();
      }
      return document;
    default:
      throw cannotBeDone();
  }
}

// A real API server keeps to itself what was wrong.
const cannotBeDone = (): Refusal =>
  new Refusal(422, "Invalid", "the server rejected our request due to an error in our request", {});

function pointer(path: Json | undefined): readonly string[] {
  if (typeof path !== "string" || (path !== "" && !path.startsWith("/"))) {
    throw cannotBeDone();
  }
  return path
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function find(document: Json, path: readonly string[]): Json | undefined {
  return path.reduce<Json | undefined>((at, part) => {
    if (Array.isArray(at)) return (at as JsonArray)[Number(part)];
    const object = asObject(at);
    return object !== undefined && Object.hasOwn(object, part) ? object[part] : undefined;
  }, document);
}

function read(document: Json, path: readonly string[]): Json {
  const found = find(document, path);
  if (found === undefined) throw cannotBeDone();
  return found;
}

/** `value` gives undefined to take the place away. */
function write(
  document: Json,
  path: readonly string[],
  value: () => Json | undefined,
  inserts: boolean,
): Json {
  const [part, ...rest] = path;
  if (part === undefined) return value() ?? null;
  if (Array.isArray(document)) {
    const list = [...(document as JsonArray)];
    const index = part === "-" ? list.length : Number(part);
    const isPlace = Number.isInteger(index) && index >= 0 && index <= list.length;
    if (!isPlace) throw cannotBeDone();
    if (rest.length > 0) {
      list[index] = write(list[index] ?? null, rest, value, inserts);
      return list;
    }
    const next = value();
    list.splice(index, inserts ? 0 : 1, ...(next === undefined ? [] : [next]));
    return list;
  }
  const object = asObject(document);
  if (object === undefined) throw cannotBeDone();
  const copy: Record<string, Json | undefined> = { ...object };
  // Not `__proto__`: the copy must not get another prototype.
  const next = rest.length > 0 ? write(object[part] ?? null, rest, value, inserts) : value();
  if (next === undefined) Reflect.deleteProperty(copy, part);
  else
    Object.defineProperty(copy, part, {
      value: next,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  return copy;
}
