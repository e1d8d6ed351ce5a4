import assert from "node:assert/strict";
import { test } from "node:test";
import { redaction } from "../../../../src/spark/redact.ts";
import {
  missingSecrets,
  putBackInText,
  putBackSecrets,
  takeOutOfText,
  takeOutSecrets,
} from "../../../../src/spark/submit/profile/heldSecrets.ts";

const mask = (number: number): string => `${redaction}#${number}`;

test("names each missing secret by its first place", () => {
  const definition = {
    conf: { "spark.hadoop.fs.s3a.secret.key": mask(1), "spark.app.name": "etl" },
    arguments: ["--password", mask(2), `--dsn=postgres://u:${mask(3)}@h`, mask(4), "-v", "x"],
    environment: { TOKEN: `Bearer ${mask(5)}` },
    steps: [{ note: mask(1) }],
  };
  assert.deepEqual(
    [...missingSecrets(definition)],
    [
      [1, "spark.hadoop.fs.s3a.secret.key"],
      [2, "--password"],
      [3, "--dsn=postgres://u:…@h"],
      [4, "…"],
      [5, "TOKEN Bearer …"],
    ],
  );
  assert.deepEqual([...missingSecrets({ arguments: "plain", count: 1 })], []);
});

test("puts secrets back where they were taken out, with the definition's own pattern", () => {
  const definition = {
    conf: {
      "spark.redaction.regex": "p[i]n|pass[w]ord",
      "spark.my.pin": "1234",
      "spark.my.token": "shown",
    },
    arguments: ["--password", "hunter2"],
    steps: ["a", { text: "password=hunter3" }],
    count: 2,
  };
  const { value, secrets } = takeOutSecrets(definition);
  assert.deepEqual(secrets, ["1234", "hunter2", "hunter3"]);
  assert.deepEqual(value, {
    conf: { ...definition.conf, "spark.my.pin": mask(1) },
    arguments: ["--password", mask(2)],
    steps: ["a", { text: `password=${mask(3)}` }],
    count: 2,
  });
  assert.deepEqual(putBackSecrets(value, secrets), definition);
});

test("keeps the number of a secret that is not at hand", () => {
  assert.equal(putBackInText(`a=${mask(1)} b=${mask(2)}`, ["x"]), `a=x b=${mask(2)}`);
});

test("fills in a secret that contains the number of another one", () => {
  assert.equal(putBackInText(mask(1), [`x${mask(2)}`, "y"]), "xy");
  // The replacement must end even if two secrets contain each other's number.
  assert.ok(putBackInText(mask(1), [mask(2), mask(1)]).includes(redaction));
});

test("takes the secret out of an answer", () => {
  assert.deepEqual(takeOutOfText("--token=abc123def"), {
    value: `--token=${mask(1)}`,
    secrets: ["abc123def"],
  });
});
