import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { ChunkJoiner } from "../../src/cluster/transport/chunkJoiner.ts";
import { MemoryPool } from "../../src/cluster/transport/memoryPool.ts";

/** What a reader of HTTP makes of it: heads and bodies, in their order. */
function readAnswers(bytes: Buffer): readonly string[] {
  const read: string[] = [];
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf("\r\n\r\n", at);
    const head = bytes.toString("latin1", at, end);
    at = end + 4;
    const counted = /content-length: (\d+)/i.exec(head)?.[1];
    if (counted !== undefined) {
      read.push(head, bytes.toString("latin1", at, at + Number(counted)));
      at += Number(counted);
      continue;
    }
    if (!/chunked/i.test(head)) return [...read, head, bytes.toString("latin1", at)];
    let body = "";
    for (;;) {
      const lineEnd = bytes.indexOf("\r\n", at);
      const size = parseInt(bytes.toString("latin1", at, lineEnd), 16);
      at = lineEnd + 2;
      if (size === 0) break;
      body += bytes.toString("latin1", at, at + size);
      at += size + 2;
    }
    const trailerEnd = bytes.indexOf("\r\n\r\n", at - 2);
    read.push(head, body, bytes.toString("latin1", at, Math.max(at, trailerEnd)));
    at = trailerEnd + 4;
  }
  return read;
}

const chunk = fc.record({
  data: fc.string({ minLength: 1, maxLength: 40, unit: "binary-ascii" }),
  extension: fc.constantFrom("", ";a=b", ' ; name="x"'),
  isUpper: fc.boolean(),
});

const chunked = fc
  .record({
    chunks: fc.array(chunk, { maxLength: 8 }),
    trailer: fc.constantFrom("", "x-end: 1\r\n"),
  })
  .map(({ chunks, trailer }) => {
    const body = chunks.map(({ data, extension, isUpper }) => {
      const size = data.length.toString(16);
      return `${isUpper ? size.toUpperCase() : size}${extension}\r\n${data}\r\n`;
    });
    return `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${body.join("")}0\r\n${trailer}\r\n`;
  });

const counted = fc
  .string({ maxLength: 60, unit: "binary-ascii" })
  .map((body) => `HTTP/1.1 400 Bad\r\nContent-Length: ${body.length}\r\n\r\n${body}`);

const open = fc
  .string({ maxLength: 60, unit: "binary-ascii" })
  .map((body) => `HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n${body}`);

const join = (wire: string, cuts: readonly number[], takes: readonly boolean[]): Buffer => {
  const pool = new MemoryPool();
  const joiner = new ChunkJoiner(pool);
  const bytes = Buffer.from(wire, "latin1");
  const out: Buffer[] = [];
  const places = [...new Set([0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length])];
  places.sort((a, b) => a - b);
  for (const [index, from] of places.entries()) {
    // Whoever reads uses the memory again.
    const piece = Buffer.from(bytes.subarray(from, places[index + 1] ?? bytes.length));
    joiner.push(piece);
    piece.fill(0);
    if (takes[index % takes.length] !== true) continue;
    out.push(Buffer.from(joiner.take()));
    joiner.release();
    // So do others with what was let go.
    const others = pool.take(1).fill(0);
    pool.giveBack(others);
  }
  return Buffer.concat([...out, joiner.end()]);
};

test("answers are the same however they come, with what has come of a body in one chunk", () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(chunked, counted), { maxLength: 4 }),
      fc.option(open, { nil: "" }),
      fc.array(fc.nat(), { maxLength: 30 }),
      fc.array(fc.boolean(), { minLength: 1, maxLength: 7 }),
      (answers, last, cuts, takes) => {
        const wire = [...answers, last].join("");
        const joined = join(wire, cuts, takes);
        assert.deepEqual(readAnswers(joined), readAnswers(Buffer.from(wire, "latin1")));
      },
    ),
  );
});

test("thousands of small chunks go on as one", () => {
  const body = "5\r\nline\n\r\n".repeat(1_000);
  const joiner = new ChunkJoiner(new MemoryPool());
  joiner.push(Buffer.from(`HTTP/1.1 200 OK\r\ntransfer-encoding: CHUNKED\r\n\r\n${body}`));
  const [, sent = ""] = joiner.take().toString().split("\r\n\r\n", 2);
  assert.equal(sent, `00001388\r\n${"line\n".repeat(1_000)}\r\n`);
});

test("what is no chunk goes on as it came, for who reads it to judge", () => {
  const head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
  for (const rest of ["zz\r\nabc", "3\r\nabcX\r\n", "fffffffff\r\n", "\r\n", "-1\r\n"]) {
    const joined = join(head + rest, [], [false]).toString("latin1");
    // The chunk before it was one.
    const shown = rest.startsWith("3") ? "00000003\r\nabc\r\nX\r\n" : rest;
    assert.equal(joined, head + shown);
  }
  for (const wire of [
    "",
    "SSH-2.0-x\r\n",
    "HTTP/1.1 101 Switching\r\n\r\n\u0001\u0002",
    "HTTP/2 \r\n\r\nx",
  ]) {
    const joined = join(wire, [3], [true]).toString("latin1");
    assert.equal(joined, wire);
  }
});
