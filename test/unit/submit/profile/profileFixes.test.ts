import assert from "node:assert/strict";
import { test } from "node:test";
import { profileFixes } from "../../../../src/spark/submit/profile/profileFixes.ts";
import { judgeProfile, profilesIn } from "../../../../src/spark/submit/profile/profilesText.ts";

const profile = (members: string): string =>
  `{ "tasks": [{ "type": "spark", "label": "p", "application": "local:///a.py", // theirs
    ${members} }] }`;

/** Returns the text after a fix, with its remaining findings. */
function mend(text: string, title: string): readonly [text: string, codes: readonly string[]] {
  const fix = profileFixes(text).find(({ kind, text: word }) => `${kind} ${word}` === title);
  assert.ok(
    fix,
    profileFixes(text)
      .map(({ kind, text: word }) => `${kind} ${word}`)
      .join(),
  );
  const mended = fix.edits.reduce(
    (so, { span, text: word }) => so.slice(0, span.start) + word + so.slice(span.end),
    text,
  );
  return [
    mended,
    profilesIn(mended)
      .flatMap(judgeProfile)
      .map(({ code }) => code),
  ];
}

test("renames or removes an unknown member", () => {
  const text = profile('"imag": "spark:4.3.0", "args": []');
  assert.deepEqual(mend(text, "replace image"), [
    profile('"image": "spark:4.3.0", "args": []'),
    [],
  ]);
  const [without, codes] = mend(text, "remove imag");
  assert.ok(!without.includes("imag") && without.includes("// theirs"));
  assert.deepEqual(codes, []);
});

test("replaces an invalid choice by a valid one", () => {
  const text = profile('"follow": "drivers"');
  assert.deepEqual(mend(text, "replace all"), [profile('"follow": "all"'), []]);
});

test("removes an entry without effect and keeps the others", () => {
  const text = profile(
    '"image": "a:4.3.0", "conf": { "spark.kubernetes.container.image": "b", "spark.x": "1" }',
  );
  const [mended, codes] = mend(text, "remove spark.kubernetes.container.image");
  assert.deepEqual(codes, []);
  assert.match(mended, /"conf": \{\s*"spark\.x": "1"\s*\}/);
});

test("removes only the comma with a member", () => {
  const remove = (members: string): string => mend(profile(members), "remove zzzzzzzz")[0];
  const mine = '"zzzzzzzz": { "a": [1] }';
  assert.equal(
    remove(`"args": [], // mine\n${mine} // too\n`),
    profile('"args": [] // mine\n// too\n'),
  );
  assert.equal(remove(`${mine} /* a */ , "args": []`), profile('/* a */  "args": []'));
  assert.equal(
    remove(`"args": [],\n    ${mine},\n    "env": {}`),
    profile('"args": [],\n    "env": {}'),
  );
  assert.equal(remove(`"args": [],\n    ${mine}\n`), profile('"args": []\n'));
});
