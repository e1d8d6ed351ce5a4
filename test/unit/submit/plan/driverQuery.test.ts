import assert from "node:assert/strict";
import { test } from "node:test";
import type { DriverQuery } from "../../../../src/spark/submit/plan/driverQuery.ts";
import { parseSubmission } from "../../../../src/spark/submit/plan/parsedSubmission.ts";
import { resolveCommand } from "../../../../src/spark/submit/plan/resolveCommand.ts";
import { conf, submissionEnvironmentOf } from "../prepared.ts";

function queryOf(id: string, ...more: readonly string[]): DriverQuery {
  const tokens = ["--master", "k8s://https://h:6443", "--kill", id, ...more];
  const parsed = parseSubmission({ kind: "tokens", tokens, sparkVersion: "4.3.0", fallbacks: {} });
  const resolved = resolveCommand(parsed, submissionEnvironmentOf({}));
  assert.ok(resolved.ok && resolved.value.kind === "kill");
  return resolved.value.query;
}

test("a query selects one driver by its name, or all that begin with it, in a namespace", () => {
  const partsOf = (id: string) => {
    const { namespace, name, isPrefix } = queryOf(id);
    return [namespace, name, isPrefix];
  };
  assert.deepEqual(partsOf("jobs:etl-driver"), ["jobs", "etl-driver", false]);
  assert.deepEqual(partsOf("jobs:etl-*"), ["jobs", "etl-", true]);
  assert.deepEqual(partsOf("etl-driver"), [undefined, "etl-driver", false]);
});

test("a query has the grace period of the conf, unless it is negative", () => {
  const periodOf = (...more: readonly string[]) => queryOf("etl", ...more).gracePeriodSeconds;
  const key = "spark.kubernetes.appKillPodDeletionGracePeriod";
  assert.equal(periodOf(), undefined);
  assert.equal(periodOf(...conf(`${key}=0s`)), 0);
  assert.equal(periodOf(...conf(`${key}=2m`)), 120);
  assert.equal(periodOf(...conf(`${key}=-1`)), undefined);
});
