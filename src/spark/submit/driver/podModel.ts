// Spark deserializes a template into the typed objects of its client library, and serializes them again. These
// functions do the same: they convert scalars and reject values of the wrong type.
import { err, ok, type Result } from "../../../base/result.ts";
import { javaDouble } from "../conf/javaText.ts";
import type { Json } from "../../../base/json.ts";
import types from "./podTypes.json" with { type: "json" };
import { isQuantity, parseJavaInt } from "../conf/sparkValues.ts";
import type { VersionTraits } from "../conf/versionTraits.ts";

/** A number in a template with its text. A string field gets the text, a numeric field the value. */
export class WrittenNumber {
  readonly value: number;
  readonly text: string;
  constructor(value: number, text: string) {
    this.value = value;
    this.text = text;
  }
}

interface Reading {
  readonly traits: VersionTraits;
  /** Paths of values with the wrong type. */
  readonly misfits: string[];
}

type Fields = Readonly<Record<string, string>>;

const fieldsOf: ReadonlyMap<string, Fields> = new Map(Object.entries(types));

/**
 * Converts a parsed template, in which maps are `Map`s, to the object that Spark sends. The error is the path of the
 * first value that Spark cannot read.
 */
export function readTyped(
  value: unknown,
  type: "Pod" | "PodGroup",
  traits: VersionTraits,
): Result<Json, string> {
  const misfits: string[] = [];
  const json = read(value, type, "", { traits, misfits });
  const [first] = misfits;
  return first === undefined ? ok(json ?? null) : err(first);
}

// Returns the value as JSON. Undefined for an empty value, which Spark does not send. Also undefined for a value of the
// wrong type, after adding its path to `misfits`.
function read(value: unknown, type: string, path: string, reading: Reading): Json | undefined {
  if (value === null || value === undefined) return undefined;
  const [, of = ""] = /^[[{](.*)[\]}]$/.exec(type) ?? [];
  if (type.startsWith("[")) return readList(value, of, path, reading);
  if (type.startsWith("{")) return readMap(value, of, path, reading);
  const fields = fieldsOf.get(type);
  return fields === undefined
    ? readScalar(value, type, path, reading)
    : readRecord(value, fields, path, reading);
}

function readList(value: unknown, of: string, path: string, reading: Reading): Json | undefined {
  if (!Array.isArray(value)) return misfit(path, reading);
  const items = value.map((item: unknown, index): Json => {
    const nothing = fieldsOf.has(of) ? {} : null;
    return read(item, of, `${path}[${index}]`, reading) ?? nothing;
  });
  return items.length === 0 ? undefined : items;
}

function readMap(value: unknown, of: string, path: string, reading: Reading): Json | undefined {
  if (!(value instanceof Map)) return misfit(path, reading);
  const entries = named(value, path, reading).map(
    ([name, child]) => [name, read(child, of, `${path}.${name}`, reading) ?? null] as const,
  );
  return entries.length === 0 && !reading.traits.writesEmptyMaps
    ? undefined
    : Object.fromEntries(entries);
}

function readRecord(
  value: unknown,
  fields: Fields,
  path: string,
  reading: Reading,
): Json | undefined {
  const [only, another] = Object.entries(fields);
  // Accepts a string in place of an object with a single string field, as Spark's Kubernetes client does.
  if (typeof value === "string" && only?.[1] === "text" && !another) return { [only[0]]: value };
  if (!(value instanceof Map)) return misfit(path, reading);
  return Object.fromEntries(
    named(value, path, reading).flatMap(([name, child]) => {
      const type = Object.hasOwn(fields, name) ? fields[name] : undefined;
      const place = path === "" ? name : `${path}.${name}`;
      const json =
        type === undefined ? raw(child, place, reading) : read(child, type, place, reading);
      return json === undefined ? [] : [[name, json] as const];
    }),
  );
}

function readScalar(
  value: unknown,
  type: string,
  path: string,
  reading: Reading,
): Json | undefined {
  switch (type) {
    case "text":
      return textOf(value) ?? misfit(path, reading);
    case "quantity": {
      const text = textOf(value);
      return text !== undefined && isQuantity(text) ? text : misfit(path, reading);
    }
    case "intOrText":
      if (typeof value === "string") return value;
      return numberOf(value)?.value ?? misfit(path, reading);
    case "int":
    case "long":
      return value === "" && !(type === "int" && reading.traits.decodesIntegers)
        ? undefined
        : (wholeNumber(value, type, reading.traits) ?? misfit(path, reading));
    case "bool":
      return value === "" ? undefined : (booleanOf(value) ?? misfit(path, reading));
    default:
      return raw(value, path, reading);
  }
}

function textOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return `${value}`;
  return numberOf(value)?.text;
}

function numberOf(value: unknown): WrittenNumber | undefined {
  if (value instanceof WrittenNumber) return value;
  if (value instanceof Date) return new WrittenNumber(value.getTime(), `${value.getTime()}`);
  return typeof value === "number"
    ? new WrittenNumber(value, Number.isInteger(value) ? `${value}` : javaDouble(value))
    : undefined;
}

function booleanOf(value: unknown): boolean | undefined {
  if (typeof value === "boolean") return value;
  const number = numberOf(value)?.value;
  if (number !== undefined) return Number.isInteger(number) ? number !== 0 : undefined;
  const [, yes, no] =
    typeof value === "string"
      ? (/^\s*(?:(true|True|TRUE)|(false|False|FALSE))\s*$/.exec(value) ?? [])
      : [];
  return yes !== undefined ? true : no !== undefined ? false : undefined;
}

function wholeNumber(
  value: unknown,
  type: "int" | "long",
  traits: VersionTraits,
): number | undefined {
  const number = numberOf(value);
  if (type === "int" && traits.decodesIntegers) {
    return decodeInteger(number?.text ?? (typeof value === "string" ? value : ""));
  }
  const whole =
    number === undefined
      ? integerIn(typeof value === "string" ? value : "")
      : Math.trunc(number.value);
  const limit = type === "int" ? 2 ** 31 : 2 ** 63;
  return whole !== undefined && whole >= -limit && whole < limit ? whole : undefined;
}

function integerIn(text: string): number | undefined {
  return /^\s*[+-]?[0-9]+\s*$/.test(text) ? Number(text) : undefined;
}

// Parses like Java's `Integer.decode`: decimal, octal (`0644`) and hexadecimal (`0x1f`, `#1f`). Undefined for other
// texts.
function decodeInteger(text: string): number | undefined {
  const [, sign = "", hex, octal] =
    /^([+-]?)(?:(?:0[xX]|#)([0-9a-fA-F]+)|0([0-7]+))$/.exec(text) ?? [];
  if (hex !== undefined) return parseJavaInt(`${sign}${Number.parseInt(hex, 16)}`);
  return octal === undefined
    ? parseJavaInt(text.startsWith("0") && text !== "0" ? "" : text)
    : parseJavaInt(`${sign}${Number.parseInt(octal, 8)}`);
}

// Returns the value of a field that the library does not know, unchanged as JSON.
function raw(value: unknown, path: string, reading: Reading): Json {
  if (Array.isArray(value)) {
    return value.map((item: unknown, index) => raw(item, `${path}[${index}]`, reading));
  }
  if (value instanceof Map) {
    return Object.fromEntries(
      named(value, path, reading).map(([name, child]) => [
        name,
        raw(child, `${path}.${name}`, reading),
      ]),
    );
  }
  return typeof value === "string" || typeof value === "boolean"
    ? value
    : (numberOf(value)?.value ?? null);
}

function named(
  map: ReadonlyMap<unknown, unknown>,
  path: string,
  reading: Reading,
): readonly (readonly [string, unknown])[] {
  return [...map].map(([key, value]) => {
    const name = textOf(key);
    if (name === undefined) misfit(path, reading);
    return [name ?? "", value];
  });
}

function misfit(path: string, { misfits }: Reading): Json | undefined {
  misfits.push(path);
  return undefined;
}
