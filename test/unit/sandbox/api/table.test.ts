// The expected cells are those that kubectl shows for a kube-apiserver of Kubernetes 1.36.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { fieldsOf, itemsOf } from "../../../../src/base/json.ts";
import { Kinds } from "../../../../src/sandbox/api/kinds.ts";
import { table } from "../../../../src/sandbox/api/table.ts";

const kinds = new Kinds((error) => {
  throw error;
});
const now = Date.parse("2026-01-02T03:04:05Z");
const before = (seconds: number): string => new Date(now - seconds * 1000).toISOString();

function tableOf(kind: string, fields: object, metadata: object = {}, includeObject = "None") {
  const found = kinds.all().find((one) => one.kind === kind);
  assert.ok(found, kind);
  const object = {
    ...fields,
    metadata: { name: "a", namespace: "jobs", creationTimestamp: before(5), ...metadata },
  };
  return fieldsOf(table(found, [object as never], {}, includeObject, now));
}

const cellsOf = (kind: string, fields: object = {}, metadata: object = {}): unknown => {
  const { rows, columnDefinitions } = tableOf(kind, fields, metadata);
  const [row] = itemsOf(rows).map(fieldsOf);
  const cells = itemsOf(row?.["cells"]);
  assert.equal(cells.length, itemsOf(columnDefinitions).length, kind);
  return cells;
};

const pod = (status: object, metadata: object = {}): unknown =>
  cellsOf("Pod", { spec: { containers: [{}, {}] }, status }, metadata);
const none = "<none>";

describe("the table of kubectl get", () => {
  test("has a cell for each column of each kind, and the age last by default", () => {
    const listed = kinds.all().filter(({ verbs }) => verbs.includes("list"));
    assert.ok(listed.length > 15);
    for (const { kind } of listed) cellsOf(kind);
    assert.deepEqual(cellsOf("ServiceAccount"), ["a", "5s"]);
  });

  test("shows ages like kubectl", () => {
    const rows = [
      [0, "0s"],
      [119, "119s"],
      [120, "2m"],
      [200, "3m20s"],
      [599, "9m59s"],
      [600, "10m"],
      [3 * 3600 - 1, "179m"],
      [3 * 3600, "3h"],
      [3 * 3600 + 300, "3h5m"],
      [8 * 3600, "8h"],
      [48 * 3600 - 1, "47h"],
      [48 * 3600, "2d"],
      [51 * 3600, "2d3h"],
      [8 * 86_400 + 3600, "8d"],
      [-60, "0s"],
    ] as const;
    for (const [seconds, age] of rows) {
      assert.deepEqual(cellsOf("Namespace", {}, { creationTimestamp: before(seconds) }), [
        "a",
        "",
        age,
      ]);
    }
    assert.deepEqual(cellsOf("Namespace", {}, { creationTimestamp: "" }), ["a", "", "<unknown>"]);
  });

  test("shows the state and the restarts of a pod", () => {
    const places = { podIP: "10.1.0.2", nominatedNodeName: "m" };
    const again = {
      ...{ ready: true, restartCount: 2 },
      lastState: { terminated: { finishedAt: before(60) } },
    };
    assert.deepEqual(
      cellsOf("Pod", {
        spec: { containers: [{}, {}], nodeName: "n" },
        status: { phase: "Running", ...places, containerStatuses: [again, { restartCount: 1 }] },
      }),
      ["a", "1/2", "Running", "3 (60s ago)", "5s", "10.1.0.2", "n", "m", none],
    );
    const states = (...all: readonly object[]) => ({
      phase: "Running",
      containerStatuses: all.map((state) => ({ state })),
    });
    const gated = { conditions: [{ type: "PodScheduled", reason: "SchedulingGated" }] };
    const rows: readonly (readonly [object, string, object?])[] = [
      [{ phase: "Pending" }, "Pending"],
      [{ phase: "Failed", reason: "Evicted" }, "Evicted"],
      [{ phase: "Pending", ...gated }, "SchedulingGated"],
      [states({ waiting: { reason: "ImagePullBackOff" } }, {}), "ImagePullBackOff"],
      [states({ terminated: { reason: "Error" } }, { waiting: { reason: "Later" } }), "Error"],
      [states({ terminated: { exitCode: 3 } }), "ExitCode:3"],
      [states({ terminated: { exitCode: 137, signal: 9 } }), "Signal:9"],
      [{ phase: "Running" }, "Terminating", { deletionTimestamp: before(1) }],
    ];
    for (const [status, state, metadata] of rows) {
      assert.deepEqual(pod(status, metadata), [
        "a",
        "0/2",
        state,
        "0",
        "5s",
        ...Array<string>(4).fill(none),
      ]);
    }
  });

  test("shows the cells of each kind", () => {
    const subjects = [
      { kind: "User", name: "u" },
      { kind: "User", name: "v" },
      { kind: "Group", name: "g" },
      { kind: "ServiceAccount", namespace: "jobs", name: "spark" },
    ];
    const binding = { roleRef: { kind: "Role", name: "edit" }, subjects };
    const bound = ["a", "Role/edit", "5s", "u, v", "g", "jobs/spark"];
    const claim = {
      spec: {
        ...{ volumeName: "pv", storageClassName: "fast", volumeMode: "Filesystem" },
        volumeAttributesClassName: "gold",
      },
      status: {
        ...{ phase: "Bound", capacity: { storage: "1Gi" } },
        accessModes: ["ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany", "ReadWriteOncePod"],
      },
    };
    const event = {
      ...{ type: "Warning", reason: "Failed", message: " words \n", count: 4 },
      ...{ firstTimestamp: before(300), lastTimestamp: before(30) },
      involvedObject: { kind: "Pod", name: "p", fieldPath: "spec.containers{main}" },
      source: { component: "kubelet", host: "n" },
    };
    const node = {
      status: {
        conditions: [{ type: "Ready", status: "True" }],
        addresses: [
          { type: "Hostname", address: "n" },
          { type: "InternalIP", address: "10.0.0.1" },
        ],
        nodeInfo: {
          ...{ kubeletVersion: "v1.36.0", osImage: "os", kernelVersion: "6.1" },
          containerRuntimeVersion: "runtime",
        },
      },
    };
    const rows: readonly (readonly [kind: string, fields: object, cells: readonly unknown[]])[] = [
      ["ConfigMap", { data: { x: "1", y: "2" }, binaryData: { z: "" } }, ["a", 3, "5s"]],
      ["ConfigMap", {}, ["a", 0, "5s"]],
      ["Secret", { type: "Opaque", data: { x: "1" } }, ["a", "Opaque", 1, "5s"]],
      ["Namespace", { status: { phase: "Active" } }, ["a", "Active", "5s"]],
      [
        "Ingress",
        { spec: { ingressClassName: "c", rules: [{ host: "h" }, {}], tls: [] } },
        ["a", "c", "h,*", "", "80, 443", "5s"],
      ],
      ["Ingress", { spec: {} }, ["a", none, "*", "", "80", "5s"]],
      [
        "Service",
        {
          spec: {
            ...{
              type: "ClusterIP",
              clusterIP: "None",
              externalName: "x",
              selector: { a: "b", c: "d" },
            },
            ports: [
              { port: 7078, protocol: "TCP" },
              { port: 80, nodePort: 30_080, protocol: "TCP" },
            ],
          },
        },
        ["a", "ClusterIP", "None", "x", "7078/TCP,80:30080/TCP", "5s", "a=b,c=d"],
      ],
      ["Service", { spec: {} }, ["a", "", none, none, none, "5s", none]],
      [
        "PersistentVolumeClaim",
        claim,
        ["a", "Bound", "pv", "1Gi", "RWO,ROX,RWX,RWOP", "fast", "gold", "5s", "Filesystem"],
      ],
      [
        "PersistentVolumeClaim",
        { ...claim, spec: {} },
        ["a", "Bound", "", "", "", "", "<unset>", "5s", ""],
      ],
      [
        "PersistentVolume",
        {
          spec: {
            ...{
              capacity: { storage: "1Gi" },
              accessModes: ["ReadWriteOnce"],
              volumeMode: "Block",
            },
            ...{ persistentVolumeReclaimPolicy: "Delete", storageClassName: "fast" },
            claimRef: { namespace: "jobs", name: "c" },
          },
          status: { phase: "Bound", reason: "x" },
        },
        ["a", "1Gi", "RWO", "Delete", "Bound", "jobs/c", "fast", "<unset>", "x", "5s", "Block"],
      ],
      ["PersistentVolume", {}, ["a", "", "", "", "", "", "", "<unset>", "", "5s", "<unset>"]],
      [
        "StorageClass",
        {
          ...{ provisioner: "p", reclaimPolicy: "Retain", allowVolumeExpansion: true },
          volumeBindingMode: "WaitForFirstConsumer",
        },
        ["a", "p", "Retain", "WaitForFirstConsumer", true, "5s"],
      ],
      ["StorageClass", {}, ["a", "", "Delete", "Immediate", false, "5s"]],
      [
        "PodDisruptionBudget",
        { spec: { minAvailable: "50%" }, status: { disruptionsAllowed: 2 } },
        ["a", "50%", "N/A", 2, "5s"],
      ],
      ["PodDisruptionBudget", { spec: { maxUnavailable: 1 } }, ["a", "N/A", "1", 0, "5s"]],
      [
        "Event",
        event,
        [
          "30s",
          "Warning",
          "Failed",
          "pod/p",
          "spec.containers{main}",
          "kubelet,n",
          "words",
          "5m",
          4,
          "a",
        ],
      ],
      ["Event", { eventTime: before(7) }, ["7s", "", "", "/", "", "", "", "7s", 1, "a"]],
      [
        "Node",
        node,
        ["a", "Ready", none, "5s", "v1.36.0", "10.0.0.1", none, "os", "6.1", "runtime"],
      ],
      [
        "Node",
        { status: { conditions: [{ type: "Ready", status: "False" }] } },
        ["a", "NotReady", none, "5s", "", none, none, "<unknown>", "<unknown>", "<unknown>"],
      ],
      [
        "Node",
        {},
        ["a", "Unknown", none, "5s", "", none, none, "<unknown>", "<unknown>", "<unknown>"],
      ],
      [
        "ResourceQuota",
        {
          status: {
            hard: { "requests.cpu": "4", "limits.memory": "8Gi", pods: "9" },
            used: { pods: "2" },
          },
        },
        ["a", "pods: 2/9, requests.cpu: 0/4", "limits.memory: 0/8Gi", "5s"],
      ],
      ["LimitRange", {}, ["a", before(5)]],
      [
        "NetworkPolicy",
        { spec: { podSelector: { matchLabels: { role: "driver" } } } },
        ["a", "role=driver", "5s"],
      ],
      [
        "PriorityClass",
        { value: 7, globalDefault: true, preemptionPolicy: "Never" },
        ["a", 7, true, "5s", "Never"],
      ],
      ["PriorityClass", {}, ["a", 0, false, "5s", ""]],
      ["Role", {}, ["a", before(5)]],
      ["ClusterRole", {}, ["a", before(5)]],
      ["RoleBinding", binding, bound],
      ["ClusterRoleBinding", binding, bound],
      ["CustomResourceDefinition", {}, ["a", before(5)]],
      ["Lease", { spec: { holderIdentity: "me" } }, ["a", "me", "5s"]],
    ];
    for (const [kind, fields, cells] of rows) assert.deepEqual(cellsOf(kind, fields), cells, kind);
    const annotations = { "storageclass.kubernetes.io/is-default-class": "true" };
    const named = cellsOf("StorageClass", {}, { annotations });
    assert.equal((named as readonly unknown[])[0], "a (default)");
    for (const kind of ["PersistentVolume", "PersistentVolumeClaim"]) {
      const deleted = cellsOf(kind, {}, { deletionTimestamp: before(1) });
      assert.ok((deleted as readonly unknown[]).includes("Terminating"), kind);
    }
  });

  test("contains the object as a whole, its metadata, or not at all", () => {
    const objectIn = (includeObject: string): unknown =>
      fieldsOf(itemsOf(tableOf("Secret", { type: "x" }, {}, includeObject)["rows"])[0])["object"];
    const metadata = { name: "a", namespace: "jobs", creationTimestamp: before(5) };
    assert.equal(objectIn("None"), null);
    assert.deepEqual(objectIn("Object"), { type: "x", metadata });
    assert.deepEqual(objectIn("Metadata"), {
      ...{ kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1", metadata },
    });
  });
});
