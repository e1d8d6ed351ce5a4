import { isDeepStrictEqual } from "node:util";
import type { JsonValue, JsonArray, JsonMembers } from "../kubeObject.ts";
import { asObject } from "../schema/schema.ts";
import { badRequest, Refusal } from "../api/refusal.ts";

/** Applies a JSON patch (RFC 6902). Throws a 400 if it is not a list, and a 422 if an operation is invalid or fails. */
export function jsonPatch(target: JsonMembers, patch: JsonValue): JsonValue {
  if (!Array.isArray(patch)) throw badRequest("a JSON patch must be a list of operations");
  return (patch as JsonArray).reduce<JsonValue>((document, step) => {
    const operation = asObject(step) ?? {};
    return applyOperation(document, operation);
  }, target);
}

function applyOperation(document: JsonValue, operation: JsonMembers): JsonValue {
  const { op, value } = operation;
  const path = pointer(operation["path"]);
  switch (typeof op === "string" ? op : "") {
    case "add":
      return write(document, path, () => value ?? null, true);
    case "replace":
      // Unlike RFC 6902, Kubernetes accepts `replace` for a missing member.
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
        throw invalidPatch();
      }
      return document;
    default:
      throw invalidPatch();
  }
}

// Like a real API server, the message does not name the operation that failed.
const invalidPatch = (): Refusal =>
  new Refusal(422, "Invalid", "the server rejected our request due to an error in our request", {});

function pointer(path: JsonValue | undefined): readonly string[] {
  if (typeof path !== "string" || (path !== "" && !path.startsWith("/"))) {
    throw invalidPatch();
  }
  return path
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function find(document: JsonValue, path: readonly string[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>((at, part) => {
    if (Array.isArray(at)) return (at as JsonArray)[Number(part)];
    const object = asObject(at);
    return object !== undefined && Object.hasOwn(object, part) ? object[part] : undefined;
  }, document);
}

function read(document: JsonValue, path: readonly string[]): JsonValue {
  const found = find(document, path);
  if (found === undefined) throw invalidPatch();
  return found;
}

/**
 * Returns a copy with the value at a path replaced, or removed if `value` returns undefined. If `inserts` is true, it
 * inserts an item into a list instead of replacing one.
 */
function write(
  document: JsonValue,
  path: readonly string[],
  value: () => JsonValue | undefined,
  inserts: boolean,
): JsonValue {
  const [part, ...rest] = path;
  if (part === undefined) return value() ?? null;
  if (Array.isArray(document)) {
    const list = [...(document as JsonArray)];
    const index = part === "-" ? list.length : Number(part);
    const isPlace = Number.isInteger(index) && index >= 0 && index <= list.length;
    if (!isPlace) throw invalidPatch();
    if (rest.length > 0) {
      list[index] = write(list[index] ?? null, rest, value, inserts);
      return list;
    }
    const next = value();
    list.splice(index, inserts ? 0 : 1, ...(next === undefined ? [] : [next]));
    return list;
  }
  const object = asObject(document);
  if (object === undefined) throw invalidPatch();
  const copy: Record<string, JsonValue | undefined> = { ...object };
  // Assigning `__proto__` would set the prototype of the copy.
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
