import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { readSurface } from "../../../src/spark/surfaces/surfaces.ts";
import type { Surface } from "../../../src/spark/surfaces/surfaces.ts";

const surfaces: readonly Surface[] = [
  "properties",
  "manifest",
  "command",
  "python",
  "scala",
  "java",
  "profiles",
];

const piece = fc.oneof(
  fc.constantFrom(
    ...["spark.a", "spark.executor.memory", "--conf ", "-c ", "--executor-memory ", "spark-submit"],
    ...[
      '"',
      "'",
      '"""',
      "\\",
      "\n",
      "`",
      "$",
      "${",
      "$(",
      "}",
      ")",
      "{{",
      "}}",
      "(",
      "[",
      "{",
      "]",
    ],
    ...[
      ".config(",
      ".set(",
      "conf = {",
      "Map(",
      " -> ",
      ": ",
      ", ",
      "=",
      "- ",
      "#",
      "//",
      "/*",
      "*/",
    ],
    ...['{"tasks":[{"type":"spark","conf":{', '"spark.a":'],
    ...["sparkConf:", "\n  ", "f", "s", "4g", "1", "true", "---", "é", "\u{1f4a5}"],
  ),
  fc.string({ maxLength: 5 }),
);

for (const surface of surfaces) {
  test(`any text gives settings that stand inside it (${surface})`, () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const text = pieces.join("");
        for (const { entries, findings } of readSurface(text, surface)) {
          const spans = entries.flatMap(({ keySpan, valueSpan }) => [keySpan, valueSpan]);
          for (const { start, end } of [...spans, ...findings.map(({ span }) => span)]) {
            assert.ok(0 <= start && start <= end && end <= text.length, `${start} to ${end}`);
          }
        }
      }),
      { numRuns: 3_000 },
    );
  });
}
