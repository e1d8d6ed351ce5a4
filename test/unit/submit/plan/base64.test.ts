import assert from "node:assert/strict";
import { test } from "node:test";
import { textToBase64, utf8Length } from "../../../../src/spark/submit/plan/base64.ts";

test("encodes the UTF-8 bytes of a text of any script and length", () => {
  // The lowest and highest code points with one, two, three and four bytes in UTF-8.
  const bounds = [0x00, 0x7f, 0x80, 0x7ff, 0x800, 0xffff, 0x10000, 0x10ffff];
  const chars = [...bounds.map((code) => String.fromCodePoint(code)), "a", "é", "€", "😀"];
  const texts = ["", ...chars, ...chars.flatMap((a) => chars.map((b) => `x${a}${b}`))];
  for (const text of texts) {
    const bytes = Buffer.from(text);
    assert.equal(textToBase64(text), bytes.toString("base64"), JSON.stringify(text));
    assert.equal(utf8Length(text), bytes.length, JSON.stringify(text));
  }
});
