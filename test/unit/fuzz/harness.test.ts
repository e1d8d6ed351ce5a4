import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { growthProblem } from "../../fuzz/growth.ts";
import { readSeedFile, seedFileOf, type FuzzInput } from "../../fuzz/input.ts";
import { inputOf } from "../../fuzz/mutate.ts";
import type { FuzzTarget } from "../../fuzz/target.ts";
import { targetNamed, targetNames } from "../../fuzz/targets/targets.ts";

const targetWith = (
  check: (text: string) => void,
  form: "text" | "bytes" = "text",
): FuzzTarget => ({
  name: "planted",
  form,
  corpus: ['{"a":[1,"b"]}', "plain text"],
  words: ["word"],
  maxLength: 65_536,
  check,
});

const growing: FuzzInput = {
  kind: "growth",
  before: "",
  piece: "a",
  middle: "",
  closing: "",
  after: "",
};

describe("the fuzzer", () => {
  test("makes the same input for the same seed and number, and others for others", () => {
    const target = targetWith(() => undefined);
    const inputs = (seed: number): readonly string[] =>
      Array.from({ length: 50 }, (_, number) => JSON.stringify(inputOf(target, seed, number)));
    assert.deepEqual(inputs(1), inputs(1));
    assert.notDeepEqual(inputs(1), inputs(2));
    assert.ok(new Set(inputs(1)).size > 30);
  });

  test("gives bytes to targets that read bytes, and texts that are not too long", () => {
    for (const form of ["text", "bytes"] as const) {
      const target = targetWith(() => undefined, form);
      for (let number = 0; number < 500; number += 1) {
        const input = inputOf(target, 3, number);
        if (input.kind === "growth") continue;
        assert.ok(input.text.length <= target.maxLength);
        if (form === "bytes")
          assert.equal(Buffer.from(input.text, "latin1").toString("latin1"), input.text);
      }
    }
  });

  test("finds time that grows with the square of the length", () => {
    const quadratic = targetWith((text) => {
      let sum = 0;
      for (let a = 0; a < text.length; a += 1) {
        for (let b = 0; b < text.length; b += 4) sum ^= a + b;
      }
      assert.ok(sum >= 0 || sum < 0);
    });
    assert.match(growthProblem(quadratic, growing) ?? "", /times as long as/);
  });

  test("lets time pass that is long and grows with the length", () => {
    const linear = targetWith((text) => {
      let sum = 0;
      for (let a = 0; a < text.length * 5_000; a += 1) sum ^= a;
      assert.ok(sum >= 0 || sum < 0);
    });
    assert.equal(growthProblem(linear, growing), undefined);
  });

  test("keeps inputs in files that give the same inputs again", () => {
    const inputs = [
      [targetWith(() => undefined), { kind: "text", text: "a\n\u{1f4a5}" }],
      [targetWith(() => undefined), { kind: "text", text: "half \ud83d" }],
      [targetWith(() => undefined, "bytes"), { kind: "text", text: "\u00ff\u0000" }],
      [targetWith(() => undefined), growing],
    ] as const;
    for (const [target, input] of inputs) {
      const { name, content } = seedFileOf(target, input);
      assert.deepEqual(readSeedFile(name, content), input);
    }
  });
});

test("each fuzz target takes its own valid inputs", () => {
  for (const name of targetNames) {
    const { check, corpus } = targetNamed(name);
    for (const text of corpus) check(text);
  }
});
