import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ConfDetection } from "../../../src/editor/conf/confDetection.ts";

const uri = "file:///messy-defaults.conf";
const head = (): string => "spark.executor.memory 4g\n";

function detection(declined: readonly string[] = []) {
  const stored: (readonly string[])[] = [];
  const detected = new ConfDetection(declined, (all) => stored.push(all));
  return { detected, stored };
}

describe("an opened document", () => {
  test("gets the language of conf files if it holds Spark settings", () => {
    const { detected } = detection();
    for (const languageId of ["plaintext", "ini", "properties"]) {
      assert.equal(detected.opened({ uri, languageId, head }), true);
    }
    assert.equal(detected.opened({ uri, languageId: "properties", head: () => "a=b" }), false);
  });

  test("is not read if its language is another one", () => {
    const { detected } = detection();
    const unread = (): string => assert.fail("the text was read");
    assert.equal(detected.opened({ uri, languageId: "python", head: unread }), false);
    assert.equal(detected.opened({ uri, languageId: "spark-conf", head: unread }), false);
  });

  test("keeps the language that the user chooses instead, also in later windows", () => {
    const { detected, stored } = detection();
    detected.closed({ uri, languageId: "spark-conf" });
    assert.equal(detected.opened({ uri, languageId: "properties", head }), false);
    assert.deepEqual(stored, [[uri]]);
    assert.equal(detection([uri]).detected.opened({ uri, languageId: "ini", head }), false);
  });

  test("is detected again after the user has closed and reopened it", async () => {
    const { detected, stored } = detection();
    detected.closed({ uri, languageId: "spark-conf" });
    await Promise.resolve();
    assert.equal(detected.opened({ uri, languageId: "properties", head }), true);
    assert.deepEqual(stored, []);
  });

  test("is detected again after the user has chosen the language of conf files", () => {
    const { detected, stored } = detection([uri]);
    detected.closed({ uri, languageId: "properties" });
    assert.equal(detected.opened({ uri, languageId: "spark-conf", head }), false);
    assert.deepEqual(stored, [[]]);
    assert.equal(detected.opened({ uri, languageId: "properties", head }), true);
  });

  test("is forgotten after a hundred others", () => {
    const all = Array.from({ length: 100 }, (_, index) => `file:///${index}.conf`);
    const { detected, stored } = detection(all);
    detected.closed({ uri, languageId: "spark-conf" });
    detected.opened({ uri, languageId: "properties", head });
    assert.deepEqual(stored, [[...all.slice(1), uri]]);
  });
});
