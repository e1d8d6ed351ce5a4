import { ByteStore } from "./byteStore.ts";

const quote = 0x22;
const comma = 0x2c;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

const isStructural = Uint8Array.from({ length: 256 }, (_, byte) =>
  [quote, openBracket, closeBracket, openBrace, closeBrace].includes(byte) ? 1 : 0,
);

/** The current position in the JSON of a list. */
type Place = "envelope" | "between items" | "in an item";

/**
 * Extracts the objects in `items` of a Kubernetes list while the bytes arrive. A list of any size is parsed item by
 * item, and is never in memory as a whole. The envelope is the list without its items. Invalid JSON is found when the
 * pieces are parsed; `isBroken` reports only structural errors and exceeded limits. An item is valid only during the
 * call of `onItem`, because its memory is reused.
 */
export class ItemSplitter {
  readonly #begun: ByteStore;
  readonly #envelope: ByteStore;
  #place: Place = "envelope";
  #depth = 0;
  #inString = false;
  #escaped = false;
  #broken = false;

  /** `maxBytes` limits each item and the envelope. */
  constructor(maxBytes: number) {
    this.#begun = new ByteStore(maxBytes);
    this.#envelope = new ByteStore(maxBytes);
  }

  get isBroken(): boolean {
    return this.#broken || this.#begun.hasOverflowed || this.#envelope.hasOverflowed;
  }

  /** Returns the JSON of the list without its items. */
  takeEnvelope(): Buffer {
    return this.#envelope.take();
  }

  // Hot path: runs for every byte of every list. State is kept in local variables, and two tight loops skip irrelevant
  // bytes.
  push(chunk: Buffer, onItem: (item: Buffer) => void): void {
    let place = this.#place;
    let depth = this.#depth;
    let inString = this.#inString;
    let start = 0;
    let at = 0;
    const end = chunk.length;
    if (this.#escaped && at < end) at += 1;
    this.#escaped = false;
    while (at < end) {
      let byte = chunk[at++] ?? 0;
      if (inString) {
        while (byte !== quote && byte !== backslash && at < end) byte = chunk[at++] ?? 0;
        if (byte === quote) inString = false;
        else if (byte === backslash && ++at > end) this.#escaped = true;
        continue;
      }
      if (place === "between items") {
        if (byte === openBrace) {
          place = "in an item";
          start = at - 1;
          depth += 1;
        } else if (byte === closeBracket) {
          place = "envelope";
          start = at - 1;
          depth -= 1;
        } else if (byte > 0x20 && byte !== comma) {
          this.#broken = true;
          return;
        }
        continue;
      }
      while (!isStructural[byte] && at < end) byte = chunk[at++] ?? 0;
      switch (byte) {
        case quote:
          inString = true;
          break;
        case openBrace:
        case openBracket:
          depth += 1;
          if (place === "envelope" && depth === 2 && byte === openBracket) {
            this.#envelope.add(chunk.subarray(start, at));
            start = at;
            if (this.#isAtItems()) place = "between items";
          }
          break;
        case closeBrace:
        case closeBracket:
          depth -= 1;
          if (place === "in an item" && depth === 2) {
            place = "between items";
            onItem(this.#finish(chunk.subarray(start, at)));
          }
          break;
        default:
      }
    }
    if (place === "in an item") this.#begun.add(chunk.subarray(start));
    else if (place === "envelope") this.#envelope.add(chunk.subarray(start));
    this.#place = place;
    this.#depth = depth;
    this.#inString = inString;
  }

  #isAtItems(): boolean {
    return /"items"\s*:\s*\[$/.test(this.#envelope.latestText(40));
  }

  #finish(last: Buffer): Buffer {
    if (this.#begun.length === 0) return last;
    this.#begun.add(last);
    return this.#begun.take();
  }
}
