import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import {
  blockOfText,
  escapedMarkdown,
  lineOfText,
  textRules,
  visiblePath,
  withPlainTexts,
} from "../../../../src/editor/ui/plainText.ts";
import { inlineCode } from "../../../../src/spark/inlineCode.ts";
import { cpuTime } from "../../../linearTime.ts";
import { hostileTexts, longTexts } from "./hostileTexts.ts";
import { kindsIn, powersOf, readMarkdown, targetsIn, unseenIn } from "./parsers.ts";

const line = lineOfText(1_000);
const block = blockOfText(1_000);
const asRead = (text: string): string => text.replaceAll("\u2060", "");

describe("the parsers of the editor", () => {
  test("find links, icons and markup as VS Code does", () => {
    assert.deepEqual(powersOf("see [a](command:x)")[0], "link [a](command:x)");
    assert.ok(powersOf("$(flame)").includes("$(flame)"));
    assert.deepEqual(powersOf("a $(no icon) [b] (command:x)"), []);
    assert.equal(unseenIn("a\u202eb"), '"\u202e"');
    assert.equal(unseenIn("\ud83d"), "half a character");
    assert.ok(kindsIn("[a](command:x) <b>").has("link"));
    assert.deepEqual(targetsIn("https://evil.example"), ["https://evil.example"]);
  });
});

describe("a plain text", () => {
  test("is never a link or an icon, and has no invisible characters", () => {
    fc.assert(
      fc.property(hostileTexts, (text) => {
        for (const rule of Object.values(textRules)) {
          const shown = rule(text);
          assert.deepEqual(powersOf(shown), []);
          assert.equal(unseenIn(shown), undefined);
          assert.equal(rule(shown), shown, "a text that is treated twice is the same");
        }
        assert.ok(!line(text).includes("\n"));
      }),
    );
  });

  test("keeps its visible characters", () => {
    for (const text of ["[Show](command:x) $(flame)", "a \\$(b) ](c", "naïve 火花 👨‍👩‍👧 شكرا"]) {
      assert.equal(asRead(line(text)), text);
      assert.equal(asRead(block(`${text}\n${text}`)), `${text}\n${text}`);
    }
    assert.equal(line("pod-1 failed: exit code 137"), "pod-1 failed: exit code 137");
  });

  test("is cut to its limit, never inside a surrogate pair", () => {
    assert.equal(lineOfText(4)("abcd"), "abcd");
    assert.equal(lineOfText(4)("abcde"), "abc…");
    assert.equal(lineOfText(4)("ab👍c"), "ab…");
    assert.equal(lineOfText(4)("\u0000".repeat(100)), "…");
    fc.assert(
      fc.property(hostileTexts, fc.integer({ min: 1, max: 50 }), (text, limit) => {
        const shown = lineOfText(limit)(text);
        assert.ok(shown.length <= limit);
        assert.deepEqual(powersOf(shown), []);
        assert.equal(unseenIn(shown), undefined);
      }),
    );
  });

  test("of a megabyte is cheap", { timeout: 60_000 }, () => {
    const begin = cpuTime();
    for (const text of longTexts) {
      for (const rule of Object.values(textRules)) rule(text);
      escapedMarkdown(text);
      inlineCode(text);
    }
    assert.ok(cpuTime() - begin < 3_000);
  });

  test("shows line breaks of a line as blanks, and drops colors", () => {
    assert.equal(line("a\r\nb\tc\u2028d\u001b[31me\u001b[0m"), "a b c de");
    assert.equal(block("a\r\nb\n\n\n\nc\td"), "a\nb\n\nc d");
  });
});

describe("texts of an object", () => {
  test("are treated by their rules, and the rest is kept", () => {
    const item = { label: "$(a)", detail: "b", count: 3 };
    const plain = withPlainTexts(item, { label: textRules.label });
    assert.deepEqual(plain, { label: "$\u2060(a)", detail: "b", count: 3 });
    assert.equal(item.label, "$(a)");
  });

  test("that are plain already leave the object itself", () => {
    const item = { label: "a" };
    assert.equal(withPlainTexts(item, { label: textRules.label }), item);
  });
});

describe("a text in Markdown", () => {
  const allowed: readonly string[] = ["paragraph", "text", "escape", "br", "space"];

  test("is text alone", () => {
    fc.assert(
      fc.property(hostileTexts, (text) => {
        const markdown = escapedMarkdown(text);
        assert.deepEqual(
          [...kindsIn(markdown)].filter((kind) => !allowed.includes(kind)),
          [],
          markdown,
        );
        assert.deepEqual(powersOf(markdown), []);
      }),
      { numRuns: 500 },
    );
  });

  test("renders as written", () => {
    const texts = [
      "**a** _b_ `c` <d> &amp; [e](f) ![g](h) # i",
      "- a\n- b\n    c",
      "https://example.org www.example.org a@example.org",
    ];
    for (const text of texts) {
      const read = asRead(readMarkdown(escapedMarkdown(text))).replaceAll("\u00a0", " ");
      assert.equal(read, text);
    }
  });

  test("as code in a sentence does not end the code", () => {
    fc.assert(
      fc.property(hostileTexts, (text) => {
        const sentence = `Overrides ${inlineCode(text)}, which is set elsewhere.`;
        const others = [...kindsIn(sentence)].filter(
          (kind) => !["paragraph", "text", "codespan"].includes(kind),
        );
        assert.deepEqual(others, [], sentence);
      }),
      { numRuns: 500 },
    );
    assert.equal(inlineCode("a`b\nc"), "`a'b c`");
  });
});

describe("the path of a document", () => {
  test("shows invisible characters, and keeps different names distinct", () => {
    assert.equal(visiblePath("/etl/pi driver.yaml"), "/etl/pi driver.yaml");
    assert.equal(visiblePath("/a\u202eb\n"), "/a%E2%80%AEb%0A");
    assert.equal(visiblePath("/\ud83d"), "/\ufffd");
    fc.assert(
      fc.property(hostileTexts, (text) => {
        assert.equal(unseenIn(visiblePath(text).replaceAll("\n", "\u0000")), undefined);
        assert.equal(visiblePath(visiblePath(text)), visiblePath(text));
      }),
    );
  });
});
