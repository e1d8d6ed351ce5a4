import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { compileLinear, maxPatternLength } from "../../../src/base/linearPattern.ts";

const isFoundIn = (source: string, text: string): boolean | string => {
  const compiled = compileLinear(source, { for: "text" });
  return compiled.ok ? compiled.value.test(text) : compiled.error.kind;
};

describe("linear patterns", () => {
  test("agrees with JavaScript on syntax that both engines support", () => {
    const sources = ["a+b", "^a|b$", "(?:ab)*c", "[^a-c]d", String.raw`\bab\b`, "a{2,3}$", "."];
    const texts = ["", "ab", "aab", "abab c", "xd", "cd", "aaa", "ab\n", "\n", "ä ab é"];
    for (const source of sources) {
      for (const text of texts) {
        assert.equal(
          isFoundIn(source, text),
          new RegExp(source).test(text),
          `${source} in ${text}`,
        );
      }
    }
  });

  test("refuses syntax that RE2 does not support", () => {
    for (const source of [
      "(?=a)",
      "(?!a)",
      "(?<!a)b",
      String.raw`(a)\1`,
      "a++",
      "(?>a)",
      "(",
      "[b-a]",
    ])
      assert.equal(isFoundIn(source, "a"), "syntax", source);
  });

  test("refuses patterns that are too long, too large or need too many states", () => {
    assert.equal(isFoundIn("a".repeat(maxPatternLength + 1), ""), "size");
    assert.equal(isFoundIn("(?:ab{300}){3}", ""), "size");
    assert.equal(isFoundIn("a[ab]{300}$", ""), "size");
  });

  test("accepts as many states as typical user patterns need", () => {
    const words =
      "secret|password|passphrase|private[._-]?key|api[._-]?key|token|credential|sas|jwt";
    assert.equal(isFoundIn(`(?i)(?:^|[._-])(?:${words})$`, "my.Api-Key"), true);
    assert.equal(isFoundIn("^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$", "etl-daily"), true);
  });

  test("supports lookbehind in a pattern for names, and a name that is too long matches", () => {
    const compiled = compileLinear("(?<!non)prod", { for: "name", ignoresCase: true });
    assert.ok(compiled.ok);
    assert.equal(compiled.value.test("nonPROD"), false);
    assert.equal(compiled.value.test("PROD"), true);
    assert.equal(compiled.value.test("x".repeat(501)), true);
  });
});

describe("matching time", () => {
  const scan = (text: string): number => {
    let sum = 0;
    for (let at = 0; at < text.length; at += 1) sum = (sum * 31 + text.charCodeAt(at)) | 0;
    return sum;
  };
  let kept = 0;
  const timeOf = (work: () => unknown): number => {
    const start = process.cpuUsage().user;
    kept += Number(work());
    return process.cpuUsage().user - start;
  };
  // The first run warms up the JIT compiler. The fastest of the other three has the least interference.
  const least = (work: () => unknown): number =>
    Math.min(...[0, 1, 2, 3].map(() => timeOf(work)).slice(1));

  const maxRatio = 100;
  const length = 1_000_000;

  const hostile: readonly (readonly [string, string])[] = [
    ["(a+)+$", "a"],
    ["(a|a)*b", "a"],
    ["(a*)*(b*)*c", "ab"],
    [String.raw`(\w+\s?)+$`, "a "],
    ["(x+x+)+y", "x"],
    ["a[ab]{7}$", "ab"],
    ["(?:a?){50}a{50}b", "a"],
    ["(.*a){20}$", "ab"],
    [String.raw`\b(?:a|ab|b)+\b!`, "ab"],
  ];
  for (const [source, letters] of hostile) {
    test(`${source} stays near a plain scan for a line of a million characters`, () => {
      const compiled = compileLinear(source, { for: "text" });
      assert.ok(compiled.ok);
      const text = scrambled(letters, length);
      const ratio =
        least(() => compiled.value.test(text)) /
        Math.max(
          1_000,
          least(() => scan(text)),
        );
      assert.ok(ratio < maxRatio, `${ratio.toFixed(1)} times a scan`);
    });
  }

  test("any accepted pattern stays near a plain scan", () => {
    const atom = fc.constantFrom(
      "a",
      "b",
      "[ab]",
      ".",
      "(?:a|b)",
      "(?:a|ab)",
      String.raw`\w`,
      "^",
      "$",
      String.raw`\b`,
    );
    const quantifier = fc.constantFrom("", "*", "+", "?", "{3}", "{0,9}", "{20,}");
    const { pattern } = fc.letrec<{ pattern: string }>((tie) => ({
      pattern: fc.oneof(
        { depthSize: "small" },
        fc.tuple(atom, quantifier).map(([one, times]) => `(?:${one})${times}`),
        fc.tuple(tie("pattern"), tie("pattern")).map(([one, other]) => `${one}${other}`),
        fc.tuple(tie("pattern"), tie("pattern")).map(([one, other]) => `(?:${one}|${other})`),
        fc.tuple(tie("pattern"), quantifier).map(([one, times]) => `(?:${one})${times}`),
      ),
    }));
    const text = scrambled("ab", 200_000);
    const plain = Math.max(
      1_000,
      least(() => scan(text)),
    );
    fc.assert(
      fc.property(pattern, (source) => {
        const compiled = compileLinear(source, { for: "text" });
        if (!compiled.ok) return;
        const ratio = least(() => compiled.value.test(text)) / plain;
        assert.ok(ratio < maxRatio, `${source}: ${ratio.toFixed(1)} times a scan`);
      }),
      { numRuns: 150 },
    );
    assert.ok(Number.isFinite(kept));
  });
});

/** Returns letters in a pseudo-random order without a short period. */
function scrambled(letters: string, length: number): string {
  let state = 12_345;
  return Array.from({ length }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return letters.charAt((state >> 16) % letters.length);
  }).join("");
}
