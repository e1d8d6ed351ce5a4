import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { terminalText } from "../../../src/spark/logs/terminalText.ts";
import { assertLinearInText } from "../../linearTime.ts";

const escape = "\u001b";
const reset = `${escape}[0m`;

const check = (sentence: string, line: string, expected: string): void => {
  test(sentence, () => {
    assert.equal(terminalText(line), expected);
  });
};

check(
  "a plain line stays as it is",
  "26/01/02 INFO Main: 火花 ünïcode\tdone",
  "26/01/02 INFO Main: 火花 ünïcode\tdone",
);
check(
  "marks of direction and characters without width are taken out",
  "a\u200eb\u200fc\u061cd\u200be\u2060f\ufeffg\u202eh\u2069",
  "abcdefgh",
);
check("separators of lines and paragraphs become blanks", "a\u2028b\u2029c", "a b c");
check("joined characters stay joined", "👨\u200d👩 می\u200cخواهم", "👨\u200d👩 می\u200cخواهم");
check("an empty line stays empty", "", "");
check(
  "colours stay and end with the line",
  `${escape}[31mred${escape}[0m`,
  `${escape}[31mred${reset}${reset}`,
);
check("an open colour is closed", `${escape}[1;38;5;208mbold`, `${escape}[1;38;5;208mbold${reset}`);
check(
  "a true colour of any shade stays",
  `${escape}[38;2;8;5;6mx`,
  `${escape}[38;2;8;5;6mx${reset}`,
);
check("hidden text is shown", `${escape}[8msecret`, "secret");
check("cursor movements go", `a${escape}[2K${escape}[1A${escape}[10;10Hb`, "ab");
check("private modes go", `${escape}[?1049hx${escape}[>4;2m`, "x");
check("a title change goes", `${escape}]0;owned\u0007text`, "text");
check("writing to the clipboard goes", `${escape}]52;c;ZXZpbA==${escape}\\text`, "text");
check(
  "a link loses its target",
  `${escape}]8;;http://x.test\u0007click${escape}]8;;\u0007`,
  "click",
);
check("an open title change takes the rest of the line", `before${escape}]0;after`, "before");
check(
  "device control strings go",
  `${escape}P1$r0m${escape}\\text${escape}_app${escape}\\`,
  "text",
);
check("a short escape goes with its final character", `${escape}c${escape}(0${escape}#8x`, "x");
check("C1 controls go, with what they introduce", "a\u009b31mb\u009d0;t\u009cc\u0085d", "abcd");
check("a carriage return hides nothing", "rm -rf /\rharmless", "rm -rf / harmless");
check("backspace, bell, delete and NUL go", "a\bb\u0007c\u007fd\u0000e", "abcde");
check("text that is turned around shows its order", "a\u202eb\u2066c", "abc");
check("an escape at the end goes", `a${escape}`, "a");
check("a broken sequence does not shield what follows it", `${escape}[31${escape}[2Jx`, "x");

test("keeps no control characters except tabs and colors, and is idempotent", () => {
  const pieces = fc.oneof(
    fc.constantFrom(
      escape,
      "[",
      "]",
      "0",
      "31",
      ";",
      "m",
      "J",
      "\u0007",
      "\\",
      "\u009b",
      "\u009d",
      "P",
      "\r",
      "(",
      "?",
    ),
    fc.string({ maxLength: 3, unit: "binary" }),
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 20 }), (parts) => {
      const safe = terminalText(parts.join(""));
      const rest = safe.replaceAll(new RegExp(`${escape}\\[[0-9;]*m`, "g"), "");
      assert.doesNotMatch(rest, new RegExp("[\\u0000-\\u0008\\u000a-\\u001f\\u007f-\\u009f]"));
      assert.equal(terminalText(safe).replaceAll(reset, ""), safe.replaceAll(reset, ""));
    }),
    { numRuns: 1000 },
  );
});

test("a hostile line takes time proportional to its length", () => {
  for (const piece of [`${escape}[`, `${escape}]`, `${escape}(`, "\u009b", "1;"]) {
    assertLinearInText(piece, terminalText);
  }
});
