import { isRecord } from "../base/json.ts";
import type { Memento } from "vscode";

/** Reads a stored list. Empty if another version of the extension stored another type. */
export function storedList(memory: Pick<Memento, "get">, key: string): readonly unknown[] {
  const value = memory.get<unknown>(key);
  return Array.isArray(value) ? value : [];
}

/** Reads the members of a stored object. Empty for other types, as in `storedList`. */
export function storedMembers(
  memory: Pick<Memento, "get">,
  key: string,
): ReadonlyMap<string, unknown> {
  const value = memory.get<unknown>(key);
  return new Map(isRecord(value) ? Object.entries(value) : []);
}

/** Reads one member of a stored object. Undefined if it is missing. */
export function storedMember(memory: Pick<Memento, "get">, key: string, member: string): unknown {
  const value = memory.get<unknown>(key);
  return isRecord(value) && Object.hasOwn(value, member) ? value[member] : undefined;
}
