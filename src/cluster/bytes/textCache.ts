const slots = 4096;
const maxLength = 64;

/**
 * Decodes strings from bytes. Returns a cached string for short repeated ones, because pods of one application share
 * most of their strings.
 */
export class TextCache {
  readonly #slots = new Array<string>(slots).fill("");

  read(bytes: Buffer, start: number, end: number): string {
    const length = end - start;
    if (length > maxLength) return bytes.toString("utf8", start, end);
    let hash = length;
    for (let at = start; at < end; at += 1) {
      const byte = bytes[at] ?? 0;
      if (byte > 0x7f) return bytes.toString("utf8", start, end);
      hash = (Math.imul(hash, 31) + byte) | 0;
    }
    const slot = (hash ^ (hash >>> 15)) & (slots - 1);
    const known = this.#slots[slot] ?? "";
    if (isSame(known, bytes, start, length)) return known;
    const text = bytes.toString("latin1", start, end);
    this.#slots[slot] = text;
    return text;
  }
}

function isSame(text: string, bytes: Buffer, start: number, length: number): boolean {
  if (text.length !== length) return false;
  for (let at = 0; at < length; at += 1) {
    if (text.charCodeAt(at) !== bytes[start + at]) return false;
  }
  return true;
}
