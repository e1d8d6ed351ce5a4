import assert from "node:assert/strict";
import { test } from "node:test";
import { decodePodSpec } from "../../../../src/sandbox/node/spec/podSpec.ts";
import { podRequests, qosClass } from "../../../../src/sandbox/node/spec/requests.ts";
import type { JsonMembers } from "../../../../src/sandbox/kubeObject.ts";
import { RestartBackoff, durationText } from "../../../../src/sandbox/node/pod/backoff.ts";
import {
  tagOf,
  baseNameOf,
  invalidName,
  looksLikeSpark,
  sparkVersionOf,
} from "../../../../src/sandbox/node/image/imageName.ts";

const spec = (pod: JsonMembers) =>
  decodePodSpec({ apiVersion: "v1", kind: "Pod", metadata: { name: "p" }, spec: pod });
const asks = (cpu: string, memory: string, more: JsonMembers = {}): JsonMembers => ({
  name: "c",
  resources: { requests: { cpu, memory } },
  ...more,
});

test("counts containers, sidecars and the largest init container", () => {
  const containers = [asks("500m", "1Gi"), asks("1", "1Gi")];
  assert.deepEqual(podRequests(spec({ containers })), { cpu: 1.5, memory: 2 * 2 ** 30 });
  const sidecar = asks("1", "1Gi", { restartPolicy: "Always" });
  assert.deepEqual(
    podRequests(
      spec({ containers, initContainers: [sidecar, asks("4", "1Ki")], overhead: { cpu: "1" } }),
    ),
    { cpu: 6, memory: 3 * 2 ** 30 },
  );
  const limited = { name: "c", resources: { limits: { memory: "2Gi" } } };
  assert.deepEqual(podRequests(spec({ containers: [limited] })), { memory: 2 ** 31 });
});

test("derives the QoS class from requests and limits", () => {
  const limits = { cpu: "1", memory: "1Gi" };
  assert.equal(qosClass(spec({ containers: [{ name: "c" }] })), "BestEffort");
  assert.equal(qosClass(spec({ containers: [asks("1", "1Gi")] })), "Burstable");
  assert.equal(
    qosClass(spec({ containers: [{ name: "c", resources: { limits } }] })),
    "Guaranteed",
  );
  assert.equal(
    qosClass(
      spec({ containers: [{ name: "c", resources: { limits, requests: { cpu: "500m" } } }] }),
    ),
    "Burstable",
  );
});

test("doubles the restart back-off until a container has run for long", () => {
  const backoff = new RestartBackoff();
  assert.deepEqual(
    [0, 0, 0, 0, 0, 0, 0, 0].map((ran) => backoff.next(ran)),
    [0, 10, 20, 40, 80, 160, 300, 300],
  );
  assert.equal(backoff.next(600_000), 0);
  assert.deepEqual([10, 80, 300].map(durationText), ["10s", "1m20s", "5m0s"]);
});

test("reads only the Spark version from an image name", () => {
  const versions: readonly (readonly [string, string | undefined])[] = [
    ["apache/spark:4.3.0", "4.3.0"],
    ["registry:5000/a/spark:v3.5.9-scala2.12-java17-python3-ubuntu", "3.5.9"],
    ["spark:4.3.0@sha256:00", "4.3.0"],
    ["spark", undefined],
    ["registry.example.org:5000/spark", undefined],
    ["spark:java17-4.3.0", undefined],
    ["spark:4.3.0.1", undefined],
    ["spark:latest", undefined],
  ];
  for (const [image, version] of versions) assert.equal(sparkVersionOf(image), version, image);
  assert.equal(tagOf("registry:5000/a"), undefined);
  assert.equal(baseNameOf("registry:5000/library/busybox:1.36"), "busybox");
  assert.ok(looksLikeSpark("my/spark-py:1"));
  assert.ok(!looksLikeSpark("spark.example.org/etl:1"));
  assert.equal(invalidName("registry:5000/a_b/c-d:x"), undefined);
  assert.match(invalidName("UPPER:::x") ?? "", /invalid reference format/);
});
