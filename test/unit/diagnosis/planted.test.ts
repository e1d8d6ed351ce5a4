// Checks diagnoses of real failures: pods, warnings and the last log lines, recorded with Spark 4.3.0 on Kubernetes
// 1.36. Stack frames were removed.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { fieldsOf, itemsOf, textOf } from "../../../src/base/json.ts";
import { inEnglish } from "../../../src/base/message.ts";
import { diagnose, neededLog } from "../../../src/spark/diagnosis/diagnose.ts";
import type { Diagnosis } from "../../../src/spark/diagnosis/diagnosis.ts";
import { causeInLog } from "../../../src/spark/diagnosis/logCause.ts";
import { decodePodEvent } from "../../../src/spark/diagnosis/podEventRecord.ts";
import { buildApplications } from "../../../src/spark/pods/applications.ts";
import { decodePod } from "../../../src/spark/pods/decodePod.ts";
import { displayState } from "../../../src/spark/pods/displayState.ts";
import { firstOf } from "../../../src/spark/pods/ordered.ts";
import { replacePods } from "../../../src/spark/pods/podListing.ts";
import { emptySnapshot } from "../../../src/spark/pods/podSnapshot.ts";
import { remediesOf } from "../../../src/spark/remedy/remedies.ts";

const node = { cores: 2, memoryBytes: 24 * 2 ** 30 };

function diagnosisOf(name: string): Diagnosis | undefined {
  const file = join(import.meta.dirname, "planted", `${name}.json`);
  const recorded = fieldsOf(JSON.parse(readFileSync(file, "utf8")));
  const pods = itemsOf(recorded["pods"]).flatMap((json) => decodePod(json) ?? []);
  const application = firstOf(
    buildApplications(replacePods(emptySnapshot, pods).snapshot).applications,
  );
  const driver = pods.find(({ labels }) => labels["spark-role"] === "driver");
  if (application === undefined || driver === undefined) throw new Error("no driver");
  const diagnosed = {
    pod: driver,
    state: displayState(driver),
    role: "driver" as const,
    isPython: true,
    events: itemsOf(recorded["events"])
      .filter((each) => fieldsOf(fieldsOf(each)["involvedObject"])["uid"] === driver.uid)
      .map((each) => decodePodEvent(each)),
    application,
    report: undefined,
    largestNode: node,
    now: Date.parse(driver.creationTimestamp) + 60_000,
  };
  const lines = itemsOf(fieldsOf(recorded["logs"])[driver.name]).map((line) => textOf(line) ?? "");
  const logCause = neededLog(diagnosed) === "end" ? causeInLog(lines) : undefined;
  return diagnose({ ...diagnosed, logCause })[0];
}

/** Checks the text of the row and the titles of the fixes. */
function check(
  name: string,
  expected: string,
  fixes: readonly string[],
  conf: Readonly<Record<string, string>> = {},
): void {
  test(`${name}: ${expected}`, () => {
    const diagnosis = diagnosisOf(name);
    assert.ok(diagnosis);
    assert.equal(inEnglish(diagnosis.fact), expected);
    const remedies = remediesOf(diagnosis, {
      ...{ role: "driver", namespace: "dev", minor: "4.3", node },
      conf: new Map(Object.entries(conf)),
      ableAccounts: ["spark"],
    });
    assert.deepEqual(
      remedies.map(({ title }) => inEnglish(title)),
      fixes,
    );
  });
}

describe("the cause and the fixes of a real failure", () => {
  const account = "spark.kubernetes.authenticate.driver.serviceAccountName";
  const image = "Open Spark Property spark.kubernetes.container.image";
  check("badImage", "invalid image name: Bad Name", [image]);
  check("image", "registry unreachable: none:1", [image]);
  check(
    "claim",
    'volume claim "nothere" does not exist',
    [
      "Open Spark Property spark.kubernetes.driver.volumes.persistentVolumeClaim.data.options.claimName",
      "Create the volume claim",
    ],
    { "spark.kubernetes.driver.volumes.persistentVolumeClaim.data.options.claimName": "nothere" },
  );
  check(
    "configMap",
    'ConfigMap "nothere" does not exist',
    [
      "Open Spark Property spark.kubernetes.hadoop.configMapName",
      "Create the ConfigMap",
      "Remove spark.kubernetes.hadoop.configMapName",
    ],
    { "spark.kubernetes.hadoop.configMapName": "nothere" },
  );
  check(
    "secretMount",
    'Secret "nothere" does not exist',
    [
      "Open Spark Property spark.kubernetes.driver.secrets.nothere",
      "Create the Secret",
      "Remove spark.kubernetes.driver.secrets.nothere",
    ],
    { "spark.kubernetes.driver.secrets.nothere": "/mnt/s" },
  );
  check(
    "secretRef",
    'Secret "nothere" does not exist',
    [
      "Open Spark Property spark.kubernetes.driver.secretKeyRef.PW",
      "Create the Secret",
      "Remove spark.kubernetes.driver.secretKeyRef.PW",
    ],
    { "spark.kubernetes.driver.secretKeyRef.PW": "nothere:pw" },
  );
  check(
    "cpu",
    "larger than the largest node (2 cores)",
    ["Set spark.kubernetes.driver.request.cores to 1"],
    {
      "spark.kubernetes.driver.request.cores": "64",
    },
  );
  check("memory", "larger than the largest node (24 GiB)", ["Set spark.driver.memory to 8832m"], {
    "spark.driver.memory": "900g",
  });
  check(
    "selector",
    "no node matches its node selector",
    ["Remove spark.kubernetes.node.selector.pool"],
    { "spark.kubernetes.node.selector.pool": "gpu" },
  );
  check("forbidden", "not permitted: get pods", [
    `Set ${account} to spark`,
    "Role for an administrator to apply",
  ]);
  check("apiTimeout", "API server did not respond in time", [
    "Set spark.kubernetes.driver.connectionTimeout to 60000",
  ]);
  check("apiTimeoutWithoutWords", "API server did not respond in time", [
    "Set spark.kubernetes.driver.connectionTimeout to 60000",
  ]);
  check("module", "Python module not installed: polars_missing", [
    "Send the missing packages with the run",
  ]);
  check("noClass", "class not found: Main", ["Open the Main Class of the Run"]);
  check("noJar", "not found: none.jar", []);
  check("noPy", "not found: none.py", ["Open the Application of the Run"]);
  check("noInterpreter", "cannot start the image's entrypoint", [image]);
  check("entrypoint", "cannot run: a program is missing from the image", [
    "Open Spark Property spark.kubernetes.driver.container.image",
  ]);
  check("exit3", "failed, exit code 3", []);
});
