import assert from "node:assert/strict";
import { test } from "node:test";
import { judgeProfile, profilesIn } from "../../../../src/spark/submit/profile/profilesText.ts";

const text = `{
  // the team's tasks
  "tasks": [
    { "type": "shell", "label": "build" },
    {
      "type": "spark", "label": "orders", "aplication": "local:///a.py",
      "args": ["--x", 3], "image": "spark:\${input:tag}",
      "conf": { "spark.executor.memory": "4gigs", },
      "contexts": { "prod": { "follow": "nobody" } },
    },
  ],
}`;

test("the tasks of the type are found in a text with comments and trailing commas", () => {
  assert.deepEqual(
    profilesIn(text).map(({ label }) => label),
    ["orders"],
  );
  const workspace = `{ "folders": [], "tasks": { "version": "2.0.0", "tasks": [{ "type": "spark" }] } }`;
  assert.equal(profilesIn(workspace).length, 1);
});

test("what is wrong with a profile while it is typed is at its place", () => {
  const found = profilesIn(text).flatMap((profile) =>
    judgeProfile(profile).map(({ code, origin }) => {
      const path = origin?.kind === "member" ? origin.path : [];
      const { start, end } = profile.spanOf(path, code === "E-81" ? "name" : "value");
      return `${code} ${text.slice(start, end)}`;
    }),
  );
  assert.deepEqual(found.sort(), ['E-80 "orders"', 'E-81 "aplication"', "E-82 3", 'E-83 "nobody"']);
});

test("a member that is not there is looked for around it", () => {
  const [profile] = profilesIn(text);
  const at = (path: readonly string[]): string => {
    const { start, end } = profile?.spanOf(path, "value") ?? { start: 0, end: 0 };
    return text.slice(start, end);
  };
  assert.equal(at(["conf", "spark.executor.memory"]), '"4gigs"');
  assert.equal(at(["conf", "spark.none"]), '{ "spark.executor.memory": "4gigs", }');
  assert.equal(at(["jars", "0"]), '"orders"');
  assert.equal(at([]), '"orders"');
});

test("any text gives profiles or none", () => {
  for (const broken of [
    "",
    "{",
    "[]",
    '{"tasks": {}}',
    '{"tasks": [1, null, {"type": "spark"',
    "\u0000",
  ]) {
    for (const profile of profilesIn(broken)) profile.spanOf(["conf", "a"], "name");
  }
});
