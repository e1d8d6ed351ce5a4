import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { leaveOut, type JsonMembers } from "../../../../src/sandbox/kubeObject.ts";
import { withSchemaDefaults } from "../../../../src/sandbox/rules/defaults.ts";
import { asSent } from "../api/apiRig.ts";

/** Returns the object with its defaults, without its kind. */
function filled(
  apiVersion: string,
  kind: string,
  more: JsonMembers,
  metadata: JsonMembers = {},
): unknown {
  const object = { apiVersion, kind, metadata: { name: "one", ...metadata }, ...more };
  const result = withSchemaDefaults(object);
  assert.deepEqual([result.apiVersion, result.kind], [apiVersion, kind]);
  const names = kind === "Namespace" ? [] : ["metadata"];
  return asSent(leaveOut(result, "apiVersion", "kind", ...names));
}
const spec = (apiVersion: string, kind: string, members: JsonMembers): unknown =>
  (filled(apiVersion, kind, { spec: members }) as { readonly spec: unknown }).spec;

describe("the defaults of a pod", () => {
  const podSpec = (members: JsonMembers): Readonly<Record<string, unknown>> =>
    spec("v1", "Pod", members) as Readonly<Record<string, unknown>>;
  const defaults = {
    dnsPolicy: "ClusterFirst",
    enableServiceLinks: true,
    restartPolicy: "Always",
    schedulerName: "default-scheduler",
    securityContext: {},
    terminationGracePeriodSeconds: 30,
  };
  const containerDefaults = {
    imagePullPolicy: "Always",
    terminationMessagePath: "/dev/termination-log",
    terminationMessagePolicy: "File",
    resources: {},
  };

  test("fill in only missing members", () => {
    assert.deepEqual(podSpec({}), defaults);
    const own = {
      dnsPolicy: "Default",
      enableServiceLinks: false,
      restartPolicy: "Never",
      schedulerName: "mine",
      securityContext: { runAsUser: 1 },
      terminationGracePeriodSeconds: 0,
    };
    assert.deepEqual(podSpec(own), own);
    assert.deepEqual(filled("v1", "Pod", {}), {});
  });

  test("set both names of the service account", () => {
    for (const own of [
      { serviceAccountName: "a" },
      { serviceAccount: "a" },
      { serviceAccountName: "a", serviceAccount: "b" },
    ]) {
      const { serviceAccountName, serviceAccount } = podSpec(own);
      assert.deepEqual([serviceAccountName, serviceAccount], ["a", "a"]);
    }
  });

  for (const list of ["containers", "initContainers"]) {
    const container = (members: JsonMembers): unknown => {
      const containers = podSpec({ [list]: [members] })[list];
      return (containers as readonly unknown[])[0];
    };

    test(`fill in ${list}`, () => {
      assert.deepEqual(container({ name: "a", image: "x" }), {
        name: "a",
        image: "x",
        ...containerDefaults,
      });
      const own = {
        imagePullPolicy: "Never",
        terminationMessagePath: "/x",
        terminationMessagePolicy: "FallbackToLogsOnError",
      };
      assert.deepEqual(container(own), { ...own, resources: {} });
    });

    test(`set requests of ${list} from their limits`, () => {
      const resources = (members: JsonMembers): unknown =>
        (container({ resources: members }) as { readonly resources: unknown }).resources;
      assert.deepEqual(resources({ limits: { cpu: "2", memory: "1Gi" }, requests: { cpu: "1" } }), {
        limits: { cpu: "2", memory: "1Gi" },
        requests: { cpu: "1", memory: "1Gi" },
      });
      assert.deepEqual(resources({ requests: { cpu: "1" } }), { requests: { cpu: "1" } });
    });

    test(`fill in ports, variables, probes and hooks of ${list}`, () => {
      const probe = { failureThreshold: 3, periodSeconds: 10, successThreshold: 1 };
      const get = { path: "/", scheme: "HTTP" };
      assert.deepEqual(
        container({
          ports: [{ containerPort: 1 }, { containerPort: 2, protocol: "UDP" }],
          env: [
            { name: "A", value: "" },
            { name: "B", valueFrom: { fieldRef: { fieldPath: "status.podIP" } } },
            { name: "C", valueFrom: { resourceFieldRef: { resource: "limits.cpu" } } },
            {
              name: "D",
              valueFrom: { resourceFieldRef: { resource: "limits.cpu", divisor: "1m" } },
            },
            { name: "E", valueFrom: { fieldRef: { apiVersion: "v2", fieldPath: "x" } } },
          ],
          livenessProbe: { httpGet: { port: 1 } },
          readinessProbe: { timeoutSeconds: 9, exec: { command: ["a"] } },
          startupProbe: { httpGet: { port: 1, path: "/x", scheme: "HTTPS" } },
          lifecycle: {
            postStart: { httpGet: { port: 1 } },
            preStop: { exec: { command: ["a"] } },
          },
        }),
        {
          ...containerDefaults,
          ports: [
            { containerPort: 1, protocol: "TCP" },
            { containerPort: 2, protocol: "UDP" },
          ],
          env: [
            { name: "A", value: "" },
            { name: "B", valueFrom: { fieldRef: { apiVersion: "v1", fieldPath: "status.podIP" } } },
            {
              name: "C",
              valueFrom: { resourceFieldRef: { divisor: "0", resource: "limits.cpu" } },
            },
            {
              name: "D",
              valueFrom: { resourceFieldRef: { resource: "limits.cpu", divisor: "1m" } },
            },
            { name: "E", valueFrom: { fieldRef: { apiVersion: "v2", fieldPath: "x" } } },
          ],
          livenessProbe: { ...probe, timeoutSeconds: 1, httpGet: { ...get, port: 1 } },
          readinessProbe: { ...probe, timeoutSeconds: 9, exec: { command: ["a"] } },
          startupProbe: {
            ...probe,
            timeoutSeconds: 1,
            httpGet: { port: 1, path: "/x", scheme: "HTTPS" },
          },
          lifecycle: {
            postStart: { httpGet: { ...get, port: 1 } },
            preStop: { exec: { command: ["a"] } },
          },
        },
      );
    });
  }

  for (const [image, policy] of [
    ["x", "Always"],
    ["x:latest", "Always"],
    ["x:1", "IfNotPresent"],
    ["x:1-latest", "IfNotPresent"],
    ["r.example.com:5000/x", "Always"],
    ["r.example.com:5000/x:1", "IfNotPresent"],
    ["r.example.com/x@sha256:0a", "IfNotPresent"],
    ["a@b/x", "Always"],
    ["", "Always"],
  ] as const) {
    test(`pull the image "${image}" ${policy}`, () => {
      const { containers } = podSpec({ containers: [{ image }] });
      const [first] = containers as readonly { readonly imagePullPolicy: unknown }[];
      assert.equal(first?.imagePullPolicy, policy);
    });
  }

  test("pull an image without a name always", () => {
    assert.deepEqual(podSpec({ containers: [{}] })["containers"], [containerDefaults]);
  });

  for (const [volume, expected] of [
    [{ name: "v" }, { name: "v", emptyDir: {} }],
    [{ emptyDir: { medium: "Memory" } }, { emptyDir: { medium: "Memory" } }],
    [{ configMap: { name: "c" } }, { configMap: { defaultMode: 420, name: "c" } }],
    [{ secret: { defaultMode: 256 } }, { secret: { defaultMode: 256 } }],
    [{ hostPath: { path: "/x" } }, { hostPath: { type: "", path: "/x" } }],
    [{ persistentVolumeClaim: { claimName: "c" } }, { persistentVolumeClaim: { claimName: "c" } }],
    [{ nfs: { path: "/x" } }, { nfs: { path: "/x" } }],
    [
      {
        downwardAPI: {
          items: [
            { path: "a", fieldRef: { fieldPath: "metadata.name" } },
            { path: "b", resourceFieldRef: { resource: "limits.cpu" } },
          ],
        },
      },
      {
        downwardAPI: {
          defaultMode: 420,
          items: [
            { path: "a", fieldRef: { apiVersion: "v1", fieldPath: "metadata.name" } },
            { path: "b", resourceFieldRef: { divisor: "0", resource: "limits.cpu" } },
          ],
        },
      },
    ],
    [
      {
        projected: {
          sources: [
            { serviceAccountToken: { path: "t" } },
            { serviceAccountToken: { path: "t", expirationSeconds: 600 } },
            { downwardAPI: { items: [{ path: "a", fieldRef: { fieldPath: "metadata.name" } }] } },
            { configMap: { name: "c" } },
          ],
        },
      },
      {
        projected: {
          defaultMode: 420,
          sources: [
            { serviceAccountToken: { expirationSeconds: 3600, path: "t" } },
            { serviceAccountToken: { path: "t", expirationSeconds: 600 } },
            {
              downwardAPI: {
                items: [{ path: "a", fieldRef: { apiVersion: "v1", fieldPath: "metadata.name" } }],
              },
            },
            { configMap: { name: "c" } },
          ],
        },
      },
    ],
    [{ projected: { defaultMode: 256 } }, { projected: { defaultMode: 256 } }],
  ] as const) {
    test(`fill in the volume ${JSON.stringify(volume)}`, () => {
      assert.deepEqual(podSpec({ volumes: [volume] })["volumes"], [expected]);
    });
  }

  test("fill in the status", () => {
    const status = (members: JsonMembers): unknown => filled("v1", "Pod", { status: members });
    const ready = { type: "Ready", status: "True" };
    assert.deepEqual(status({ podIP: "127.0.0.1", conditions: [ready] }), {
      status: {
        podIP: "127.0.0.1",
        podIPs: [{ ip: "127.0.0.1" }],
        conditions: [{ ...ready, lastProbeTime: null, lastTransitionTime: null }],
      },
    });
    const timed = { ...ready, lastProbeTime: "a", lastTransitionTime: "b" };
    assert.deepEqual(status({ podIPs: [], podIP: "a", conditions: [timed] }), {
      status: { podIPs: [], podIP: "a", conditions: [timed] },
    });
    assert.deepEqual(status({}), { status: {} });
  });
});

describe("the defaults of a service", () => {
  const service = (members: JsonMembers): unknown => spec("v1", "Service", members);
  const common = { sessionAffinity: "None", internalTrafficPolicy: "Cluster" };
  const families = { ipFamilies: ["IPv4"], ipFamilyPolicy: "SingleStack" };
  for (const [title, given, expected] of [
    ["without a type", {}, { ...common, ...families, type: "ClusterIP" }],
    [
      "without an address",
      { clusterIP: "None" },
      { ...common, ...families, type: "ClusterIP", clusterIP: "None", clusterIPs: ["None"] },
    ],
    [
      "of type NodePort",
      { type: "NodePort" },
      { ...common, ...families, type: "NodePort", externalTrafficPolicy: "Cluster" },
    ],
    [
      "of type LoadBalancer",
      { type: "LoadBalancer" },
      {
        ...common,
        ...families,
        type: "LoadBalancer",
        externalTrafficPolicy: "Cluster",
        allocateLoadBalancerNodePorts: true,
      },
    ],
    [
      "of type ExternalName",
      { type: "ExternalName" },
      { sessionAffinity: "None", type: "ExternalName" },
    ],
    [
      "with ports",
      {
        ports: [{ port: 1 }, { port: 2, targetPort: "ui", protocol: "UDP" }],
      },
      {
        ...common,
        ...families,
        type: "ClusterIP",
        ports: [
          { protocol: "TCP", port: 1, targetPort: 1 },
          { protocol: "UDP", port: 2, targetPort: "ui" },
        ],
      },
    ],
    [
      "with its own values",
      {
        sessionAffinity: "ClientIP",
        sessionAffinityConfig: { clientIP: {} },
        ipFamilies: ["IPv6"],
      },
      {
        ...common,
        ...families,
        type: "ClusterIP",
        sessionAffinity: "ClientIP",
        sessionAffinityConfig: { clientIP: {} },
        ipFamilies: ["IPv6"],
      },
    ],
  ] as const) {
    test(title, () => {
      assert.deepEqual(service(given), expected);
    });
  }
});

describe("the defaults of other kinds", () => {
  const rbac = "rbac.authorization.k8s.io";
  const names = (members: JsonMembers): JsonMembers => ({ spec: { names: members } });
  const rows: readonly (readonly [
    title: string,
    apiVersion: string,
    kind: string,
    given: JsonMembers,
    expected: unknown,
  ])[] = [
    [
      "event",
      "v1",
      "Event",
      { eventTime: "t" },
      {
        eventTime: "t",
        firstTimestamp: null,
        lastTimestamp: null,
        reportingComponent: "",
        reportingInstance: "",
      },
    ],
    ["secret without data", "v1", "Secret", {}, { type: "Opaque" }],
    [
      "secret with texts",
      "v1",
      "Secret",
      { type: "a/b", stringData: { a: "x", b: "y" }, data: { a: "AA==", c: "AA==" } },
      { type: "a/b", data: { a: "eA==", b: "eQ==", c: "AA==" } },
    ],
    ["config map", "v1", "ConfigMap", { data: {} }, { data: {} }],
    [
      "persistent volume claim",
      "v1",
      "PersistentVolumeClaim",
      { spec: {} },
      { spec: { volumeMode: "Filesystem" } },
    ],
    [
      "persistent volume",
      "v1",
      "PersistentVolume",
      { spec: { volumeMode: "Block" } },
      { spec: { persistentVolumeReclaimPolicy: "Retain", volumeMode: "Block" } },
    ],
    [
      "network policy for ingress",
      "networking.k8s.io/v1",
      "NetworkPolicy",
      { spec: { ingress: [{ ports: [{ port: 1 }, { port: 2, protocol: "UDP" }] }, {}] } },
      {
        spec: {
          policyTypes: ["Ingress"],
          ingress: [
            {
              ports: [
                { port: 1, protocol: "TCP" },
                { port: 2, protocol: "UDP" },
              ],
            },
            {},
          ],
        },
      },
    ],
    [
      "network policy for egress",
      "networking.k8s.io/v1",
      "NetworkPolicy",
      { spec: { egress: [{ ports: [{ port: 1 }] }] } },
      {
        spec: {
          policyTypes: ["Ingress", "Egress"],
          egress: [{ ports: [{ port: 1, protocol: "TCP" }] }],
        },
      },
    ],
    [
      "priority class",
      "scheduling.k8s.io/v1",
      "PriorityClass",
      {},
      { preemptionPolicy: "PreemptLowerPriority" },
    ],
    [
      "priority class without preemption",
      "scheduling.k8s.io/v1",
      "PriorityClass",
      { preemptionPolicy: "Never" },
      { preemptionPolicy: "Never" },
    ],
    [
      "storage class",
      "storage.k8s.io/v1",
      "StorageClass",
      {},
      { reclaimPolicy: "Delete", volumeBindingMode: "Immediate" },
    ],
    [
      "storage class with values",
      "storage.k8s.io/v1",
      "StorageClass",
      { reclaimPolicy: "Retain", volumeBindingMode: "WaitForFirstConsumer" },
      { reclaimPolicy: "Retain", volumeBindingMode: "WaitForFirstConsumer" },
    ],
    ...["RoleBinding", "ClusterRoleBinding"].map(
      (kind) =>
        [
          kind,
          `${rbac}/v1`,
          kind,
          {
            roleRef: { kind: "Role", name: "r" },
            subjects: [
              { kind: "User", name: "u" },
              { kind: "ServiceAccount", name: "a" },
              { kind: "Group", name: "g", apiGroup: "other" },
            ],
          },
          {
            roleRef: { apiGroup: rbac, kind: "Role", name: "r" },
            subjects: [
              { apiGroup: rbac, kind: "User", name: "u" },
              { kind: "ServiceAccount", name: "a" },
              { kind: "Group", name: "g", apiGroup: "other" },
            ],
          },
        ] as const,
    ),
    [
      "definition",
      "apiextensions.k8s.io/v1",
      "CustomResourceDefinition",
      names({ kind: "SparkApp" }),
      {
        spec: {
          conversion: { strategy: "None" },
          names: { kind: "SparkApp", singular: "sparkapp", listKind: "SparkAppList" },
        },
      },
    ],
    [
      "definition with names",
      "apiextensions.k8s.io/v1",
      "CustomResourceDefinition",
      names({ kind: "SparkApp", singular: "app", listKind: "Apps" }),
      {
        spec: {
          conversion: { strategy: "None" },
          names: { kind: "SparkApp", singular: "app", listKind: "Apps" },
        },
      },
    ],
    ["kind of another version", "v2", "Secret", {}, {}],
  ];
  for (const [title, apiVersion, kind, given, expected] of rows) {
    test(title, () => {
      assert.deepEqual(filled(apiVersion, kind, given), expected);
    });
  }

  test("namespace", () => {
    const label = { "kubernetes.io/metadata.name": "one" };
    assert.deepEqual(filled("v1", "Namespace", {}), { metadata: { name: "one", labels: label } });
    assert.deepEqual(filled("v1", "Namespace", {}, { labels: { team: "etl" } }), {
      metadata: { name: "one", labels: { team: "etl", ...label } },
    });
  });

  describe("limit range", () => {
    for (const [title, limit, expected] of [
      ["of pods", { type: "Pod", max: { cpu: "2" } }, { type: "Pod", max: { cpu: "2" } }],
      ["without amounts", { type: "Container" }, { type: "Container" }],
      [
        "with a maximum",
        { type: "Container", max: { cpu: "2" } },
        {
          type: "Container",
          max: { cpu: "2" },
          default: { cpu: "2" },
          defaultRequest: { cpu: "2" },
        },
      ],
      [
        "with a minimum",
        { type: "Container", min: { cpu: "1" } },
        { type: "Container", min: { cpu: "1" }, defaultRequest: { cpu: "1" } },
      ],
      [
        "with all amounts",
        {
          type: "Container",
          min: { a: "1", b: "1", c: "1" },
          max: { a: "9", b: "9" },
          default: { a: "5" },
          defaultRequest: { d: "3" },
        },
        {
          type: "Container",
          min: { a: "1", b: "1", c: "1" },
          max: { a: "9", b: "9" },
          default: { a: "5", b: "9" },
          defaultRequest: { a: "5", b: "9", c: "1", d: "3" },
        },
      ],
    ] as const) {
      test(title, () => {
        assert.deepEqual(spec("v1", "LimitRange", { limits: [limit] }), { limits: [expected] });
      });
    }
  });
});
