import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { wholeCommandsIn } from "../../../src/spark/surfaces/wholeOfCommand.ts";

/** Returns the settings of the only complete command as `key = value`, with the marked text if it differs. */
function settings(text: string): readonly string[] | undefined {
  const [whole, ...others] = wholeCommandsIn(text);
  assert.deepEqual(others, []);
  return whole?.entries.map(({ key, value, valueSpan: { start, end } }) => {
    const marked = text.slice(start, end);
    return `${key} = ${value}${marked === value ? "" : ` "${marked}"`}`;
  });
}

describe("a complete command", () => {
  test("has the value of an option in the next word or after an equals sign", () => {
    assert.deepEqual(settings("spark-submit --executor-memory 4g a.py"), [
      "spark.executor.memory = 4g",
    ]);
    assert.deepEqual(settings("spark-submit --executor-memory=4g a.py"), [
      "spark.executor.memory = 4g",
    ]);
  });

  test("marks the value, not an equal text in the option's name", () => {
    const text = "spark-submit --queue=queue a.py";
    const [entry] = wholeCommandsIn(text)[0]?.entries ?? [];
    assert.equal(entry?.valueSpan.start, text.indexOf("=queue") + 1);
  });

  test("marks the value inside quotes", () => {
    assert.deepEqual(settings('spark-submit --executor-memory "4g" a.py'), [
      "spark.executor.memory = 4g",
    ]);
  });

  test("omits a setting whose value is empty or not literal", () => {
    assert.deepEqual(settings('spark-submit --executor-memory "" a.py'), []);
    assert.deepEqual(settings('spark-submit --executor-memory "$MEMORY" a.py'), []);
    assert.deepEqual(settings('spark-submit --executor-memory "4${UNIT}4" a.py'), []);
  });

  test("has an unknown value for a placeholder in braces", () => {
    assert.deepEqual(settings("spark-submit --executor-memory {memory} a.py"), [
      'spark.executor.memory = ${} "{memory}"',
    ]);
  });

  test("has the empty place after a switch", () => {
    assert.deepEqual(settings("spark-submit --supervise a.py"), [
      'spark.driver.supervise = true ""',
    ]);
  });

  for (const words of [
    "$OPTIONS a.py",
    "... a.py",
    "… a.py",
    "[options] a.py",
    "--name [name] a.py",
    "a.txt",
    "",
  ]) {
    test(`is not "spark-submit ${words}"`, () => {
      assert.equal(settings(`spark-submit ${words}`), undefined);
    });
  }

  for (const resource of ["a.jar", "a.R", "a.zip", "spark-shell", "sparkr-shell", "$DIR/a.py"]) {
    test(`is "spark-submit ${resource}"`, () => {
      assert.deepEqual(settings(`spark-submit ${resource}`), []);
    });
  }
});
