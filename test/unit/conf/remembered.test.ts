import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { openConf } from "../../../src/editor/conf/door.ts";

const call = fc.record({
  key: fc.constantFrom(
    "spark.executor.memory",
    "spark.executor.cores",
    "spark.exeutor.cores",
    "x.y",
  ),
  value: fc.constantFrom("1g", "1Gi", "two", "${X}", "0"),
  before: fc.constantFrom("", "  ", "# comment\n", "x = 1\n"),
});

test("what was judged before gives the same findings in a changed text as in a new one", () => {
  const lasting = openConf();
  const texts = fc
    .array(call, { maxLength: 8 })
    .map((calls) =>
      calls.map(({ key, value, before }) => `${before}conf.set("${key}", "${value}")\n`).join(""),
    );
  fc.assert(
    fc.property(texts, (text) => {
      const fresh = openConf().diagnose(text, "python", "4.1");
      assert.deepEqual(lasting.diagnose(text, "python", "4.1"), fresh);
    }),
    { numRuns: 200 },
  );
});

test("a line that nobody writes is passed over, and those around it are judged", () => {
  const found = openConf().diagnose(
    `conf.set("spark.executor.cores", "x")\n${"{".repeat(100_000)}\nconf.set("spark.executor.memory", "y")\n`,
    "python",
    "4.3",
  );
  assert.equal(found.length, 2);
});
