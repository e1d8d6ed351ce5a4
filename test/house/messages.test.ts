import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { unshownTextsOf } from "./language.ts";
import { readSources, type Source } from "./sources.ts";

/** Folders and files below src/ in which each text for users is a message. */
const converted = [
  "spark/pods/",
  "spark/diagnosis/",
  "engine/submit/podWait.ts",
  "spark/submit/pasted/",
];

const faultsOf = (source: Source): readonly string[] =>
  unshownTextsOf(source).map(({ place, text }) => `${place} ${text}`);

describe("texts for users", () => {
  test("are messages, so that a translation reaches them", async () => {
    const sources = await readSources("src", ".ts");
    const faults = sources
      .filter(({ path }) => converted.some((start) => path.startsWith(`src/${start}`)))
      .flatMap(faultsOf);
    assert.deepEqual(faults, [], "use msg of src/base/message.ts");
  });

  test("are found outside of messages, and in their values", () => {
    const text = [
      'const a = "no free node";',
      "const b = `exit code ${code}`;",
      'const c = msg("no free node");',
      'const d = msg`${isHeld ? "held by a queue" : msg("no node yet")} now`;',
      'const e: "no such type" = fail(new Error("no such case"));',
      'if (says(told, "too many pods")) f("spark.executor.cores");',
    ].join("\n");
    assert.deepEqual(faultsOf({ path: "a.ts", text }), [
      "a.ts:1 no free node",
      "a.ts:2 exit code {}",
      "a.ts:4 held by a queue",
    ]);
  });
});
