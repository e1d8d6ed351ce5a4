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

test("finds spark tasks in a text with comments and trailing commas", () => {
  assert.deepEqual(
    profilesIn(text).map(({ label }) => label),
    ["orders"],
  );
  const workspace = `{ "folders": [], "tasks": { "version": "2.0.0", "tasks": [{ "type": "spark" }] } }`;
  assert.equal(profilesIn(workspace).length, 1);
});

test("reports problems of a half-typed profile at their place", () => {
  const found = profilesIn(text).flatMap((profile) =>
    judgeProfile(profile).map(({ code, origin }) => {
      const path = origin?.kind === "member" ? origin.path : [];
      const { start, end } = profile.spanOf(path, code === "E-81" ? "name" : "value");
      return `${code} ${text.slice(start, end)}`;
    }),
  );
  assert.deepEqual(found.sort(), ['E-80 "orders"', 'E-81 "aplication"', "E-82 3", 'E-83 "nobody"']);
});

test("returns the span of the parent for a missing member", () => {
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

test("gives spans inside the text for incomplete texts", () => {
  const counts: number[] = [];
  for (const broken of [
    "",
    "{",
    "[]",
    '{"tasks": {}}',
    "\u0000",
    '{"tasks": [1, null, {"type": "spark"',
    '{"tasks": [{"type": "spark", "conf": {"a": "b',
    '{"tasks": [{"type": "spark", "conf": {"a": /* x',
  ]) {
    const profiles = profilesIn(broken);
    counts.push(profiles.length);
    for (const profile of profiles) {
      const spans = [
        profile.span,
        profile.spanOf(["conf", "a"], "name"),
        profile.spanOf(["conf", "a"], "value"),
        ...profile.conf.flatMap(({ keySpan, valueSpan }) => [keySpan, valueSpan]),
      ];
      for (const { start, end } of spans) {
        assert.ok(0 <= start && start <= end && end <= broken.length, `${broken} ${start} ${end}`);
      }
    }
  }
  assert.deepEqual(counts, [0, 0, 0, 0, 0, 1, 1, 1]);
});
