import assert from "node:assert/strict";
import { test } from "node:test";
import { foldsOf, outlineOf } from "../../../../src/spark/conf/parse/outline.ts";

test("lists settings in text order, without possible secrets", () => {
  const items = outlineOf("# x\nspark.b 2\nspark.a.password hunter2\nspark.c\n");
  assert.deepEqual(
    items.map(({ key, value }) => [key, value]),
    [
      ["spark.b", "2"],
      ["spark.a.password", ""],
      ["spark.c", ""],
    ],
  );
});

test("comments, blocks and continued settings can be folded", () => {
  const text = "# a\n# b\nspark.a 1\n\nspark.b x \\\n  y\nspark.c 1\n\nspark.d 1\n";
  assert.deepEqual(
    foldsOf(text).map(
      ({ span, kind }) => `${kind} ${JSON.stringify(text.slice(span.start, span.end))}`,
    ),
    [
      'comment "# a\\n# b"',
      'region "# a\\n# b\\nspark.a 1"',
      'region "spark.b x \\\\\\n  y"',
      'region "spark.b x \\\\\\n  y\\nspark.c 1"',
    ],
  );
});
