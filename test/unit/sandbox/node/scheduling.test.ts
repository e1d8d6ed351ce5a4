// Expected messages are those of a real scheduler of Kubernetes 1.36.
import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import type { JsonMembers } from "../../../../src/sandbox/kubeObject.ts";
import { fieldsOf, itemsOf, textOf } from "../../../../src/base/json.ts";
import { namespace, NodeRig, shell } from "./nodeRig.ts";

const unhelpful =
  " no new claims to deallocate, preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.";

describe("a pending pod", () => {
  let rig: NodeRig;
  beforeEach(async () => {
    rig = await NodeRig.start();
  });
  afterEach(async () => {
    await rig.stop();
    assert.deepEqual(rig.errors, []);
  });

  const condition = (name: string) =>
    rig.until("a verdict", () => {
      const [first] = itemsOf(rig.status(name)["conditions"]).map(fieldsOf);
      return first?.["type"] === "PodScheduled" ? first : undefined;
    });
  const refusal = async (spec: JsonMembers, container: JsonMembers = {}): Promise<unknown> => {
    rig.run("asks", shell("true", container), spec);
    const found = await condition("asks");
    assert.equal(found["status"], "False");
    assert.equal(found["reason"], "Unschedulable");
    assert.deepEqual(rig.events("asks"), [`FailedScheduling: ${textOf(found["message"]) ?? ""}`]);
    return found["message"];
  };

  test("reports insufficient cpu and memory", async () => {
    const resources = { requests: { cpu: "50", memory: "500Gi" } };
    assert.equal(
      await refusal({}, { resources }),
      `0/1 nodes are available: 1 Insufficient cpu, 1 Insufficient memory.${unhelpful}`,
    );
  });

  test("reports an unmatched node selector", async () => {
    assert.equal(
      await refusal({ nodeSelector: { disk: "ssd" } }),
      `0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector.${unhelpful}`,
    );
  });

  test("reports unmatched node affinity", async () => {
    const nodeSelectorTerms = [
      { matchExpressions: [{ key: "zone", operator: "In", values: ["a"] }] },
    ];
    const required = { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } };
    assert.equal(
      await refusal({ affinity: { nodeAffinity: required } }),
      `0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector.${unhelpful}`,
    );
  });

  test("reports unmatched pod affinity", async () => {
    const term = {
      topologyKey: "kubernetes.io/hostname",
      labelSelector: { matchLabels: { a: "b" } },
    };
    const podAffinity = { requiredDuringSchedulingIgnoredDuringExecution: [term] };
    assert.equal(
      await refusal({ affinity: { podAffinity } }),
      `0/1 nodes are available: 1 node(s) didn't match pod affinity rules.${unhelpful}`,
    );
  });

  test("reports a missing claim, and is scheduled after its creation", async () => {
    const volumes = [{ name: "v", persistentVolumeClaim: { claimName: "late" } }];
    assert.equal(
      await refusal({ volumes }),
      '0/1 nodes are available: persistentvolumeclaim "late" not found. not found',
    );
    rig.objects.create("persistentvolumeclaims", {
      apiVersion: "v1",
      kind: "PersistentVolumeClaim",
      metadata: { name: "late", namespace },
      spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
    });
    await rig.phase("asks", "Succeeded");
  });

  test("waits for its scheduling gates without an event", async () => {
    rig.run("gated", shell("true"), { schedulingGates: [{ name: "g" }] });
    const found = await condition("gated");
    assert.equal(found["reason"], "SchedulingGated");
    assert.deepEqual(rig.events("gated"), []);
  });

  test("is scheduled after another pod ended, higher priority first", async () => {
    const resources = { requests: { cpu: "3" } };
    rig.run("first", shell("sleep 0.5", { resources }));
    await rig.phase("first", "Running");
    rig.run("later", shell("true", { resources }));
    rig.run("important", shell("true", { resources }), { priority: 10, preemptionPolicy: "Never" });
    await rig.phase("later", "Succeeded");
    const version = (name: string): number =>
      rig.objects
        .list("events")
        .flatMap((event) =>
          event["reason"] === "Scheduled" && fieldsOf(event["involvedObject"])["name"] === name
            ? [Number(event.metadata.resourceVersion)]
            : [],
        )[0] ?? 0;
    assert.ok(version("important") < version("later"));
  });

  test("preempts a pod of lower priority", async () => {
    const resources = { requests: { cpu: "3" } };
    rig.run("lesser", shell("trap 'exit 0' TERM; echo up; sleep 60 & wait", { resources }));
    await rig.says("lesser", "up");
    rig.run("important", shell("true", { resources }), { priority: 10 });
    await rig.phase("important", "Succeeded");
    assert.equal(rig.pod("lesser"), undefined);
    assert.ok(rig.events("lesser").some((line) => line.startsWith("Preempted: Preempted by pod ")));
  });
});
