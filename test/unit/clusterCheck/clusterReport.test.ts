import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { inEnglish } from "../../../src/base/message.ts";
import type { ClusterFacts, Read } from "../../../src/spark/clusterCheck/clusterFacts.ts";
import { clusterReport, type ClusterLine } from "../../../src/spark/clusterCheck/clusterReport.ts";
import { defaultDriverRights } from "../../../src/spark/submit/preflight/neededRights.ts";
import { checkTranslated } from "../../pseudoLanguage.ts";

const known = <T>(value: T): Read<T> => ({ kind: "known", value });
const absent = known(false);

const facts: ClusterFacts = {
  context: "dev",
  namespace: "etl",
  nodes: known([
    {
      ...{ name: "n1", labels: {}, isReady: true, taints: [] },
      allocatable: { cpu: "4", memory: "16Gi" },
    },
  ]),
  versions: ["v1.36.3"],
  served: {
    ...{ kubeflow: known(true), apache: absent, volcano: absent },
    ...{ prometheus: absent, metrics: known(true) },
  },
  webhooks: known(["spark-operator-webhook"]),
  accounts: known(["default"]),
  lacking: new Map([["default", defaultDriverRights]]),
  storageClasses: known([
    { name: "standard", isDefault: true, waitsForPod: true, canExpand: false },
  ]),
};

const linesOf = (given: ClusterFacts, cores = 2): readonly ClusterLine[] =>
  clusterReport(given, {
    name: "pi",
    pods: [{ role: "executor", totals: { cores, memoryBytes: 2 ** 30 } }],
  });

const factsOf = (state: ClusterLine["state"], lines: readonly ClusterLine[]): readonly string[] =>
  lines.filter((line) => line.state === state).map(({ fact }) => inEnglish(fact));

describe("the report about a cluster", () => {
  test("has the Role to copy when no service account suffices for a driver", () => {
    const line = linesOf(facts).find(({ yaml }) => yaml !== undefined);
    assert.equal(line?.state, "missing");
    assert.match(line.yaml ?? "", /kind: "?Role"?\n[^]*pods[^]*RoleBinding[^]*"?spark"?/);
  });

  test("names the service accounts that suffice", () => {
    const lines = linesOf({ ...facts, lacking: new Map([["spark", []]]) });
    const good = factsOf("good", lines);
    assert.ok(good.includes("Service accounts that a driver can use: spark"));
  });

  test("counts the pods of a run profile that empty nodes have room for", () => {
    const meanings = linesOf(facts).map(({ meaning }) => inEnglish(meaning));
    assert.ok(meanings.includes("Empty nodes have room for 2 such pods."));
  });

  test("says when no node is large enough for a pod of a run profile", () => {
    const missing = factsOf("missing", linesOf(facts, 8));
    assert.ok(missing.includes('Run profile "pi", executor: 8 cores, 1 GiB'));
  });

  test("names the permission that is missing for each read that the server denies", () => {
    const denied = { kind: "forbidden", verb: "list", resource: "nodes" } as const;
    const lines = linesOf({ ...facts, nodes: denied, storageClasses: denied, webhooks: denied });
    assert.deepEqual(factsOf("unknown", lines), [
      "Nodes: not checked",
      "Admission webhooks: not checked",
      "Storage classes: not checked",
    ]);
    const line = lines.find(({ state }) => state === "unknown");
    assert.equal(inEnglish(line?.meaning), "You may not list nodes.");
  });

  test("has translatable texts", () => {
    for (const { fact, meaning } of linesOf(facts)) {
      checkTranslated(fact);
      checkTranslated(meaning);
    }
  });
});
