// A network link that silently drops packets, in a network namespace of its own.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { NearReport } from "../contract/halfOpen/words.ts";

test("a lost link is noticed within 25 s, and each watch reconnects once", async () => {
  const near = fileURLToPath(import.meta.resolve("../contract/halfOpen/near.ts"));
  const words = ["--map-root-user", "--net", process.execPath, near];
  const { stdout } = await promisify(execFile)("unshare", words, { timeout: 120_000 });
  const { noticedMs, asked } = JSON.parse(stdout) as NearReport;
  assert.deepEqual(Object.keys(noticedMs), ["plain", "secure", "tunnel"]);
  for (const [way, ms] of Object.entries(noticedMs)) assert.ok(ms <= 25_000, `${way}: ${ms} ms`);
  assert.equal(asked.length, 3);
  assert.ok(asked.every((path) => path.includes("&resourceVersion=6")));
});
