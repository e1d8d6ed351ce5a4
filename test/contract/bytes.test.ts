import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { ItemSplitter } from "../../src/cluster/bytes/itemSplitter.ts";
import { LineSplitter } from "../../src/cluster/bytes/lineSplitter.ts";
import { parseWithoutManagedFields } from "../../src/cluster/bytes/parseWithoutManagedFields.ts";
import { podJson } from "./podJson.ts";

/** Cuts bytes into chunks of the given sizes, applied cyclically. */
function cutInto(bytes: Buffer, sizes: readonly number[]): Buffer[] {
  const chunks: Buffer[] = [];
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1;
    // Copied, because a socket may reuse its memory.
    chunks.push(Buffer.from(bytes.subarray(at, at + size)));
    at += size;
  }
  return chunks;
}

const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 6 });
const anyJson = fc.json({ maxDepth: 4 });

function linesOf(
  bytes: Buffer,
  chunkSizes: readonly number[],
  maxLength: number,
): [string, boolean][] {
  const splitter = new LineSplitter(maxLength);
  const lines: [string, boolean][] = [];
  const onLine = (line: Buffer, cut: boolean): void => {
    lines.push([line.toString(), cut]);
  };
  for (const chunk of cutInto(bytes, chunkSizes)) splitter.push(chunk, onLine);
  splitter.end(onLine);
  return lines;
}

test("splits the same lines for any chunk sizes", () => {
  const line = fc.oneof(fc.string({ unit: "grapheme", maxLength: 60 }), fc.constant("💥 ünï"));
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 8 }),
      fc.boolean(),
      sizes,
      (lines, ended, chunkSizes) => {
        const clean = lines.map((text) => text.replaceAll("\n", ""));
        const bytes = Buffer.from(clean.join("\n") + (ended ? "\n" : ""));
        const expected = clean.join("\n").split("\n");
        if (expected.at(-1) === "" && !ended) expected.pop();
        if (bytes.length === 0) expected.length = 0;
        assert.deepEqual(
          linesOf(bytes, chunkSizes, 1000).map(([text]) => text),
          expected,
        );
      },
    ),
  );
});

test("replaces invalid UTF-8 with U+FFFD within its own line", () => {
  const bytes = Buffer.from([0x61, 0xe2, 0x82, 0x0a, 0xff, 0x62, 0x0a]);
  assert.deepEqual(linesOf(bytes, [1], 100), [
    ["a\ufffd", false],
    ["\ufffdb", false],
  ]);
});

test("cuts and marks a line above the limit, and keeps the next one whole", () => {
  fc.assert(
    fc.property(fc.integer({ min: 11, max: 200 }), sizes, (length, chunkSizes) => {
      const bytes = Buffer.from(`${"x".repeat(length)}\nnext\n`);
      assert.deepEqual(linesOf(bytes, chunkSizes, 10), [
        ["x".repeat(10), true],
        ["next", false],
      ]);
    }),
  );
});

test("finds the same list items as JSON.parse, for any chunking and layout", () => {
  fc.assert(
    fc.property(
      fc.array(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })), { maxLength: 5 }),
      fc.jsonValue({ maxDepth: 2 }),
      fc.constantFrom(undefined, 1, "\t"),
      sizes,
      (items, before, indent, chunkSizes) => {
        const list = { items2: [before], metadata: { a: [before] }, items, after: [before, "é"] };
        const text = JSON.stringify(list, null, indent);
        const splitter = new ItemSplitter(1 << 20);
        const found: unknown[] = [];
        for (const chunk of cutInto(Buffer.from(text), chunkSizes)) {
          splitter.push(chunk, (item) => found.push(JSON.parse(item.toString())));
        }
        const plain = JSON.parse(text) as typeof list;
        assert.equal(splitter.isBroken, false);
        assert.deepEqual(found, plain.items);
        assert.deepEqual(JSON.parse(splitter.takeEnvelope().toString()), { ...plain, items: [] });
      },
    ),
  );
});

test("marks a malformed list as broken or leaves an envelope that does not parse", () => {
  fc.assert(
    fc.property(anyJson, fc.integer({ min: 1, max: 20 }), sizes, (json, cut, chunkSizes) => {
      const text = `{"items":[{"a":1},${json.slice(0, -cut)}`;
      const splitter = new ItemSplitter(1 << 20);
      for (const chunk of cutInto(Buffer.from(text), chunkSizes)) {
        if (!splitter.isBroken) splitter.push(chunk, () => undefined);
      }
      const envelope = splitter.takeEnvelope().toString();
      assert.ok(splitter.isBroken || !isJson(envelope), envelope);
    }),
  );
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function withoutManagedFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutManagedFields);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => key !== "managedFields")
      .map(([key, inner]) => [key, withoutManagedFields(inner)]),
  );
}

test("cutting managedFields changes nothing else in any JSON", () => {
  // Strings with the byte sequences that the cut searches for.
  const word = fc.constantFrom(
    "managedFields",
    "spec",
    "metadata",
    "x",
    ']},"spec":{',
    ',"managedFields":[',
  );
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 5, withCrossShrink: true },
      word,
      fc.integer(),
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(word, tie("value"), { maxKeys: 4, noNullPrototype: true }),
      // The key order that allows the cut: `managedFields` follows another key.
      fc.record({
        x: fc.record({ a: word, managedFields: fc.array(tie("value")) }),
        spec: fc.record({ x: word }),
      }),
    ),
  }));
  let cuts = 0;
  fc.assert(
    fc.property(value, (json) => {
      const parsed = parseWithoutManagedFields(Buffer.from(JSON.stringify(json)));
      assert.ok(parsed.ok);
      assert.deepEqual(withoutManagedFields(parsed.value), withoutManagedFields(json));
      if (JSON.stringify(parsed.value) !== JSON.stringify(json)) cuts += 1;
    }),
    { numRuns: 2000 },
  );
  assert.ok(cuts > 100, `only ${cuts} cuts`);
});

test("cuts the managedFields of a pod and keeps a text that looks like them", () => {
  const text = 'a,"managedFields":[b]},"spec":{c';
  for (const json of [
    podJson("p", "1", text),
    { type: "ADDED", object: podJson("p", "1", text) },
  ]) {
    const parsed = parseWithoutManagedFields(Buffer.from(JSON.stringify(json)));
    assert.deepEqual(parsed, { ok: true, value: withoutManagedFields(json) });
  }
});
