import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { traceStart } from "../../../src/spark/logs/traceFrames.ts";

const warning = "26/11/28 01:17:46 WARN NativeCodeLoader: Unable to load native-hadoop library";

describe("the first line of a trace in a log record", () => {
  test("is the header of a Python trace, or the place of a syntax error", () => {
    const place = '  File "/opt/a.py", line 3';
    const error = "SyntaxError: invalid syntax";
    assert.equal(traceStart([warning, place, "    x = = 1", "        ^", error]), 1);
    assert.equal(traceStart([warning, "Traceback (most recent call last):", place, error]), 1);
    assert.equal(traceStart(["Traceback (most recent call last):", place, error]), 0);
  });

  test("is the record itself without a Python trace", () => {
    assert.equal(traceStart([warning, "\tat org.example.Main.main(Main.scala:3)"]), 0);
    assert.equal(traceStart([]), 0);
  });
});
