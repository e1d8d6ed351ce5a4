import assert from "node:assert/strict";
import { test } from "node:test";
import { inEnglish, msg, type Message } from "../../../src/base/message.ts";
import { lastLineWords } from "../../../src/editor/submit/lastLineWords.ts";

const words = (id: string, fact: Message): string =>
  inEnglish(lastLineWords("failed: exit code 101", { id, fact }));

test("the last line of a failed run names the cause, and the exit code once", () => {
  assert.equal(
    words("D19", msg("main class not found, exit code 101")),
    "failed: main class not found, exit code 101",
  );
  assert.equal(
    words("D106", msg("not found: in.csv")),
    "failed: exit code 101 · not found: in.csv",
  );
});

test("a rule that knows only the exit code adds nothing", () => {
  for (const id of ["D12", "D103"]) {
    assert.equal(words(id, msg("failed, exit code 101")), "failed: exit code 101");
  }
  assert.equal(inEnglish(lastLineWords("failed: exit code 3", undefined)), "failed: exit code 3");
});
