import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { kindOfFile } from "../../../src/spark/submit/arguments/fileKind.ts";
import { secretReferences } from "../../../src/spark/surfaces/fixes/secretReference.ts";

describe("the references to a Secret", () => {
  const shown = (key: string) =>
    secretReferences(key).map(({ key: reference, value }) => `${reference}=${value}`);
  const reference = (role: string, variable: string): string =>
    `spark.kubernetes.${role}.secretKeyRef.${variable}=spark-secrets:${variable}`;

  test("replace a variable of the role's environment", () => {
    assert.deepEqual(shown("spark.kubernetes.driverEnv.DB_PASSWORD"), [
      reference("driver", "DB_PASSWORD"),
    ]);
    assert.deepEqual(shown("spark.executorEnv.DB_PASSWORD"), [
      reference("executor", "DB_PASSWORD"),
    ]);
  });

  test("replace keys whose client also reads the environment, for both roles", () => {
    for (const [key, variable] of [
      ["spark.hadoop.fs.s3a.access.key", "AWS_ACCESS_KEY_ID"],
      ["spark.hadoop.fs.s3a.secret.key", "AWS_SECRET_ACCESS_KEY"],
      ["spark.hadoop.fs.s3a.session.token", "AWS_SESSION_TOKEN"],
    ] as const)
      assert.deepEqual(shown(key), [
        reference("driver", variable),
        reference("executor", variable),
      ]);
  });

  test("are none for other keys", () => {
    for (const key of ["spark.my.password", "spark.executorEnvX", "toString"])
      assert.deepEqual(shown(key), []);
  });
});

test("the file extension of a main resource determines its language", () => {
  const rows = {
    ...{
      "local:///a.py": "python",
      "a.R": "r",
      "a.r": "r",
      "a.jar": "java",
      "spark-internal": "java",
    },
    ...{ "a.PY": "java", "a.py.jar": "java", ".rb": "java", "": "java" },
  };
  for (const [resource, kind] of Object.entries(rows))
    assert.equal(kindOfFile(resource), kind, resource);
});
