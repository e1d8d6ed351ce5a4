import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { editProfile } from "../../../../src/spark/submit/profile/editProfile.ts";

const commented = `// Our tasks
{
    "version": "2.0.0", // keep
    "tasks": [
        { "type": "shell",   "label": "odd   spacing", "command": "true" }, /* keep */
        {
            "type": "spark",
            "label": "orders", // the nightly run
            "application": "local:///orders.py",
            "serviceAccount": "default",
            "packages": ["a:b:1"],
            "conf": {
                "spark.executor.memory": "1g"
            },
            "contexts": {
                "prod": { "conf": { "spark.executor.memory": "4g" } }
            }
        },
        {
            "type": "spark",
            "label": "other",
            "application": "local:///other.py",
            "serviceAccount": "default"
        }
    ]
}
`;

const set = (key: string, value: string) => ({ key, isMember: false, value });

/** Returns the changed lines: removed ones with `-`, added ones with `+`. */
function changed(before: string, after: string | undefined): readonly string[] {
  const [old, edited] = [before.split("\n"), (after ?? "").split("\n")];
  return [
    ...old.filter((line) => !edited.includes(line)).map((line) => `- ${line.trim()}`),
    ...edited.filter((line) => !old.includes(line)).map((line) => `+ ${line.trim()}`),
  ];
}

describe("editing a run profile in tasks.json", () => {
  test("changes a conf value, and no other line", () => {
    const edited = editProfile(commented, "orders", undefined, [
      set("spark.executor.memory", "2g"),
    ]);
    assert.deepEqual(changed(commented, edited), [
      '- "spark.executor.memory": "1g"',
      '+ "spark.executor.memory": "2g"',
    ]);
  });

  test("changes the value of the context that the run had", () => {
    const edited = editProfile(commented, "orders", "prod", [set("spark.executor.memory", "8g")]);
    assert.match(edited ?? "", /"prod": \{ "conf": \{ "spark.executor.memory": "8g" \} \}/);
    assert.match(edited ?? "", /"spark.executor.memory": "1g"/);
  });

  test("changes the profile's own value if the context does not override it", () => {
    const edited = editProfile(commented, "orders", "dev", [set("spark.executor.memory", "2g")]);
    assert.match(edited ?? "", /"spark.executor.memory": "2g"/);
    assert.match(edited ?? "", /"spark.executor.memory": "4g"/);
  });

  test("writes a key that has a member of its own to the member, in this profile only", () => {
    const key = "spark.kubernetes.authenticate.driver.serviceAccountName";
    const edited = editProfile(commented, "orders", undefined, [set(key, "spark")]) ?? "";
    assert.deepEqual(changed(commented, edited), [
      '- "serviceAccount": "default",',
      '+ "serviceAccount": "spark",',
    ]);
    assert.equal(edited.match(/"serviceAccount": "default"/g)?.length, 1);
    assert.ok(!edited.includes(key));
  });

  test("adds a conf entry to a profile without conf", () => {
    const edited = editProfile(commented, "other", undefined, [set("spark.executor.memory", "2g")]);
    assert.deepEqual(
      changed(commented, edited).filter((line) => line.startsWith("+")),
      ['+ "spark.executor.memory": "2g"'],
    );
  });

  test("splits the value of a list member", () => {
    const edited = editProfile(commented, "orders", undefined, [
      set("spark.jars.packages", "a:b:1,c:d:2"),
    ]);
    assert.match(edited ?? "", /"packages": \[\s*"a:b:1",\s*"c:d:2"\s*\]/);
  });

  test("removes an entry, and keeps the rest", () => {
    const edited = editProfile(commented, "orders", undefined, [
      {
        key: "spark.kubernetes.authenticate.driver.serviceAccountName",
        isMember: false,
        value: undefined,
      },
    ]);
    assert.deepEqual(changed(commented, edited), ['- "serviceAccount": "default",']);
    assert.equal(edited?.split("\n").length, commented.split("\n").length - 1);
  });

  test("sets a member that is no conf key", () => {
    const edited = editProfile(commented, "other", undefined, [
      { key: "pythonPackages", isMember: true, value: "send" },
    ]);
    assert.deepEqual(
      changed(commented, edited).filter((line) => line.startsWith("+")),
      ['+ "pythonPackages": "send"'],
    );
  });

  test("keeps tabs and CRLF", () => {
    const text = commented.replaceAll("    ", "\t").replaceAll("\n", "\r\n");
    const edited = editProfile(text, "orders", undefined, [set("spark.driver.memory", "2g")]) ?? "";
    assert.match(edited, /\r\n\t{4}"spark.driver.memory": "2g"/);
    assert.doesNotMatch(edited, /[^\r]\n/);
  });

  test("returns undefined for an unknown profile", () => {
    assert.equal(editProfile(commented, "gone", undefined, [set("spark.a", "1")]), undefined);
  });
});
