import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, test } from "node:test";
import { inEnglish } from "../../../src/base/message.ts";
import type {
  ClusterFacts,
  Read,
  WebhookFacts,
} from "../../../src/spark/clusterCheck/clusterFacts.ts";
import {
  clusterReport,
  type CheckedProfile,
  type ClusterLine,
} from "../../../src/spark/clusterCheck/clusterReport.ts";
import { defaultDriverRights } from "../../../src/spark/submit/preflight/neededRights.ts";
import { checkTranslated } from "../../pseudoLanguage.ts";

const known = <T>(value: T): Read<T> => ({ kind: "known", value });
const absent = known(false);

const webhook: WebhookFacts = {
  ...{ name: "spark-operator-webhook", rejectsAlone: true, hasAuthority: true, readyPods: 1 },
};

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
  server: known("v1.36.3"),
  groups: { kubeflow: known(["v1beta2", "v1alpha1"]), apache: known([]) },
  webhooks: known([webhook]),
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

  test("compares the API server with the oldest version that the Spark of the profile documents", () => {
    const meaningOf = (server: string, minor: "3.5" | "4.0" | "4.1") => {
      const [first] = clusterReport(
        { ...facts, server: known(server) },
        { name: "pi", minor, pods: [] },
      );
      return `${first?.state}: ${inEnglish(first?.meaning)}`;
    };
    assert.equal(
      meaningOf("v1.36.3", "4.0"),
      "good: Spark 4.0 documents Kubernetes 1.30 or later.",
    );
    assert.match(
      meaningOf("v1.27.9-gke.1", "4.0"),
      /^missing: Spark 4\.0 documents Kubernetes 1\.30/,
    );
    assert.match(meaningOf("v1.27.9", "3.5"), /^good/);
    assert.match(meaningOf("v1.27.9", "4.1"), /^note: No oldest Kubernetes version is known/);
  });

  test("lists the versions of each operator, and says when another one is installed", () => {
    assert.ok(
      factsOf("good", linesOf(facts)).includes(
        "Kubeflow Spark Operator: sparkoperator.k8s.io is served in the versions v1beta2, v1alpha1",
      ),
    );
    const older = { ...facts, groups: { ...facts.groups, apache: known(["v1alpha1"]) } };
    assert.ok(
      factsOf("missing", linesOf(older)).includes(
        "Apache Spark Kubernetes Operator: spark.apache.org is served in the versions v1alpha1",
      ),
    );
  });

  test("says when the webhook of an operator cannot answer", () => {
    const stateWith = (fields: Partial<WebhookFacts>) =>
      factsOf("missing", linesOf({ ...facts, webhooks: known([{ ...webhook, ...fields }]) }));
    const prefix = "Webhook of the operator: spark-operator-webhook";
    assert.ok(stateWith({ readyPods: 0 }).includes(`${prefix}, no ready pod behind its Service`));
    assert.ok(stateWith({ hasAuthority: false }).includes(`${prefix}, no certificate authority`));
    assert.ok(!stateWith({ readyPods: undefined }).some((fact) => fact.startsWith(prefix)));
  });

  test("compares the number of executors with the room on empty nodes", () => {
    const lines = clusterReport(facts, {
      name: "pi",
      pods: [{ role: "executor", totals: { cores: 2, memoryBytes: 2 ** 30 }, count: 5 }],
    });
    const meanings = lines.map(({ meaning }) => inEnglish(meaning));
    assert.ok(
      meanings.includes(
        "Empty nodes have room for 2 such pods, and the profile requests 5. The others would wait.",
      ),
    );
    assert.ok(meanings.includes("executors on an empty one: 2"));
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

  // `node --test --test-update-snapshots` rewrites the file.
  test("keeps the state, the fact and the meaning of every line", (t) => {
    t.assert.fileSnapshot([...described()].join("\n"), join(import.meta.dirname, "reports.txt"), {
      serializers: [String],
    });
  });
});

const unknown = { kind: "failed", detail: "timeout" } as const;
const forbidden = { kind: "forbidden", verb: "list", resource: "nodes" } as const;

const nodeOf = (
  name: string,
  cpu: string,
  { isReady = true, isTainted = false }: { isReady?: boolean; isTainted?: boolean } = {},
) => ({
  ...{ name, labels: {}, isReady, allocatable: { cpu, memory: "16Gi" } },
  taints: isTainted ? [{ key: "gpu", value: "", effect: "NoSchedule" }] : [],
});

const served = (value: boolean): ClusterFacts["served"] => ({
  ...{ kubeflow: known(value), apache: known(value), volcano: known(value) },
  ...{ prometheus: known(value), metrics: known(value) },
});

const pods = (cores: number, count?: number): CheckedProfile => ({
  name: "pi",
  pods: [
    { role: "driver", totals: { cores: 1, memoryBytes: 2 ** 30 }, count: 1 },
    { role: "executor", totals: { cores, memoryBytes: 2 ** 31 }, count },
  ],
});

const storageClass = { name: "fast", isDefault: false, waitsForPod: false, canExpand: true };

/** Variants of `facts`, each with the run profile to check, if any. */
const clusters: Readonly<Record<string, readonly [Partial<ClusterFacts>, CheckedProfile?]>> = {
  "no profile": [{}],
  "nothing could be read": [
    {
      ...{ nodes: unknown, server: unknown, webhooks: unknown, accounts: unknown },
      ...{ storageClasses: unknown, groups: { kubeflow: unknown, apache: unknown } },
      served: {
        ...{ kubeflow: unknown, apache: unknown, volcano: unknown },
        ...{ prometheus: unknown, metrics: unknown },
      },
    },
    pods(1),
  ],
  "nothing may be read": [
    {
      ...{ nodes: forbidden, server: forbidden, webhooks: forbidden, accounts: forbidden },
      storageClasses: forbidden,
    },
  ],
  "everything is installed": [
    {
      served: served(true),
      groups: { kubeflow: known(["v1beta2"]), apache: known(["v1", "v1beta1"]) },
      webhooks: known([webhook, { ...webhook, name: "yunikorn-admission-controller-cfg" }]),
    },
  ],
  "nothing is installed": [
    {
      ...{ served: served(false), webhooks: known([]), storageClasses: known([]) },
      groups: { kubeflow: known([]), apache: known([]) },
      lacking: new Map([
        ["default", defaultDriverRights],
        ["etl", defaultDriverRights.slice(0, 1)],
      ]),
    },
  ],
  "another version of the operators is installed": [
    {
      served: served(false),
      groups: { kubeflow: known(["v1alpha1"]), apache: known(["v1alpha1", "v1beta1"]) },
    },
  ],
  "the groups of the operators are unknown": [
    { served: served(true), groups: { kubeflow: unknown, apache: unknown } },
  ],
  "no webhook of the operator": [{ webhooks: known([]) }],
  "webhooks that cannot answer": [
    {
      webhooks: known([
        { ...webhook, name: "spark-a", hasAuthority: false },
        { ...webhook, name: "spark-b", readyPods: 0, rejectsAlone: false },
        { ...webhook, name: "spark-c", readyPods: undefined },
        { ...webhook, name: "spark-d", readyPods: 2 },
      ]),
    },
  ],
  "permissions that cannot be reviewed": [{ lacking: new Map(), accounts: known(["a", "b"]) }],
  "accounts that suffice": [
    {
      lacking: new Map([
        ["default", defaultDriverRights],
        ["etl", []],
        ["spark", []],
      ]),
    },
  ],
  "nodes of two sizes, one with a taint, one not ready": [
    {
      versions: ["v1.36.3", "v1.35.0"],
      nodes: known([
        nodeOf("a", "4"),
        nodeOf("b", "4", { isTainted: true }),
        nodeOf("c", "8", { isReady: false }),
      ]),
    },
    pods(2, 2),
  ],
  "no node is open": [
    { versions: [], nodes: known([nodeOf("a", "4", { isTainted: true })]) },
    pods(2),
  ],
  "fewer free places than executors": [{}, pods(2, 3)],
  "executors that are too large": [{}, pods(8, 1)],
  "storage classes": [
    {
      storageClasses: known([
        storageClass,
        { ...storageClass, name: "zonal", isDefault: true, waitsForPod: true, canExpand: false },
      ]),
    },
  ],
};

/** Yields the lines of each report that no earlier report has. */
function* described(): Iterable<string> {
  const before = new Set<string>();
  for (const [name, [fields, profile]] of Object.entries(clusters)) {
    yield `# ${name}`;
    for (const { state, fact, meaning, yaml } of clusterReport({ ...facts, ...fields }, profile)) {
      const own = yaml === undefined ? [] : yaml.trimEnd().split("\n");
      const text = [
        `${state}: ${inEnglish(fact)}`,
        ...[inEnglish(meaning), ...own].map((words) => `  ${words}`),
      ].join("\n");
      if (name === "no profile") before.add(text);
      else if (before.has(text)) continue;
      yield text;
    }
    yield "";
  }
}
