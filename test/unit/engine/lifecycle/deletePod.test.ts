import assert from "node:assert/strict";
import { test } from "node:test";
import { err, ok, type Result } from "../../../../src/base/result.ts";
import type { ClusterError } from "../../../../src/engine/clusterError.ts";
import { deletedWithin, type Deletion } from "../../../../src/engine/lifecycle/deletePod.ts";
import { killExecutor, stopExecutor } from "../../../../src/engine/lifecycle/killExecutor.ts";
import type {
  DeleteOptions,
  ObjectApi,
  ObjectReference,
  StoredObject,
} from "../../../../src/engine/ports/objects.ts";
import { previewStop, stopApplication } from "../../../../src/engine/lifecycle/stopApplication.ts";
import type { Application } from "../../../../src/spark/pods/application.ts";
import { buildApplications } from "../../../../src/spark/pods/applications.ts";
import { decodeOperatorResource } from "../../../../src/spark/pods/operatorResource.ts";
import { firstOf } from "../../../../src/spark/pods/ordered.ts";
import { replacePods } from "../../../../src/spark/pods/podListing.ts";
import { emptySnapshot } from "../../../../src/spark/pods/podSnapshot.ts";
import { driverFixture, podFixture } from "../../pods/podFixture.ts";
import { unreachable } from "../fakePodServer.ts";

const conflict: ClusterError = { kind: "conflict", resource: "pods", name: "p", detail: "uid" };
const notFound: ClusterError = { kind: "notFound", resource: "pods", name: "p", detail: "" };
const forbidden: ClusterError = {
  kind: "forbidden",
  verb: "list",
  resource: "configmaps",
  namespace: "jobs",
  detail: "no",
};

interface Patched {
  readonly reference: ObjectReference;
  readonly patch: unknown;
}

interface Asked {
  readonly reference: ObjectReference;
  readonly options: DeleteOptions;
}

const notForThis = (): never => {
  throw new Error("not asked for here");
};

function fakeObjects(answers: {
  readonly deletion?: Result<void, ClusterError>;
  readonly patch?: Result<StoredObject, ClusterError>;
  readonly lists?: Readonly<Record<string, Result<readonly StoredObject[], ClusterError>>>;
}): {
  readonly objects: ObjectApi;
  readonly deletions: Asked[];
  readonly patches: Patched[];
  readonly selectors: string[];
} {
  const patches: Patched[] = [];
  const deletions: Asked[] = [];
  const selectors: string[] = [];
  const objects: ObjectApi = {
    create: notForThis,
    apply: notForThis,
    replace: notForThis,
    patch: (reference, patch) => {
      patches.push({ reference, patch });
      const stored = { ...reference, namespace: "jobs", uid: "uid-1", resourceVersion: "2" };
      return Promise.resolve(answers.patch ?? ok({ ...stored, body: {} }));
    },
    read: notForThis,
    delete: (reference, options) => {
      deletions.push({ reference, options });
      return Promise.resolve(answers.deletion ?? ok(undefined));
    },
    list: ({ kind }, namespace, selector) => {
      assert.ok(typeof selector === "string", "a page is asked for");
      selectors.push(`${kind} ${namespace} ${selector}`);
      return Promise.resolve(answers.lists?.[kind] ?? ok([]));
    },
  };
  return { objects, deletions, patches, selectors };
}

function application(): Application {
  const only = firstOf(
    buildApplications(replacePods(emptySnapshot, [driverFixture(), podFixture()]).snapshot)
      .applications,
  );
  assert.ok(only);
  return only;
}

const { signal } = new AbortController();

for (const [name, end, gracePeriodSeconds, mark] of [
  ["kills a marked executor within 1 s, as kubectl delete --now", killExecutor, 1, "killed"],
  [
    "stops a marked executor within the grace period of its pod",
    stopExecutor,
    undefined,
    "stopped",
  ],
] as const) {
  test(name, async () => {
    const { objects, deletions, patches } = fakeObjects({});
    const executor = firstOf(application().live);
    assert.ok(executor);
    const run = async (settings: Readonly<Record<string, string>>) => {
      const conf = new Map(Object.entries(settings));
      assert.deepEqual(await end(objects, executor, conf, signal), { kind: "deleted" });
    };
    await run({});
    const reference = { apiVersion: "v1", kind: "Pod", namespace: "jobs", name: "pi-exec-1" };
    const options = { uid: "uid-1", propagationPolicy: "Background", gracePeriodSeconds };
    assert.deepEqual(deletions, [{ reference, options }]);
    const labels = { "spark-k8s/requested-end": mark };
    const plain = { metadata: { uid: "uid-1", labels, annotations: {} } };
    assert.deepEqual(patches, [{ reference, patch: plain }]);
    const cost = { "spark.kubernetes.executor.podDeletionCost": "-100" };
    await run({
      ...cost,
      "spark.kubernetes.executor.decommissionLabel": "example.com/leaving",
      "spark.kubernetes.executor.decommissionLabelValue": "yes",
      "spark.kubernetes.allocation.pods.allocator": "deployment",
    });
    assert.deepEqual(patches[1]?.patch, {
      metadata: {
        uid: "uid-1",
        labels: { ...labels, "example.com/leaving": "yes" },
        annotations: { "controller.kubernetes.io/pod-deletion-cost": "-100" },
      },
    });
    await run(cost);
    assert.deepEqual(patches[2]?.patch, plain, "only Deployments read the cost");
  });
}

test("kills an executor without the right to mark it", async () => {
  const { objects, deletions } = fakeObjects({ patch: err(forbidden) });
  const executor = firstOf(application().live);
  assert.ok(executor);
  assert.deepEqual(await killExecutor(objects, executor, undefined, signal), { kind: "deleted" });
  assert.equal(deletions.length, 1);
});

test("stopping an application deletes its driver pod and leaves the rest to the cluster", async () => {
  const { objects, deletions } = fakeObjects({});
  assert.deepEqual(await stopApplication(objects, application(), signal), { kind: "deleted" });
  assert.deepEqual(
    deletions.map(({ reference, options }) => [reference.name, options.uid]),
    [["pi-0123456789abcdef-driver", "uid-driver"]],
  );
});

test("an application that an operator runs is stopped by its custom resource, as a driver pod alone would be replaced", async () => {
  const resource = decodeOperatorResource("sparkoperator.k8s.io/v1beta2", "SparkApplication", {
    metadata: { name: "pi", namespace: "jobs", uid: "uid-resource" },
    status: { applicationState: { state: "RUNNING" } },
  });
  assert.ok(resource);
  const { objects, deletions } = fakeObjects({});
  const operated = { ...application(), resource };
  assert.deepEqual(await stopApplication(objects, operated, signal), { kind: "deleted" });
  const waiting = { driver: undefined, resource };
  assert.deepEqual(await stopApplication(objects, waiting, signal), { kind: "deleted" });
  const ended = { ...operated, resource: { ...resource, hasEnded: true } };
  assert.deepEqual(await stopApplication(objects, ended, signal), { kind: "deleted" });
  assert.deepEqual(
    deletions.map(({ reference, options }) => [reference.kind, reference.name, options.uid]),
    [
      ["SparkApplication", "pi", "uid-resource"],
      ["SparkApplication", "pi", "uid-resource"],
      ["Pod", "pi-0123456789abcdef-driver", "uid-driver"],
    ],
  );
});

test("a deleted or replaced pod is no failure, and everything else is", async () => {
  const cases: [ClusterError, Deletion][] = [
    [notFound, { kind: "alreadyGone" }],
    [conflict, { kind: "replaced" }],
    [unreachable, { kind: "failed", error: unreachable }],
    [forbidden, { kind: "failed", error: forbidden }],
  ];
  for (const [error, expected] of cases) {
    const { objects } = fakeObjects({ deletion: err(error) });
    assert.deepEqual(await stopApplication(objects, application(), signal), expected);
  }
});

const owned = (kind: string, name: string, owner: string): StoredObject => ({
  apiVersion: "v1",
  kind,
  name,
  namespace: "jobs",
  uid: `uid-${name}`,
  resourceVersion: "1",
  body: { metadata: { ownerReferences: [{ uid: owner }] } },
});

test("the preview lists the driver's objects, and the kinds that may not be listed", async () => {
  const { objects, selectors } = fakeObjects({
    lists: {
      Service: ok([owned("Service", "pi-driver-svc", "uid-driver")]),
      ConfigMap: err(forbidden),
      PersistentVolumeClaim: ok([owned("PersistentVolumeClaim", "other", "uid-other")]),
    },
  });
  assert.deepEqual(await previewStop(objects, [application()], signal), {
    goes: [
      {
        driver: "pi-0123456789abcdef-driver",
        executors: ["pi-exec-1"],
        objects: [{ kind: "Service", name: "pi-driver-svc" }],
      },
    ],
    unlisted: ["ConfigMap"],
  });
  assert.deepEqual(selectors, [
    "Service jobs spark-app-selector=spark-1",
    "NetworkPolicy jobs spark-app-selector=spark-1",
    "ConfigMap jobs ",
    "PersistentVolumeClaim jobs spark-app-selector=spark-1",
  ]);
});

test("the preview of several drivers lists each kind once, and assigns objects to their drivers", async () => {
  const first = application();
  const { driver } = first;
  assert.ok(driver);
  const second = { ...first, driver: { ...driver, pod: { ...driver.pod, uid: "uid-other" } } };
  const claim = (name: string, owner: string) => owned("PersistentVolumeClaim", name, owner);
  const { objects, selectors } = fakeObjects({
    lists: { PersistentVolumeClaim: ok([claim("a", "uid-driver"), claim("b", "uid-other")]) },
  });
  const { goes } = await previewStop(objects, [first, second], signal);
  assert.deepEqual(
    goes.map((one) => one.objects.map(({ name }) => name)),
    [["a"], ["b"]],
  );
  assert.deepEqual(selectors, [
    "Service jobs spark-app-selector",
    "NetworkPolicy jobs spark-app-selector",
    "ConfigMap jobs ",
    "PersistentVolumeClaim jobs spark-app-selector",
  ]);
});

test("a deletion with a time limit of its own fails if the server does not answer", async (t) => {
  // Keeps the process alive until the tested time limit.
  const hold = setTimeout(() => undefined, 60_000);
  t.after(() => {
    clearTimeout(hold);
  });
  const never = (limit: AbortSignal): Promise<Deletion> =>
    new Promise((_, reject) => {
      limit.addEventListener("abort", () => {
        reject(new DOMException("The operation was canceled", "AbortError"));
      });
    });
  const late = await deletedWithin(10, never);
  assert.equal(late.kind === "failed" && late.error.kind, "unreachable");
  const gone = await deletedWithin(60_000, () => Promise.resolve({ kind: "alreadyGone" } as const));
  assert.deepEqual(gone, { kind: "alreadyGone" });
});
