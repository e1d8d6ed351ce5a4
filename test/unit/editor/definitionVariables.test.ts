import assert from "node:assert/strict";
import { test } from "node:test";
import {
  optionsOf,
  resolvedDefinition,
  secretVariablesIn,
} from "../../../src/editor/submit/definitionVariables.ts";
import { variablesIn } from "../../../src/spark/submit/profile/variables.ts";

const inputs = [
  { id: "day", type: "promptString", description: "Day", default: "today" },
  { id: "pass", type: "promptString", password: true },
  {
    id: "pick",
    type: "pickString",
    options: ["a", { label: "B", value: "b" }, { value: 7 }, {}, null],
  },
  { id: "run", type: "command" },
  "nonsense",
];

async function resolved(definition: object, answer: string | undefined = "monday") {
  const asked: string[] = [];
  const result = await resolvedDefinition(definition, {
    inputs,
    environment: { TEAM: "etl", DB_PASSWORD: "hunter2", EMPTY: "" },
    valueOf: ({ name, argument }) =>
      Promise.resolve(name === "config" ? `value of ${argument ?? ""}` : undefined),
    ask: (input) => {
      asked.push(input.id);
      return Promise.resolve(answer);
    },
  });
  return { ...result, asked };
}

test("fills in variables of the environment and of settings", async () => {
  const { definition, findings, secrets } = await resolved({
    a: "${env:TEAM}",
    b: "${config:team.image}",
    c: "${unknown}",
    d: "${env:DB_PASSWORD}",
    e: "${config:db.password}",
    f: "${env:EMPTY}",
  });
  assert.deepEqual(definition, {
    a: "etl",
    b: "value of team.image",
    c: "${unknown}",
    d: "hunter2",
    e: "value of db.password",
    f: "",
  });
  assert.deepEqual(findings, []);
  assert.deepEqual(secrets, ["hunter2", "value of db.password"]);
});

test("reports an unset variable of the environment", async () => {
  const { definition, findings } = await resolved({ a: "${env:NONE}" });
  assert.deepEqual(definition, { a: "" });
  assert.equal(findings?.length, 1);
});

test("asks for inputs, but for no password, and runs no command", async () => {
  const { definition, asked, answers, deferred, secrets } = await resolved({
    a: "${input:day}",
    b: "${input:pass}",
    c: "${input:run}",
    d: "${command:x.y}",
    e: "${input:none}",
    f: "${input:pick}",
  });
  assert.deepEqual(asked, ["day", "pick"]);
  assert.deepEqual(definition, {
    a: "monday",
    b: "hidden-input-1",
    c: "${input:run}",
    d: "${command:x.y}",
    e: "${input:none}",
    f: "monday",
  });
  assert.deepEqual(
    [...(answers ?? [])],
    [
      ["${input:day}", "monday"],
      ["${input:pick}", "monday"],
    ],
  );
  assert.deepEqual(deferred?.toSorted(), ["${command:x.y}", "${input:run}"]);
  assert.deepEqual(secrets, ["hidden-input-1"]);
});

test("ends if the user cancels", async () => {
  const result = await resolvedDefinition(
    { a: "${input:day}" },
    {
      ...{ inputs, environment: {}, valueOf: () => Promise.resolve(undefined) },
      ask: () => Promise.resolve(undefined),
    },
  );
  assert.equal(result, undefined);
});

test("an input has its choices, the default first", async () => {
  const found: (readonly unknown[])[] = [];
  await resolvedDefinition(
    { a: "${input:pick}" },
    {
      ...{ inputs, environment: {}, valueOf: () => Promise.resolve(undefined) },
      ask: (input) => {
        found.push(optionsOf({ ...input, default: "b" }));
        return Promise.resolve("b");
      },
    },
  );
  assert.deepEqual(found, [
    [
      { label: "B", value: "b" },
      { label: "a", value: "a" },
      { label: "7", value: "7" },
      { label: "", value: "" },
    ],
  ]);
});

test("password inputs and secret names are secret", () => {
  const isSecret = secretVariablesIn(inputs);
  const secrets = variablesIn({
    a: "${input:pass} ${input:day} ${env:DB_PASSWORD} ${env:TEAM} ${config:db.password} ${command:get.password} ${file}",
  })
    .filter(isSecret)
    .map(({ written }) => written);
  assert.deepEqual(secrets.toSorted(), [
    "${command:get.password}",
    "${config:db.password}",
    "${env:DB_PASSWORD}",
    "${input:pass}",
  ]);
  assert.equal(
    secretVariablesIn(undefined)(variablesIn({ a: "${input:pass}" })[0] as never),
    false,
  );
});
