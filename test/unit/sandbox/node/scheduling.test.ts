// The words are those of a real scheduler of 1.36.
import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import type { JsonObject } from "../../../../src/sandbox/kubeObject.ts";
import { fieldsOf, itemsOf, textOf } from "../../../../src/spark/pods/fields.ts";
import { namespace, NodeRig, shell } from "./nodeRig.ts";

const unhelpful =
  " no new claims to deallocate, preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.";

describe("a pod without a place", () => {
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
  const refusal = async (spec: JsonObject, container: JsonObject = {}): Promise<unknown> => {
    rig.run("asks", shell("true", container), spec);
    const told = await condition("asks");
    assert.equal(told["status"], "False");
    assert.equal(told["reason"], "Unschedulable");
    assert.deepEqual(rig.events("asks"), [`FailedScheduling: ${textOf(told["message"]) ?? ""}`]);
    return told["message"];
  };

  test("is told that there is too little of everything", async () => {
    const resources = { requests: { cpu: "50", memory: "500Gi" } };
    assert.equal(
      await refusal({}, { resources }),
      `0/1 nodes are available: 1 Insufficient cpu, 1 Insufficient memory.${unhelpful}`,
    );
  });

  test("is told that no node is labeled so", async () => {
    assert.equal(
      await refusal({ nodeSelector: { disk: "ssd" } }),
      `0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector.${unhelpful}`,
    );
  });

  test("is told that no node is as its affinity wants it", async () => {
    const nodeSelectorTerms = [
      { matchExpressions: [{ key: "zone", operator: "In", values: ["a"] }] },
    ];
    const required = { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } };
    assert.equal(
      await refusal({ affinity: { nodeAffinity: required } }),
      `0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector.${unhelpful}`,
    );
  });

  test("is told that nobody is there whom it wants to be near", async () => {
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

  test("is told that its claim is not there, and comes when it is", async () => {
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

  test("waits for its gates without an event", async () => {
    rig.run("gated", shell("true"), { schedulingGates: [{ name: "g" }] });
    const told = await condition("gated");
    assert.equal(told["reason"], "SchedulingGated");
    assert.deepEqual(rig.events("gated"), []);
  });

  test("comes when another has ended, the more important first", async () => {
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

  test("has the less important sent away", async () => {
    const resources = { requests: { cpu: "3" } };
    rig.run("lesser", shell("trap 'exit 0' TERM; echo up; sleep 60 & wait", { resources }));
    await rig.says("lesser", "up");
    rig.run("important", shell("true", { resources }), { priority: 10 });
    await rig.phase("important", "Succeeded");
    assert.equal(rig.pod("lesser"), undefined);
    assert.ok(rig.events("lesser").some((line) => line.startsWith("Preempted: Preempted by pod ")));
  });
});
