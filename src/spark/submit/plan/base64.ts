const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** Encodes the text's UTF-8 bytes as Base64. `spark/` may not use Node's `Buffer`. */
export function textToBase64(text: string): string {
  const bytes = utf8Bytes(text);
  let encoded = "";
  for (let index = 0; index < bytes.length; index += 3) {
    const [first = 0, second, third] = bytes.slice(index, index + 3);
    const bits = (first << 16) | ((second ?? 0) << 8) | (third ?? 0);
    const digit = (shift: number): string => alphabet[(bits >> shift) & 63] ?? "";
    encoded += digit(18) + digit(12);
    encoded += second === undefined ? "=" : digit(6);
    encoded += third === undefined ? "=" : digit(0);
  }
  return encoded;
}

/** Returns the length of the text's UTF-8 encoding in bytes. */
export function utf8Length(text: string): number {
  return utf8Bytes(text).length;
}

function utf8Bytes(text: string): readonly number[] {
  return Array.from(text).flatMap((char) => {
    const code = char.codePointAt(0) ?? 0;
    if (code < 0x80) return [code];
    const tail = (shift: number): number => 0x80 | ((code >> shift) & 0x3f);
    if (code < 0x800) return [0xc0 | (code >> 6), tail(0)];
    if (code < 0x10000) return [0xe0 | (code >> 12), tail(6), tail(0)];
    return [0xf0 | (code >> 18), tail(12), tail(6), tail(0)];
  });
}
