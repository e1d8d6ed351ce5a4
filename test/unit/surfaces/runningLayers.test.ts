import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { inEnglish, msg } from "../../../src/base/message.ts";
import { redaction } from "../../../src/spark/redact.ts";
import { runningLayers } from "../../../src/spark/surfaces/effective/runningLayers.ts";

type Conf = Readonly<Record<string, string>>;

/** Returns the layers as `name: key=value`, with `*` for those set by the application's code. */
function layersOf(submitted: Conf, running: Conf): readonly string[] {
  const settings = Object.entries(submitted).map(([key, value]) => ({ key, value, line: 1 }));
  const layers = runningLayers(
    { name: msg("submitted"), isCode: false, settings },
    { name: msg("driver"), conf: new Map(Object.entries(running)) },
  );
  return layers.map(
    ({ name, isCode, settings: own }) =>
      `${inEnglish(name)}${isCode ? "*" : ""}: ${own.map(({ key, value }) => `${key}=${value}`).join(" ")}`,
  );
}

describe("the settings of a running driver", () => {
  test("are those of the submission, the additional ones and the changed ones", () => {
    assert.deepEqual(layersOf({ a: "1", b: "2" }, { a: "1", b: "3", c: "4" }), [
      "submitted: a=1 b=2",
      "driver: c=4",
      "driver, changed since*: b=3",
    ]);
  });

  test("leave out empty layers", () => {
    assert.deepEqual(layersOf({}, {}), []);
    assert.deepEqual(layersOf({ a: "1" }, { a: "1" }), ["submitted: a=1"]);
    assert.deepEqual(layersOf({}, { a: "1" }), ["driver: a=1"]);
  });

  test("are not changed if the driver hides the value", () => {
    assert.deepEqual(layersOf({ a: "1" }, { a: redaction }), ["submitted: a=1"]);
  });

  test("are not changed by the code if the driver only put options before them", () => {
    const key = "spark.driver.extraJavaOptions";
    assert.deepEqual(layersOf({ [key]: "-Da=b" }, { [key]: "--add-opens=x -Da=b" }), [
      `submitted: ${key}=-Da=b`,
      `driver: ${key}=--add-opens=x -Da=b`,
    ]);
    assert.deepEqual(layersOf({ [key]: "-Da=b" }, { [key]: "-Da=b -Dc=d" }), [
      `submitted: ${key}=-Da=b`,
      `driver, changed since*: ${key}=-Da=b -Dc=d`,
    ]);
    assert.deepEqual(layersOf({ a: "b" }, { a: "x b" }), [
      ...["submitted: a=b", "driver, changed since*: a=x b"],
    ]);
  });
});
