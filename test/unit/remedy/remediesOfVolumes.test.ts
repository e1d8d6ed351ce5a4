import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { inEnglish, verbatim } from "../../../src/base/message.ts";
import type { Diagnosis } from "../../../src/spark/diagnosis/diagnosis.ts";
import { remediesOf } from "../../../src/spark/remedy/remedies.ts";

function titlesOf(
  diagnosis: Partial<Diagnosis>,
  conf: Readonly<Record<string, string>> = {},
): readonly (string | undefined)[] {
  const words = verbatim("");
  return remediesOf(
    {
      id: "D113",
      fact: words,
      what: words,
      change: undefined,
      keys: [],
      told: undefined,
      ...diagnosis,
    },
    {
      ...{ role: "executor", namespace: "dev", minor: "4.3", node: undefined },
      conf: new Map(Object.entries(conf)),
      ableAccounts: undefined,
    },
  ).map(({ title }) => inEnglish(title));
}

describe("the fixes", () => {
  test("of a missing shuffle service disable it and track shuffle data", () => {
    assert.deepEqual(titlesOf({ logKind: "shuffleService" }), [
      "Set spark.shuffle.service.enabled to false",
    ]);
  });

  test("of a volume that is not created open its storage class", () => {
    const key = "spark.kubernetes.executor.volumes.persistentVolumeClaim.data.options.storageClass";
    assert.deepEqual(titlesOf({ id: "D74" }, { [key]: "fast" }), [`Open the Setting ${key}`]);
  });

  test("of a set whose pods exceed a quota are those of the quota", () => {
    assert.deepEqual(
      titlesOf(
        { id: "D78", told: "create Pod x in StatefulSet y failed error: exceeded quota: team-a" },
        { "spark.executor.instances": "8" },
      ),
      ["Set spark.executor.instances to 4", "Read and raise the quota, as an administrator"],
    );
  });

  test("of a driver that waits for volume claims remove the wait", () => {
    const key = "spark.kubernetes.driver.waitToReusePersistentVolumeClaim";
    assert.deepEqual(titlesOf({ logKind: "claimWait" }, { [key]: "true" }), [`Remove ${key}`]);
  });
});
