import assert from "node:assert/strict";
import { test } from "node:test";
import type { TreeNode } from "../../../src/editor/apps/treeNode.ts";
import { TreeRows, type ShownApplications } from "../../../src/editor/apps/treeRows.ts";
import { noFilter, type ApplicationFilter } from "../../../src/spark/pods/applicationFilter.ts";
import { executorsOf } from "../../../src/spark/pods/applicationRun.ts";
import {
  buildApplications,
  findApplication,
  type ApplicationModel,
} from "../../../src/spark/pods/applications.ts";
import { itemsIn } from "../../../src/spark/pods/ordered.ts";
import { replacePods } from "../../../src/spark/pods/podListing.ts";
import type { PodRecord } from "../../../src/spark/pods/podRecord.ts";
import type { ApplicationProgress } from "../../../src/spark/progress/progress.ts";
import { emptySnapshot } from "../../../src/spark/pods/podSnapshot.ts";
import { driverFixture, executorFixture as executor } from "../pods/podFixture.ts";

const modelOf = (pods: readonly PodRecord[]): ApplicationModel =>
  buildApplications(replacePods(emptySnapshot, pods).snapshot);

/** Applications of a cluster; a test replaces their pods. */
class Cluster implements ShownApplications {
  model: ApplicationModel;
  readonly progress = new Map<string, ApplicationProgress>();

  constructor(pods: readonly PodRecord[]) {
    this.model = modelOf(pods);
  }

  byContext(): ReturnType<ShownApplications["byContext"]> {
    return [{ context: "dev", applications: itemsIn(this.model.applications) }];
  }

  find(key: string): ReturnType<ShownApplications["find"]> {
    return findApplication(this.model, key);
  }

  profileOf(): undefined {
    return undefined;
  }

  progressOf(key: string): ReturnType<ShownApplications["progressOf"]> {
    return this.progress.get(key);
  }

  findExecutor(key: string, uid: string): ReturnType<ShownApplications["findExecutor"]> {
    const application = this.find(key);
    return application && [...executorsOf(application)].find(({ pod }) => pod.uid === uid);
  }
}

const executors = (count: number, fields: Partial<PodRecord> = {}): readonly PodRecord[] =>
  Array.from({ length: count }, (_, id) => executor(id + 1, fields));

const run = (at: number, fields: Partial<PodRecord> = {}): PodRecord =>
  driverFixture({
    uid: `uid-${at}`,
    name: `orders-${at}-driver`,
    phase: "Succeeded",
    creationTimestamp: new Date(1_800_000_000_000 + at * 60_000).toISOString(),
    labels: {
      "spark-app-selector": `spark-${at}`,
      "spark-role": "driver",
      "spark-app-name": "orders",
    },
    ...fields,
  });

const runs = (count: number, fields: (at: number) => Partial<PodRecord> = () => ({})) =>
  Array.from({ length: count }, (_, at) => run(at, fields(at)));

function laidOut(cluster: ShownApplications, isGrouped: boolean): TreeRows {
  const rows = new TreeRows(cluster);
  rows.layOut(noFilter, isGrouped);
  return rows;
}

/** Visits all rows; checks that no row has too many children, and that each child returns its parent. */
function walk(rows: TreeRows): { readonly maxChildren: number; readonly leaves: Set<string> } {
  let maxChildren = 0;
  const leaves = new Set<string>();
  const look = (node: TreeNode | undefined): void => {
    const children = rows.childrenOf(node);
    maxChildren = Math.max(maxChildren, children.length);
    for (const child of children) {
      assert.equal(rows.parentOf(child), node, child.id);
      look(child);
    }
    if (children.length === 0 && node !== undefined) leaves.add(node.id);
  };
  look(undefined);
  return { maxChildren, leaves };
}

const kindsBelow = (rows: TreeRows, node: TreeNode | undefined): readonly string[] => [
  ...new Set(rows.childrenOf(node).map(({ kind }) => kind)),
];

test("shows pages of live executors if they and the rows of progress, driver and ended ones exceed 500", () => {
  const ended = executor(9999, { phase: "Failed" });
  const key = "jobs/spark-1";
  for (const [live, kinds] of [
    [497, ["driver", "executor", "endedExecutors"]],
    [498, ["driver", "executorPage", "endedExecutors"]],
  ] as const) {
    const rows = laidOut(new Cluster([driverFixture(), ...executors(live), ended]), false);
    assert.deepEqual(kindsBelow(rows, rows.application(key)), kinds);
    const { maxChildren, leaves } = walk(rows);
    assert.ok(maxChildren <= 500);
    assert.equal(leaves.size, live + 2);
  }
});

test("keeps the row of a killed executor in its place until its pod is deleted", () => {
  const killed = executor(1, {
    phase: "Failed",
    deletionTimestamp: "2026-01-02T03:10:20Z",
    labels: { ...executor(1).labels, "spark-k8s/requested-end": "killed" },
  });
  const key = "jobs/spark-1";
  const idsBelow = (...pods: readonly PodRecord[]): readonly string[] => {
    const rows = laidOut(new Cluster([driverFixture(), ...pods]), false);
    walk(rows);
    return rows.childrenOf(rows.application(key)).map(({ id }) => id.replace(`:${key}`, ""));
  };
  const alive = idsBelow(executor(1), executor(2));
  assert.deepEqual(idsBelow(killed, executor(2)), alive);
  const ended = executor(3, { phase: "Failed" });
  const group = "ended";
  assert.deepEqual(idsBelow(killed, executor(2), ended), [...alive, group]);
  const rows = laidOut(new Cluster([driverFixture(), killed, executor(2), ended]), false);
  const [kept] = rows.childrenOf(rows.childrenOf(rows.application(key)).at(-1));
  assert.equal(kept, rows.executor(key, ended.uid));
});

test("moves the row of an ended executor out of its group while its pod is deleted", () => {
  const cluster = new Cluster([driverFixture(), executor(1, { phase: "Failed" })]);
  const rows = laidOut(cluster, false);
  const application = rows.application("jobs/spark-1");
  assert.deepEqual(kindsBelow(rows, application), ["driver", "endedExecutors"]);
  const deletionTimestamp = "2026-01-02T03:10:20Z";
  cluster.model = modelOf([driverFixture(), executor(1, { phase: "Failed", deletionTimestamp })]);
  assert.deepEqual(kindsBelow(rows, application), ["driver", "executor"]);
});

test("leaves executors that end in their group if they do not fit beside the live ones", () => {
  const leaving = executor(9999, { phase: "Failed", deletionTimestamp: "2026-01-02T03:10:20Z" });
  for (const [live, kinds] of [
    [496, ["driver", "executor"]],
    [497, ["driver", "executor", "endedExecutors"]],
  ] as const) {
    const rows = laidOut(new Cluster([driverFixture(), ...executors(live), leaving]), false);
    assert.deepEqual(kindsBelow(rows, rows.application("jobs/spark-1")), kinds);
    assert.equal(walk(rows).leaves.size, live + 2);
  }
});

test("shows ended executors on pages of 500", () => {
  const rows = laidOut(
    new Cluster([driverFixture(), ...executors(1001, { phase: "Failed" })]),
    false,
  );
  const { maxChildren, leaves } = walk(rows);
  assert.deepEqual([maxChildren, leaves.size], [500, 1002]);
});

test("shows earlier runs of a name on pages of 500", () => {
  const rows = laidOut(new Cluster(runs(1002)), false);
  const [, earlier] = rows.childrenOf(undefined);
  assert.ok(earlier?.kind === "earlierRuns");
  assert.equal(rows.earlierRuns(earlier).length, 1001);
  assert.deepEqual(rows.paged(earlier.id), { count: 1001, of: "runs" });
  assert.equal(rows.childrenOf(earlier).length, 3);
  const { maxChildren, leaves } = walk(rows);
  assert.deepEqual([maxChildren, leaves.size], [500, 1002]);
});

test("keeps the row of earlier runs when a run is added, so that it stays expanded", () => {
  for (const isGrouped of [false, true]) {
    const cluster = new Cluster(runs(3));
    const rows = laidOut(cluster, isGrouped);
    const [top] = isGrouped ? rows.childrenOf(undefined) : [undefined];
    const [, before] = rows.childrenOf(top);
    cluster.model = modelOf(runs(4));
    rows.layOut(noFilter, isGrouped);
    const [, after] = rows.childrenOf(top);
    assert.ok(after?.kind === "earlierRuns");
    assert.equal(after, before);
    assert.equal(rows.parentOf(after), top);
    assert.equal(rows.childrenOf(after).length, 3);
  }
});

test("the row of earlier runs refers to the runs shown below it", () => {
  const rows = new TreeRows(
    new Cluster(runs(4, (at) => ({ phase: at === 1 ? "Failed" : "Succeeded" }))),
  );
  const below = (filter: Partial<ApplicationFilter>) => {
    rows.layOut({ ...noFilter, ...filter }, false);
    const [newest, earlier] = rows.childrenOf(undefined);
    assert.ok(newest && earlier);
    return rows.withRuns([newest, earlier]).map(({ id }) => id.replace(/^.*-/, ""));
  };
  assert.deepEqual(below({}), ["3", "2", "1", "0"]);
  assert.deepEqual(below({ stateClasses: new Set(["finished" as const]) }), ["3", "2", "0"]);
});

test("identifies rows of earlier runs by name and namespace, and drops them with their runs", () => {
  const others = runs(2, (at) => ({ uid: `other-${at}`, namespace: "night" }));
  const cluster = new Cluster([...runs(2), ...others]);
  const rows = laidOut(cluster, true);
  const earlier = rows.childrenOf(undefined).map((top) => rows.childrenOf(top)[1]);
  assert.equal(new Set(earlier.map((node) => node?.id)).size, 2);
  const [first] = earlier;
  cluster.model = modelOf(runs(1));
  rows.layOut(noFilter, true);
  cluster.model = modelOf(runs(2));
  rows.layOut(noFilter, true);
  const again = rows.childrenOf(rows.childrenOf(undefined)[0])[1];
  assert.equal(again?.id, first?.id);
  assert.notEqual(again, first);
});

test("shows namespaces on pages of 500", () => {
  const rows = laidOut(new Cluster(runs(501, (at) => ({ namespace: `team-${at}` }))), true);
  assert.deepEqual(kindsBelow(rows, undefined), ["applicationPage"]);
  assert.deepEqual(rows.paged(undefined), { count: 501, of: "namespaces" });
  const { maxChildren, leaves } = walk(rows);
  assert.deepEqual([maxChildren, leaves.size], [500, 501]);
});

test("shows applications on pages of 500, also within a namespace", () => {
  const named = (at: number): Partial<PodRecord> => ({
    labels: { ...run(at).labels, "spark-app-name": `orders-${at}` },
  });
  for (const isGrouped of [false, true]) {
    const { maxChildren, leaves } = walk(laidOut(new Cluster(runs(501, named)), isGrouped));
    assert.deepEqual([maxChildren, leaves.size], [500, 501]);
  }
});

test("keeps a pod's row until the pod is deleted", () => {
  const cluster = new Cluster([driverFixture(), ...executors(3)]);
  const rows = laidOut(cluster, false);
  const application = rows.application("jobs/spark-1");
  const before = rows.childrenOf(application);
  const change = (pods: readonly PodRecord[]): void => {
    cluster.model = modelOf(pods);
    rows.update(cluster.find("jobs/spark-1") ?? assert.fail());
  };
  change([driverFixture(), executor(2)]);
  assert.deepEqual(rows.childrenOf(application), [before[0], before[2]]);
  change([driverFixture(), ...executors(3)]);
  const after = rows.childrenOf(application);
  assert.deepEqual(
    after.map((node, at) => node === before[at]),
    [true, false, true, false],
  );
});

test("rows that were removed while hidden are forgotten at the next layout", () => {
  const cluster = new Cluster([driverFixture(), ...executors(2), run(7, { namespace: "etl" })]);
  const rows = laidOut(cluster, true);
  const [etl, jobs] = rows.childrenOf(undefined);
  const other = rows.application("etl/spark-7");
  const before = rows.childrenOf(rows.application("jobs/spark-1"));
  const pods = [driverFixture(), executor(2)];
  for (const now of [pods, [...pods, executor(1), run(7, { namespace: "etl" })]]) {
    cluster.model = modelOf(now);
    rows.layOut(noFilter, true);
  }
  const after = rows.childrenOf(rows.application("jobs/spark-1"));
  assert.deepEqual(
    after.map((node, at) => node === before[at]),
    [true, false, true],
  );
  assert.notEqual(rows.application("etl/spark-7"), other);
  const [etlAfter, jobsAfter] = rows.childrenOf(undefined);
  assert.deepEqual([etlAfter === etl, jobsAfter === jobs], [false, true]);
});

test("a collapsed application creates no rows of pods", () => {
  const cluster = new Cluster([driverFixture(), ...executors(3)]);
  const rows = laidOut(cluster, false);
  const key = "jobs/spark-1";
  assert.deepEqual(rows.podsBelow(key), []);
  cluster.model = modelOf([driverFixture(), ...executors(3, { resourceVersion: "2" })]);
  const children = rows.childrenOf(rows.application(key));
  assert.deepEqual(
    rows.podsBelow(key).map(({ node }) => node),
    children,
  );
});
