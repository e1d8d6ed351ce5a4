import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { ClusterError } from "../../../../src/engine/clusterError.ts";
import { ok } from "../../../../src/base/result.ts";
import type { Discovery } from "../../../../src/engine/ports/discovery.ts";
import { readClusterFacts } from "../../../../src/engine/submit/clusterCheck.ts";
import type { ClusterFacts } from "../../../../src/spark/clusterCheck/clusterFacts.ts";
import type { Manifest } from "../../../../src/spark/submit/plan/manifest.ts";
import { fakeCluster, forbidden, type FakeContents } from "../fakeCluster.ts";

const object = (kind: string, name: string, more: object = {}): Manifest => ({
  apiVersion: "v1",
  kind,
  metadata: { name },
  ...more,
});
const node = (name: string, kubeletVersion: string): Manifest =>
  object("Node", name, {
    status: { nodeInfo: { kubeletVersion }, allocatable: { cpu: "4", memory: "8Gi" } },
  });

const read = (contents: FakeContents, absentGroup?: string): Promise<ClusterFacts> => {
  const { objects, rights } = fakeCluster(contents);
  const discovery: Discovery = {
    serverVersion: () => Promise.resolve(ok("v1.36.3")),
    versionsOf: (group) => Promise.resolve(ok(group === absentGroup ? [] : ["v1"])),
  };
  const connection = { objects, rights, discovery, context: "dev" };
  return readClusterFacts(connection, "etl", new AbortController().signal);
};
const notFound: ClusterError = {
  kind: "notFound",
  resource: "x",
  name: "",
  detail: "no such kind",
};

describe("the facts about a cluster", () => {
  test("have its nodes, versions, accounts, webhooks and storage classes", async () => {
    const facts = await read({
      manifests: [
        ...[node("b", "v1.36"), node("a", "v1.35"), node("c", "v1.36")],
        ...[object("ServiceAccount", "spark"), object("ServiceAccount", "default")],
        object("MutatingWebhookConfiguration", "m"),
        object("ValidatingWebhookConfiguration", "v"),
        object("StorageClass", "fast", {
          ...{ volumeBindingMode: "WaitForFirstConsumer", allowVolumeExpansion: true },
          metadata: {
            name: "fast",
            annotations: { "storageclass.kubernetes.io/is-default-class": "true" },
          },
        }),
        object("StorageClass", "slow", { volumeBindingMode: "Immediate" }),
      ],
      can: ({ verb }) => verb !== "create",
    });
    assert.deepEqual([facts.context, facts.namespace], ["dev", "etl"]);
    assert.deepEqual(facts.versions, ["v1.35", "v1.36"]);
    assert.ok(facts.nodes.kind === "known" && facts.nodes.value.length === 3);
    assert.deepEqual(facts.accounts, { kind: "known", value: ["default", "spark"] });
    assert.deepEqual(facts.server, { kind: "known", value: "v1.36.3" });
    assert.deepEqual(facts.storageClasses, {
      kind: "known",
      value: [
        { name: "fast", isDefault: true, waitsForPod: true, canExpand: true },
        { name: "slow", isDefault: false, waitsForPod: false, canExpand: false },
      ],
    });
  });

  test("know of a kind that may not be listed that its group is not served", async () => {
    const refused = {
      "list PodMonitor": forbidden("list", "podmonitors"),
      "list PodGroup": forbidden("list", "podgroups"),
    };
    const { served } = await read({ refused }, "monitoring.coreos.com");
    assert.deepEqual(served.prometheus, { kind: "known", value: false });
    assert.equal(served.volcano.kind, "forbidden");
  });

  test("say which kinds are served, and which cannot be read", async () => {
    const failed: ClusterError = { kind: "badResponse", status: 500, detail: "broken" };
    const { served } = await read({
      refused: {
        "list PodGroup": notFound,
        "list PodMonitor": forbidden("list", "podmonitors"),
        "list PodMetrics": failed,
      },
    });
    assert.deepEqual(served.apache, { kind: "known", value: true });
    assert.deepEqual(served.kubeflow, { kind: "known", value: true });
    assert.deepEqual(served.volcano, { kind: "known", value: false });
    assert.deepEqual(served.prometheus, {
      ...{ kind: "forbidden", verb: "list", resource: "podmonitors" },
    });
    assert.deepEqual(served.metrics, { kind: "failed", detail: "broken" });
  });

  test("have the permissions that accounts lack, if the accounts are known", async () => {
    const account = object("ServiceAccount", "spark");
    const able = await read({ manifests: [account] });
    assert.deepEqual([...able.lacking.values()].flat(), []);
    const refused = { "list ServiceAccount": forbidden("list", "serviceaccounts") };
    const unknown = await read({ manifests: [account], refused });
    assert.equal(unknown.accounts.kind, "forbidden");
    assert.equal(unknown.lacking.size, 0);
  });

  test("have the policy, the authority and the ready pods of webhooks", async () => {
    const service = { name: "hook", namespace: "spark-operator" };
    const webhook = (caBundle: string, more: object = {}): object => ({
      clientConfig: { service, caBundle },
      failurePolicy: "Ignore",
      ...more,
    });
    const slice = (...ready: readonly (boolean | undefined)[]): Manifest => ({
      ...object("EndpointSlice", "hook-1"),
      apiVersion: "discovery.k8s.io/v1",
      endpoints: ready.map((isReady) => ({
        conditions: isReady === undefined ? {} : { ready: isReady },
      })),
    });
    const factsOf = async (name: string, webhooks: object[], more: Manifest[]) => {
      const hook = object("MutatingWebhookConfiguration", name, { webhooks });
      const { webhooks: found } = await read({ manifests: [hook, ...more] });
      assert.ok(found.kind === "known");
      return found.value[0];
    };
    const operator = "spark-operator-webhook";
    const pods = [slice(true, false, undefined)];
    assert.deepEqual(await factsOf(operator, [webhook("x"), webhook("y")], pods), {
      ...{ name: operator, rejectsAlone: false, hasAuthority: true, readyPods: 2 },
    });
    const strict = webhook("", { failurePolicy: "Fail" });
    assert.deepEqual(await factsOf(operator, [webhook("x"), strict], []), {
      ...{ name: operator, rejectsAlone: true, hasAuthority: false, readyPods: 0 },
    });
    // No pods are read for other webhooks, or for a webhook with an address outside the cluster.
    assert.equal((await factsOf("other", [webhook("x")], pods))?.readyPods, undefined);
    const outside = { clientConfig: { url: "https://hook.example.com", caBundle: "x" } };
    assert.equal((await factsOf(operator, [outside], pods))?.readyPods, undefined);
  });

  test("have no webhooks unless both kinds can be read", async () => {
    for (const kind of ["MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"]) {
      const { webhooks } = await read({ refused: { [`list ${kind}`]: forbidden("list", "w") } });
      assert.equal(webhooks.kind, "forbidden", kind);
    }
    const { versions } = await read({ refused: { "list Node": forbidden("list", "nodes") } });
    assert.deepEqual(versions, []);
  });
});
