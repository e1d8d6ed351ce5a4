import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { fieldAt, fieldsOf, itemsOf, textAt } from "../../../../src/base/json.ts";
import type { JsonMembers, KubeObject } from "../../../../src/sandbox/kubeObject.ts";
import { admit } from "../../../../src/sandbox/rules/admit.ts";
import { asSent, kindNamed, refusalOf, refusalText, startApi, thing } from "../api/apiRig.ts";

/** Starts an API and returns a function that admits an object of a kind. */
function admitting() {
  const { context, kinds, objects } = startApi();
  const store = (kind: string, name: string, more: JsonMembers = {}, metadata = {}): void => {
    const { resource, namespaced } = kindNamed(kinds, kind);
    objects.create(resource, {
      ...{ apiVersion: "v1", kind },
      metadata: { name, ...(namespaced && { namespace: "jobs" }), ...metadata },
      ...more,
    });
  };
  const admitted = (kind: string, more: JsonMembers = {}, metadata: JsonMembers = {}): KubeObject =>
    admit(context, kindNamed(kinds, kind), {
      ...{ apiVersion: "v1", kind },
      metadata: { name: "one", namespace: "jobs", ...metadata },
      ...more,
    });
  const podSpec = (spec: JsonMembers = {}): Readonly<Record<string, unknown>> =>
    fieldsOf(asSent(admitted("Pod", { spec })["spec"] as JsonMembers));
  return { context, objects, store, admitted, podSpec };
}

describe("the namespace of a new object", () => {
  test("must exist", () => {
    const { admitted } = admitting();
    const text = refusalText(() => admitted("ConfigMap", {}, { namespace: "none" }));
    assert.equal(text, '404 namespaces "none" not found');
    assert.match(
      refusalText(() => admitted("ConfigMap", {}, { namespace: undefined })),
      /^404 namespaces "" not found$/,
    );
    assert.equal(admitted("PriorityClass", {}, { namespace: "none" }).kind, "PriorityClass");
  });

  for (const [kind, details, place] of [
    ["ConfigMap", { kind: "configmaps" }, "configmaps"],
    ["Ingress", { group: "networking.k8s.io", kind: "ingresses" }, "ingresses.networking.k8s.io"],
  ] as const) {
    test(`must not be terminating for a new ${kind}`, () => {
      const { objects, admitted } = admitting();
      const finalizers = ["example.com/hold"];
      objects.create("namespaces", {
        ...{ apiVersion: "v1", kind: "Namespace", metadata: { name: "old", finalizers } },
      });
      objects.remove({ resource: "namespaces", namespace: "", name: "old" });
      const refusal = refusalOf(() => admitted(kind, {}, { namespace: "old" }));
      assert.deepEqual([refusal.code, refusal.reason], [403, "Forbidden"]);
      assert.equal(
        refusal.message,
        `${place} "one" is forbidden: unable to create new content in namespace old because it is being terminated`,
      );
      assert.deepEqual(refusal.details, {
        name: "one",
        ...details,
        causes: [
          {
            reason: "NamespaceTerminating",
            message: "namespace old is being terminated",
            field: "metadata.namespace",
          },
        ],
      });
    });
  }

  test("must exist for a custom object, which is not changed", () => {
    const { context } = admitting();
    const object = (namespace: string): KubeObject => ({
      ...{ apiVersion: "example.com/v1", kind: "Pod", metadata: { name: "one", namespace } },
    });
    const jobs = object("jobs");
    assert.equal(admit(context, thing("v1"), jobs), jobs);
    assert.match(
      refusalText(() => admit(context, thing("v1"), object("none"))),
      /^404 /,
    );
  });
});

describe("a new pod", () => {
  const path = "/var/run/secrets/kubernetes.io/serviceaccount";
  const mountsOf = (spec: Readonly<Record<string, unknown>>, list = "containers"): unknown =>
    itemsOf(spec[list]).map((one) =>
      itemsOf(fieldAt(one, "volumeMounts")).map((mount) => textAt(mount, "mountPath")),
    );

  test("gets the default service account, a token, a priority and tolerations", () => {
    const { podSpec } = admitting();
    const spec = podSpec({ containers: [{ name: "a" }] });
    const [volume] = itemsOf(spec["volumes"]);
    const name = textAt(volume, "name") ?? "";
    assert.match(name, /^kube-api-access-[a-z0-9]{5}$/);
    assert.deepEqual(spec, {
      containers: [{ name: "a", volumeMounts: [{ name, readOnly: true, mountPath: path }] }],
      serviceAccountName: "default",
      serviceAccount: "default",
      volumes: [
        {
          name,
          projected: {
            defaultMode: 420,
            sources: [
              { serviceAccountToken: { expirationSeconds: 3607, path: "token" } },
              {
                configMap: {
                  name: "kube-root-ca.crt",
                  items: [{ key: "ca.crt", path: "ca.crt" }],
                },
              },
              {
                downwardAPI: {
                  items: [
                    {
                      path: "namespace",
                      fieldRef: { apiVersion: "v1", fieldPath: "metadata.namespace" },
                    },
                  ],
                },
              },
            ],
          },
        },
      ],
      priority: 0,
      preemptionPolicy: "PreemptLowerPriority",
      tolerations: ["not-ready", "unreachable"].map((condition) => ({
        key: `node.kubernetes.io/${condition}`,
        operator: "Exists",
        effect: "NoExecute",
        tolerationSeconds: 300,
      })),
    });
  });

  test("must have a service account that exists", () => {
    const { admitted, store, podSpec } = admitting();
    assert.equal(
      refusalText(() => admitted("Pod", { spec: { serviceAccountName: "spark" } })),
      '403 pods "one" is forbidden: error looking up service account jobs/spark: serviceaccount "spark" not found',
    );
    store("ServiceAccount", "spark");
    const { serviceAccountName, serviceAccount } = podSpec({ serviceAccountName: "spark" });
    assert.deepEqual([serviceAccountName, serviceAccount], ["spark", "spark"]);
  });

  for (const [own, account, isMounted] of [
    [undefined, undefined, true],
    [undefined, true, true],
    [undefined, false, false],
    [true, false, true],
    [false, true, false],
  ] as const) {
    test(`mounts ${isMounted ? "a" : "no"} token: pod ${own ?? "unset"}, account ${account ?? "unset"}`, () => {
      const { store, podSpec } = admitting();
      store("ServiceAccount", "spark", { automountServiceAccountToken: account });
      const spec = podSpec({
        containers: [{ name: "a" }],
        serviceAccountName: "spark",
        automountServiceAccountToken: own,
      });
      assert.deepEqual(mountsOf(spec), [isMounted ? [path] : []]);
      assert.equal(itemsOf(spec["volumes"]).length, isMounted ? 1 : 0);
    });
  }

  test("mounts the token in each container that has no mount at its path", () => {
    const { podSpec } = admitting();
    const own = { name: "own", mountPath: path };
    const data = { name: "data", mountPath: "/data" };
    const spec = podSpec({
      containers: [
        { name: "a", volumeMounts: [own] },
        { name: "b", volumeMounts: [data] },
      ],
      initContainers: [{ name: "i" }, { name: "j", volumeMounts: [own] }],
      volumes: [{ name: "own" }],
    });
    assert.deepEqual(mountsOf(spec), [[path], ["/data", path]]);
    assert.deepEqual(mountsOf(spec, "initContainers"), [[path], [path]]);
    assert.equal(itemsOf(spec["volumes"]).length, 2);
    const all = podSpec({ containers: [{ name: "a", volumeMounts: [own] }] });
    assert.equal("volumes" in all, false);
    const initial = podSpec({
      containers: [{ name: "a", volumeMounts: [own] }],
      initContainers: [{ name: "i" }],
    });
    assert.equal(itemsOf(initial["volumes"]).length, 1);
    assert.deepEqual(mountsOf(initial, "initContainers"), [[path]]);
    assert.equal("initContainers" in podSpec({ containers: [{ name: "a" }] }), false);
  });

  describe("tolerates", () => {
    const notReady = "node.kubernetes.io/not-ready";
    const unreachable = "node.kubernetes.io/unreachable";
    for (const [title, own, ...added] of [
      ["both conditions of a node for 300 s", [], notReady, unreachable],
      [
        "both conditions besides other taints",
        [{ key: "gpu", operator: "Exists" }],
        notReady,
        unreachable,
      ],
      ["one condition by its own toleration", [{ key: notReady, operator: "Exists" }], unreachable],
      [
        "one condition by its own toleration with the effect",
        [{ key: unreachable, operator: "Exists", effect: "NoExecute" }],
        notReady,
      ],
      [
        "conditions besides its own toleration of another effect",
        [{ key: notReady, operator: "Exists", effect: "NoSchedule" }],
        notReady,
        unreachable,
      ],
      ["all taints by its own toleration without a key", [{ operator: "Exists" }]],
    ] as const) {
      test(title, () => {
        const { podSpec } = admitting();
        const tolerations = itemsOf(podSpec({ tolerations: own })["tolerations"]);
        assert.deepEqual(tolerations.slice(0, own.length), own);
        const rest = tolerations.slice(own.length).map((one) => textAt(one, "key"));
        assert.deepEqual(rest, added);
      });
    }
  });

  describe("has the priority", () => {
    const priorityOf = (spec: JsonMembers, isDefault = true): unknown => {
      const { podSpec, store } = admitting();
      store("PriorityClass", "high", { value: 100, preemptionPolicy: "Never" });
      if (isDefault) store("PriorityClass", "usual", { value: 5, globalDefault: true });
      const { priority, preemptionPolicy, priorityClassName } = podSpec(spec);
      return [priority, preemptionPolicy, priorityClassName];
    };

    test("of its class", () => {
      assert.deepEqual(priorityOf({ priorityClassName: "high" }), [100, "Never", "high"]);
    });

    test("of the default class, or 0", () => {
      assert.deepEqual(priorityOf({}), [5, "PreemptLowerPriority", "usual"]);
      assert.deepEqual(priorityOf({}, false), [0, "PreemptLowerPriority", undefined]);
    });

    test("only of a class that exists", () => {
      assert.equal(
        refusalText(() => priorityOf({ priorityClassName: "none" })),
        '403 pods "one" is forbidden: no PriorityClass with name none was found',
      );
    });

    test("of its spec only if its class has the same", () => {
      const spec = { priorityClassName: "high", priority: 100 };
      assert.deepEqual(priorityOf(spec), [100, "Never", "high"]);
      assert.equal(
        refusalText(() => priorityOf({ priority: 7 })),
        '403 pods "one" is forbidden: the integer value of priority (7) must not be provided in pod spec; priority admission controller computed 5 from the given PriorityClass name',
      );
      assert.match(
        refusalText(() => priorityOf({ priority: 7 }, false)),
        /computed 0 from the given PriorityClass name$/,
      );
    });
  });
});

describe("a new claim", () => {
  const isDefault = { annotations: { "storageclass.kubernetes.io/is-default-class": "true" } };
  const other = { annotations: { "storageclass.kubernetes.io/is-default-class": "false" } };

  test("gets the default storage class, unless it names one", () => {
    const { admitted, store } = admitting();
    const classOf = (spec?: JsonMembers): unknown =>
      fieldAt(admitted("PersistentVolumeClaim", spec && { spec })["spec"], "storageClassName");
    store("StorageClass", "fast", {}, other);
    assert.equal(classOf({}), undefined);
    store("StorageClass", "standard", {}, isDefault);
    assert.equal(classOf({}), "standard");
    assert.equal(classOf(), "standard");
    assert.equal(classOf({ storageClassName: "fast" }), "fast");
    assert.equal(classOf({ storageClassName: "" }), "");
  });

  test("is protected by a finalizer, like a volume", () => {
    const { admitted } = admitting();
    const of = (kind: string, finalizers?: readonly string[]): unknown =>
      admitted(kind, {}, finalizers && { finalizers }).metadata.finalizers;
    const [claim, volume] = ["kubernetes.io/pvc-protection", "kubernetes.io/pv-protection"];
    assert.deepEqual(of("PersistentVolumeClaim"), [claim]);
    assert.deepEqual(of("PersistentVolumeClaim", ["example.com/a", claim]), [
      "example.com/a",
      claim,
    ]);
    assert.deepEqual(of("PersistentVolume"), [volume]);
    assert.deepEqual(of("PersistentVolume", ["example.com/a"]), ["example.com/a", volume]);
    assert.equal(of("ConfigMap"), undefined);
  });
});

describe("the address of a new service", () => {
  const addressesOf = ({ spec }: KubeObject): unknown => [
    fieldAt(spec, "clusterIP"),
    fieldAt(spec, "clusterIPs"),
  ];

  test("is the first free one", () => {
    const { admitted, store } = admitting();
    const take = (clusterIP: string): void => {
      store("Service", `s-${clusterIP.replaceAll(".", "-")}`, { spec: { clusterIP } });
    };
    const next = (): unknown => addressesOf(admitted("Service", { spec: { type: "ClusterIP" } }));
    assert.deepEqual(next(), ["10.96.0.1", ["10.96.0.1"]]);
    ["10.96.0.1", "10.96.0.2", "10.96.0.4"].forEach(take);
    assert.deepEqual(next(), ["10.96.0.3", ["10.96.0.3"]]);
    assert.deepEqual(addressesOf(admitted("Service")), ["10.96.0.3", ["10.96.0.3"]]);
    for (let last = 5; last < 256; last += 1) take(`10.96.0.${last}`);
    take("10.96.0.3");
    assert.deepEqual(next(), ["10.96.1.0", ["10.96.1.0"]]);
  });

  test("is the one of its spec", () => {
    const { admitted } = admitting();
    const of = (clusterIP: string): unknown =>
      addressesOf(admitted("Service", { spec: { clusterIP } }));
    assert.deepEqual(of("10.0.0.9"), ["10.0.0.9", ["10.0.0.9"]]);
    assert.deepEqual(of(""), ["10.96.0.1", ["10.96.0.1"]]);
    for (const wrong of ["10.0.0", "x10.0.0.9", "10.0.0.9x", "::1"]) {
      assert.equal(
        refusalText(() => of(wrong)),
        `400 not an IP address: ${wrong}`,
      );
    }
  });

  test("is missing for headless services and external names", () => {
    const { admitted } = admitting();
    for (const spec of [{ clusterIP: "None" }, { type: "ExternalName" }]) {
      assert.deepEqual(admitted("Service", { spec })["spec"], spec);
    }
  });
});

describe("a quota", () => {
  for (const [kind, plural, more] of [
    ["Pod", "pods", { spec: { containers: [] } }],
    ["PersistentVolumeClaim", "persistentvolumeclaims", {}],
    ["Service", "services", {}],
    ["ConfigMap", "configmaps", {}],
    ["Secret", "secrets", {}],
  ] as const) {
    test(`limits the number of ${plural}`, () => {
      const { admitted, store } = admitting();
      store("ResourceQuota", "q", { spec: { hard: { [`count/${plural}`]: "1" } } });
      assert.equal(admitted(kind, more).kind, kind);
      store(kind, "first", more);
      assert.equal(
        refusalText(() => admitted(kind, more)),
        `403 ${plural} "one" is forbidden: exceeded quota: q, requested: count/${plural}=1, used: count/${plural}=1, limited: count/${plural}=1`,
      );
    });
  }
});
