import { inEnglish } from "../../../src/base/message.ts";
import assert from "node:assert/strict";
import { test } from "node:test";
import { readSurface } from "../../../src/spark/surfaces/surfaces.ts";
import { openConf } from "../../../src/editor/conf/door.ts";
import { checkSettings } from "./checkSettings.ts";

const tasks = `{
  // Those of the team.
  "version": "2.0.0",
  "tasks": [
    { "type": "shell", "conf": { "spark.executor.cores": "none" } },
    {
      "type": "spark",
      "label": "etl",
      "sparkVersion": "4.1",
      "conf": {
        "spark.executor.memory": "2Gi",
        "spark.executor.instances": 3,
        "spark.sql.ansi.enabled": true,
        "spark.kubernetes.namespace": "\${input:namespace}",
      },
    },
  ],
}
`;
const help = openConf();

test("reads the settings of run profiles, and of no other task", () => {
  checkSettings(
    "profiles",
    tasks,
    `
spark.executor.memory = 2Gi
spark.executor.instances = 3
spark.sql.ansi.enabled = true
spark.kubernetes.namespace = \${input:namespace}`,
  );
});

test("they are judged for the version that the profile names, inside of the quotes", () => {
  const found = help.diagnose(tasks, "profiles", "4.3");
  assert.deepEqual(
    found.map(({ span, severity }) => [tasks.slice(span.start, span.end), severity]),
    [["2Gi", "error"]],
  );
});

test("keys are proposed and explained in them", () => {
  const text = '{ "tasks": [{ "type": "spark", "conf": { "spark.executor.mem" } }] }';
  const offset = text.indexOf('mem"') + 3;
  const proposal = help
    .complete(text, "profiles", offset, "4.3")
    .find(({ label }) => label === "spark.executor.memory");
  assert.ok(proposal);
  assert.equal(text.slice(proposal.replaces.start, proposal.replaces.end), "spark.executor.mem");
  const hover = help.hover(tasks, "profiles", tasks.indexOf("2Gi"), "4.3");
  assert.match(
    hover?.paragraphs.map((paragraph) => inEnglish(paragraph)).join(" ") ?? "",
    /Heap of an executor/,
  );
});

test("keys are proposed where the quote behind is still missing", () => {
  const begun = tasks.replace('"spark.executor.memory": "2Gi",', '"spark.executor.memo');
  const offset = begun.indexOf("memo") + 4;
  const [proposal] = help
    .complete(begun, "profiles", offset, "4.3")
    .filter(({ label }) => label === "spark.executor.memory");
  assert.ok(proposal);
  assert.equal(begun.slice(proposal.replaces.start, proposal.replaces.end), "spark.executor.memo");
});

test("finds no settings in text that is not a tasks.json", () => {
  for (const text of [
    "",
    "[]",
    '{"tasks": {"spark": 1}}',
    '{"tasks":[{"type":"spark","conf":[1]}]}',
    '{"type":"spark"',
  ]) {
    assert.deepEqual(help.diagnose(text, "profiles", "4.3"), []);
  }
});

test("a value that breaks off in a comment ends with the text", () => {
  const text = '{"tasks":[{"type":"spark","conf":{{"tasks":[{"type":"spark","conf":{/*';
  const [entry] = readSurface(text, "profiles")[0]?.entries ?? [];
  assert.equal(entry?.valueSpan.end, text.length);
});
