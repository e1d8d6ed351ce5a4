import { assertNever } from "../../base/assertNever.ts";
import { TextCache } from "./textCache.ts";

/** The fields of a message to decode, indexed by field number. All other fields are skipped. */
export type MessageShape = readonly (Field | undefined)[];

/** `name` is the field's name in JSON. */
export type Field = { readonly name: string } & (
  | { readonly kind: "text" | "texts" | "map" | "quantities" | "flag" | "time" | "bytes" }
  /** `zero` is true if the JSON form includes this field even if its value is 0. */
  | { readonly kind: "number"; readonly zero: boolean }
  | { readonly kind: "message"; readonly shape: MessageShape }
  /** The JSON form has this message's fields in the parent object, because the Go struct is inlined. */
  | { readonly kind: "inline"; readonly shape: MessageShape }
  /** Decodes only messages whose first field equals `only`; all messages if it is undefined. */
  | { readonly kind: "messages"; readonly shape: MessageShape; readonly only: string | undefined }
);

/** A decoded message with the structure of its parsed JSON form. */
export type MessageFields = Record<string, unknown>;

/** Thrown if the bytes are not a valid protobuf message or end too early. */
export class NotAMessage extends Error {
  override readonly name = "NotAMessage";
}

export function shapeOf(fields: Readonly<Record<number, Field>>): MessageShape {
  const numbers = Object.keys(fields).map(Number);
  return Array.from({ length: Math.max(...numbers) + 1 }, (_, number) => fields[number]);
}

/**
 * Decodes protobuf messages of the API server into the objects that parsing their JSON form would give. The buffer may
 * be reused after `read`, except for fields of the kind `bytes`.
 */
export class MessageReader {
  readonly #texts = new TextCache();
  #bytes: Buffer = Buffer.alloc(0);
  #at = 0;
  #latestTime = { seconds: NaN, text: "" };

  /** Decodes one message. Throws NotAMessage. */
  read(bytes: Buffer, shape: MessageShape): MessageFields {
    this.#bytes = bytes;
    this.#at = 0;
    return this.#message(bytes.length, shape);
  }

  #message(end: number, shape: MessageShape): MessageFields {
    const fields: MessageFields = {};
    while (this.#at < end) {
      const tag = this.#varint();
      const field = shape[tag >>> 3];
      const wire = tag & 7;
      if (wire === varintWire) {
        const value = this.#varint();
        if (field?.kind === "flag") fields[field.name] = value !== 0;
        else if (field?.kind === "number" && (field.zero || value !== 0))
          fields[field.name] = value;
      } else if (wire === bytesWire) {
        const until = this.#end(end);
        if (field) this.#take(fields, field, until);
        this.#at = until;
      } else if (wire === eightBytesWire || wire === fourBytesWire) {
        this.#at += wire === fourBytesWire ? 4 : 8;
      } else throw new NotAMessage();
    }
    if (this.#at > end) throw new NotAMessage();
    return fields;
  }

  #take(fields: MessageFields, field: Field, end: number): void {
    const { name } = field;
    switch (field.kind) {
      case "text":
        // Skip empty strings: Go's protobuf encoder writes them, while the JSON form omits the field.
        if (this.#at < end) fields[name] = this.#text(end);
        return;
      case "texts":
        append(fields, name, this.#text(end));
        return;
      case "time":
        if (this.#at < end) fields[name] = this.#time(end);
        return;
      case "bytes":
        fields[name] = this.#bytes.subarray(this.#at, end);
        return;
      case "message":
        fields[name] = this.#message(end, field.shape);
        return;
      case "inline":
        Object.assign(fields, this.#message(end, field.shape));
        return;
      case "messages":
        if (field.only === undefined || this.#beginsWith(field.only, end)) {
          append(fields, name, this.#message(end, field.shape));
        }
        return;
      case "map": {
        const { key, value } = this.#message(end, textEntry);
        put(fields, name, key, value ?? "");
        return;
      }
      case "quantities": {
        const { key, value } = this.#message(end, quantityEntry);
        put(fields, name, key, fieldsOf(value)["string"] ?? "0");
        return;
      }
      case "number":
      case "flag":
        return;
      default:
        assertNever(field);
    }
  }

  /** True if the message's first field equals `text` (ASCII only). Does not advance the position. */
  #beginsWith(text: string, end: number): boolean {
    const start = this.#at;
    let isText = start < end && this.#varint() === firstTextTag;
    isText &&= this.#end(end) - this.#at === text.length;
    for (let at = 0; isText && at < text.length; at += 1) {
      isText = this.#bytes[this.#at + at] === text.charCodeAt(at);
    }
    this.#at = start;
    return isText;
  }

  #text(end: number): string {
    return this.#texts.read(this.#bytes, this.#at, end);
  }

  // Decodes a time to whole seconds, as in the JSON form. Caches the latest time, because many pods repeat it.
  #time(end: number): string {
    const seconds = Number(this.#message(end, timestamp)["seconds"] ?? 0);
    if (seconds !== this.#latestTime.seconds) {
      const text = new Date(seconds * 1000).toISOString().replace(/\.\d+/, "");
      this.#latestTime = { seconds, text };
    }
    return this.#latestTime.text;
  }

  /** Reads a length and returns the end position of its field. */
  #end(limit: number): number {
    const length = this.#varint();
    const end = this.#at + length;
    if (length < 0 || end > limit) throw new NotAMessage();
    return end;
  }

  #varint(): number {
    const bytes = this.#bytes;
    let byte = bytes[this.#at++];
    if (byte === undefined) throw new NotAMessage();
    if (byte < 0x80) return byte;
    let low = byte & 0x7f;
    let high = 0;
    for (let shift = 7; byte >= 0x80; shift += 7) {
      byte = bytes[this.#at++];
      if (byte === undefined || shift > 63) throw new NotAMessage();
      const bits = byte & 0x7f;
      if (shift < 32) low |= bits << shift;
      if (shift === 28) high = bits >>> 4;
      else if (shift > 28) high |= bits << (shift - 32);
    }
    // Bitwise operators make `high` signed. That is correct, because all integers of the API are signed.
    return high * 2 ** 32 + (low >>> 0);
  }
}

const varintWire = 0;
const eightBytesWire = 1;
const bytesWire = 2;
const fourBytesWire = 5;
/** The tag of field 1 with a length-delimited value. */
const firstTextTag = 0x0a;

const textEntry = shapeOf({ 1: { name: "key", kind: "text" }, 2: { name: "value", kind: "text" } });
const quantity = shapeOf({ 1: { name: "string", kind: "text" } });
const quantityEntry = shapeOf({
  1: { name: "key", kind: "text" },
  2: { name: "value", kind: "message", shape: quantity },
});
const timestamp = shapeOf({ 1: { name: "seconds", kind: "number", zero: true } });

const fieldsOf = (value: unknown): MessageFields => (typeof value === "object" ? { ...value } : {});

function append(fields: MessageFields, name: string, item: unknown): void {
  const list = fields[name];
  if (Array.isArray(list)) list.push(item);
  else fields[name] = [item];
}

function put(fields: MessageFields, name: string, entryKey: unknown, value: unknown): void {
  const key = typeof entryKey === "string" ? entryKey : "";
  const map = (fields[name] ??= {}) as MessageFields;
  // Assigning `__proto__` would change the prototype, so define the property instead.
  if (key === "__proto__") {
    const entry = { value, enumerable: true, configurable: true, writable: true };
    Object.defineProperty(map, key, entry);
  } else map[key] = value;
}
