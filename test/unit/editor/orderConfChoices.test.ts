import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { orderConfChoices } from "../../../src/editor/submit/orderConfChoices.ts";

const none = { label: "No configuration file", value: "" };
const files = ["/w/conf/messy.conf", "/w/conf/prod.conf", "/w/conf/spark-defaults.conf"].map(
  (value) => ({ label: value, value }),
);
const order = (
  among: typeof files,
  { called, last }: { readonly called?: string; readonly last?: string } = {},
): readonly string[] =>
  orderConfChoices(among, none, { called, last }).map(({ value }) => value.replace("/w/conf/", ""));

describe("the choices of a configuration file", () => {
  test("begin with spark-defaults.conf if there is no previous answer", () => {
    assert.deepEqual(order(files), ["spark-defaults.conf", "", "messy.conf", "prod.conf"]);
  });

  test("begin with no file if no file has Spark's name", () => {
    assert.deepEqual(order(files.slice(0, 2)), ["", "messy.conf", "prod.conf"]);
  });

  test("begin with the previous answer, also if it was no file", () => {
    assert.equal(order(files, { last: "/w/conf/prod.conf" })[0], "prod.conf");
    assert.equal(order(files, { last: "" })[0], "");
  });

  test("begin with the file that the command was called on", () => {
    const called = "/w/conf/messy.conf";
    assert.deepEqual(order(files, { called, last: "/w/conf/prod.conf" }).slice(0, 2), [
      "messy.conf",
      "prod.conf",
    ]);
  });
});
