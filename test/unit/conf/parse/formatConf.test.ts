import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { applyEdits } from "../../../../src/base/textEdit.ts";
import { formatConf, sortConf } from "../../../../src/spark/conf/parse/formatConf.ts";
import { parseProperties } from "../../../../src/spark/conf/parse/properties.ts";

const format = (text: string): string => applyEdits(text, formatConf(text));
const sort = (text: string): string => applyEdits(text, sortConf(text));

const pairs = (text: string): readonly (readonly [string, string])[] =>
  parseProperties(text).entries.map(({ key, value }) => [key, value] as const);

const anyConf = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...[
          "spark.a 1\n",
          "spark.b=2\n",
          "  spark.c : 3  \r\n",
          "# why\n",
          "\n",
          "spark.a\t=\t= 4\n",
        ],
        ...[
          "spark.long.key.of.many.parts x \\\n  y\n",
          "\\\n",
          "spark.d\\ e f\n",
          "! no\n",
          "spark.e\n",
        ],
        ...["spark.f   \\u0041\n", "{{ x }}\n", "\r", "\f", "spark.g", "=x\n", " ", "\\"],
      ),
      fc.string({ maxLength: 6 }),
    ),
    { maxLength: 25 },
  )
  .map((pieces) => pieces.join(""));

test("aligns values between empty lines, and keeps comments", () => {
  assert.equal(
    format("# memory\nspark.executor.memory=4g  \nspark.executor.cores 2\n\nspark.a = x y\n"),
    "# memory\nspark.executor.memory  4g\nspark.executor.cores   2\n\nspark.a  x y\n",
  );
});

test("keeps a line whose setting would change", () => {
  for (const line of ["spark.a == x", "spark.a x \\\n  y", "spark.a\\:b c", "spark.a = : b"]) {
    assert.equal(format(line), line);
  }
});

test("keeps an empty line between a bare carriage return and a line feed", () => {
  const text = "spark.d\\ e f\n!\r\f\nspark.a  1\n";
  assert.equal(format(text), text);
});

test("formatting never changes a setting, and is idempotent", () => {
  fc.assert(
    fc.property(anyConf, (text) => {
      const formatted = format(text);
      assert.deepEqual(pairs(formatted), pairs(text));
      assert.equal(format(formatted), formatted);
    }),
    { numRuns: 2_000 },
  );
});

test("settings are sorted between empty lines, each with the comment above it", () => {
  assert.equal(
    sort("# head\n\n# b is two\nspark.b 2\nspark.a 1\n# end\n\nspark.d 4\nspark.c 3"),
    "# head\n\nspark.a 1\n# b is two\nspark.b 2\n# end\n\nspark.c 3\nspark.d 4",
  );
});

test("sorting never changes effective values", () => {
  fc.assert(
    fc.property(anyConf, (text) => {
      const before = pairs(text);
      const after = pairs(sort(text));
      assert.deepEqual(new Map(after), new Map(before));
      assert.equal(after.length, before.length);
    }),
    { numRuns: 2_000 },
  );
});
