import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { insertProfile } from "../../../../src/spark/submit/profile/insertProfile.ts";

const task = { type: "spark", label: "orders", application: "local:///orders.py" };

const commented = `// Our tasks
{
    "version": "2.0.0", // keep
    "tasks": [
        { "type": "shell",   "label": "odd   spacing", "command": "true" }, /* last */
    ],
    "inputs": [
        { "id": "date", "type": "promptString", "description": "Date" }
    ]
}
`;

/** Returns the lines of a text that the other text lacks, in order. */
const without = (text: string, other: string): readonly string[] => {
  const lines = other.split("\n");
  return text.split("\n").filter((line) => !lines.includes(line));
};

describe("adding a run profile to tasks.json", () => {
  test("keeps comments and spacing of all other lines", () => {
    const added = insertProfile(commented, task, []);
    assert.ok(added);
    assert.deepEqual(without(commented, added.text), []);
    assert.match(added.text, /\n {12}"label": "orders"/);
  });

  test("gives the place of the new profile", () => {
    const added = insertProfile(commented, task, []);
    assert.ok(added);
    assert.deepEqual(JSON.parse(added.text.slice(added.span.start, added.span.end)), task);
  });

  test("adds an input once", () => {
    const inputs = [{ id: "date" }, { id: "count" }];
    const added = insertProfile(commented, task, inputs);
    assert.ok(added);
    assert.equal(added.text.match(/"id"/g)?.length, 2);
    assert.match(added.text, /"id": "count"/);
    const comma = '        { "id": "date", "type": "promptString", "description": "Date" },';
    assert.deepEqual(
      without(added.text, commented).filter((line) => line.includes("date")),
      [comma],
    );
  });

  test("creates a missing file, list or version", () => {
    for (const text of ["", "  \n", "{}", '{ "version": "2.0.0" }']) {
      const added = insertProfile(text, task, [{ id: "date" }]);
      assert.ok(added, text);
      const { tasks, inputs } = JSON.parse(added.text) as Record<string, unknown>;
      assert.deepEqual([tasks, inputs], [[task], [{ id: "date" }]]);
    }
  });

  test("uses tabs and line ends of the file", () => {
    const added = insertProfile('{\r\n\t"tasks": []\r\n}', task, []);
    assert.ok(added);
    assert.match(added.text, /\r\n\t\t\t"label"/);
    assert.doesNotMatch(added.text, /[^\r]\n/);
  });

  test("refuses a text that is no object", () => {
    for (const text of ["[]", "7", "{{", '"a"', '{ "tasks": {} }', "{ /* open"]) {
      assert.equal(insertProfile(text, task, []), undefined, text);
    }
  });

  test("adds the missing comma in front of a trailing comment", () => {
    const added = insertProfile('{ "tasks": [\n  {} // first\n] }', task, []);
    assert.ok(added);
    assert.match(added.text, /^\{ "tasks": \[\n {2}\{\}, \/\/ first\n {2}\{\n/);
    assert.match(added.text, /\n {2}\}\n\] \}$/);
  });

  test("changes only the end of a list on one line", () => {
    const added = insertProfile('{ "tasks": [{ "label": "a" }] }', task, []);
    assert.ok(added?.text.startsWith('{ "tasks": [{ "label": "a" },\n  {\n'), added?.text);
    assert.ok(added?.text.endsWith("}\n] }"), added?.text);
  });

  test("never throws", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...Array.from('{}[]",:/*\n tasks')) }),
        (text) => {
          insertProfile(text, task, [{ id: "a" }]);
        },
      ),
    );
  });
});
