import assert from "node:assert/strict";
import { describe, test, type TestContext } from "node:test";
import { Emitter } from "../../../src/base/emitter.ts";
import { ApplicationsView, type ViewHost } from "../../../src/editor/apps/applicationsView.ts";
import type { TreeNode } from "../../../src/editor/apps/treeNode.ts";
import { ageRefreshMs } from "../../../src/editor/apps/treeRefresh.ts";
import type { PlainTreeView } from "../../../src/editor/ui/treeView.ts";
import { noFilter } from "../../../src/spark/pods/applicationFilter.ts";
import type { PodRecord } from "../../../src/spark/pods/podRecord.ts";
import { noProgress, type StageProgress } from "../../../src/spark/progress/progress.ts";
import { failedDriver } from "../diagnosis/diagnosedFixture.ts";
import { containerFixture, driverFixture, executorFixture } from "../pods/podFixture.ts";
import { inText } from "./screenFixture.ts";
import { sessionFixture } from "./sessionFixture.ts";

async function viewFixture(t: TestContext, pods: readonly PodRecord[], isTrusted = true) {
  const fixture = await sessionFixture(t, pods);
  const { session } = fixture;
  const progressed = new Emitter<string>((error) => {
    throw error;
  });
  Object.defineProperty(session, "onDidProgress", { value: progressed.event });
  const fail = (error: unknown): never => {
    throw error;
  };
  const visibility = new Emitter<undefined>(fail);
  const collapsed = new Emitter<{ readonly element: TreeNode }>(fail);
  const expanded = new Emitter<{ readonly element: TreeNode }>(fail);
  const selected = new Emitter<{ readonly selection: readonly TreeNode[] }>(fail);
  const focus = new Emitter<undefined>(fail);
  const settings = new Emitter<undefined>(fail);
  const view = {
    visible: true,
    selection: [] as readonly TreeNode[],
    message: undefined as string | undefined,
    description: undefined as string | undefined,
    badge: undefined as { readonly value: number } | undefined,
    revealed: [] as string[],
    onDidChangeVisibility: (listener: () => void) => visibility.event(listener),
    onDidCollapseElement: collapsed.event,
    onDidExpandElement: expanded.event,
    onDidChangeSelection: selected.event,
    reveal: (node: TreeNode, { focus: isFocused }: { readonly focus: boolean }) => {
      view.revealed.push(`${node.id}${isFocused ? " focused" : ""}`);
      return Promise.resolve();
    },
  };
  const redrawn: (string | undefined)[] = [];
  const contexts: string[] = [];
  const state = { isFocused: true, hurries: 0 };
  const host: ViewHost = {
    mayContactClusters: () => isTrusted,
    isFocused: () => state.isFocused,
    guardOf: () => "none",
    explain: ({ kind }) => kind,
    show: inText,
    setContext: (key, value) => contexts.push(`${key}=${String(value)}`),
    onDidChangeSettings: (listener) => settings.event(listener),
    onDidChangeFocus: (listener) => focus.event(listener),
  };
  session.hurry = () => {
    state.hurries += 1;
  };
  const rows = new ApplicationsView(
    session,
    view as unknown as PlainTreeView<TreeNode>,
    {
      fire: (nodes) => {
        if (nodes === undefined) redrawn.push(undefined);
        else redrawn.push(...nodes.map(({ id }) => id));
      },
    },
    host,
  );
  t.after(() => {
    rows.dispose();
  });
  const labels = (node?: TreeNode): readonly string[] =>
    rows.getChildren(node).map((child) => inText(rows.rowOf(child)?.label ?? "deleted"));
  return {
    ...fixture,
    rows,
    view,
    redrawn,
    contexts,
    state,
    visibility,
    focus,
    selected,
    settings,
    progressed,
    collapsed,
    expanded,
    labels,
  };
}

const driver = driverFixture();

const stageFixture: StageProgress = {
  ...{ stageId: 3, attemptId: 0, name: "count", description: undefined, startedAt: undefined },
  ...{ tasks: 1, active: 1, done: 0, failed: 0, killed: 0 },
};

describe("tree of applications", () => {
  test("shows the applications with their pods", async (t) => {
    const { rows, labels } = await viewFixture(t, [driver, executorFixture(1)]);
    const [application] = rows.getChildren();
    assert.ok(application);
    assert.deepEqual(labels(), ["pi"]);
    assert.deepEqual(labels(application), ["driver", "executor 1"]);
    const [first] = rows.getChildren(application);
    assert.ok(first);
    assert.equal(rows.getParent(first), application);
    assert.equal(rows.rowOf(first)?.contextValue, "driver.running");
  });

  test("redraws the seconds of a container that started long after its pod was created", async (t) => {
    t.mock.timers.enable({ apis: ["setInterval"] });
    const { rows, session, server, clock, redrawn } = await viewFixture(t, [driver]);
    const now = session.nowOf("jobs/spark-1");
    const startedAt = new Date(now - 30_000).toISOString();
    const executor = executorFixture(1, {
      creationTimestamp: new Date(now - 600_000).toISOString(),
      containers: [containerFixture({ state: { kind: "running", startedAt } })],
    });
    server.put(executor);
    await clock.advance(1_000);
    const [application] = rows.getChildren();
    const [, row] = rows.getChildren(application);
    assert.ok(row);
    assert.match(inText(rows.rowOf(row)?.description ?? ""), / 31 s$/);
    redrawn.length = 0;
    t.mock.timers.tick(ageRefreshMs);
    assert.ok(redrawn.includes(row.id));
  });

  test("shows running executors that the driver does not count as not registered", async (t) => {
    const containers = [
      containerFixture({ state: { kind: "running", startedAt: "2026-01-02T03:04:10Z" } }),
    ];
    const executors = [1, 2].map((id) => executorFixture(id, { containers }));
    const { rows, session } = await viewFixture(t, [driver, ...executors]);
    const readAt = Date.parse("2026-01-02T03:05:00Z");
    const report = { registered: new Set(["1"]), removed: new Map(), allocation: undefined };
    session.reportOf = () => ({ ...report, readAt });
    const [application] = rows.getChildren();
    const words = rows
      .getChildren(application)
      .map((node) => inText(rows.rowOf(node)?.description ?? ""));
    assert.deepEqual(
      words.slice(1).map((text) => text.split(" · ")[0]),
      ["running", "not registered with the driver"],
    );
  });

  test("remembers the application of the selected row for pickers", async (t) => {
    const { rows, session, selected } = await viewFixture(t, [driver, executorFixture(1)]);
    const [application] = rows.getChildren();
    const [, executor] = rows.getChildren(application);
    assert.ok(executor);
    selected.fire({ selection: [executor] });
    assert.equal(session.selectedKey, "jobs/spark-1");
    selected.fire({ selection: [] });
    assert.equal(session.selectedKey, undefined);
  });

  test("redraws the row of running work, and the application when that row appears or ends", async (t) => {
    const { rows, session, redrawn, progressed } = await viewFixture(t, [driver]);
    const [application] = rows.getChildren();
    assert.ok(application);
    rows.getChildren(application);
    const key = "jobs/spark-1";
    const drawnBy = (progress: typeof noProgress | undefined, changed = key) => {
      session.progressOf = () => progress;
      redrawn.length = 0;
      progressed.fire(changed);
      const drawn = [...redrawn];
      // VS Code requests the children of redrawn rows.
      rows.getChildren(application);
      return drawn;
    };
    assert.deepEqual(drawnBy(undefined, "jobs/other"), []);
    assert.deepEqual(drawnBy(noProgress), [application.id]);
    assert.deepEqual(drawnBy(noProgress), [`progress:${key}`]);
    assert.deepEqual(drawnBy(noProgress, "jobs/other"), []);
    assert.deepEqual(drawnBy(undefined), [application.id]);
  });

  test("shows the running stage in the application's row only while it is collapsed", async (t) => {
    const { rows, session, redrawn, progressed, collapsed, expanded } = await viewFixture(t, [
      driver,
    ]);
    const [application] = rows.getChildren();
    assert.ok(application?.kind === "application");
    const { key } = application;
    const stage = { ...stageFixture, tasks: 100, done: 17 };
    session.progressOf = () => ({ ...noProgress, stages: [stage] });
    const drawn = (): string => inText(rows.rowOf(application)?.description ?? "");
    rows.getChildren(application);
    assert.match(drawn(), /^running · /);
    collapsed.fire({ element: application });
    assert.match(drawn(), /^17 % of stage 3 · /);
    session.progressOf = () => ({ ...noProgress, stages: [{ ...stage, done: 18 }] });
    redrawn.length = 0;
    progressed.fire(key);
    assert.deepEqual(redrawn, [application.id]);
    assert.match(drawn(), /^18 % of stage 3 · /);
    expanded.fire({ element: application });
    assert.deepEqual(redrawn, [application.id, application.id]);
    assert.match(drawn(), /^running · /);
  });

  test("contacts no cluster in an untrusted workspace", async (t) => {
    const { rows, session } = await viewFixture(t, [driver], false);
    let starts = 0;
    session.start = () => {
      starts += 1;
    };
    rows.getChildren();
    assert.equal(starts, 0);
  });

  test("updates the message, the badge and the context key when pods change", async (t) => {
    const { view, contexts, server, clock, redrawn, rows } = await viewFixture(t, [driver]);
    rows.getChildren();
    server.put({ ...driver, deletionTimestamp: undefined, podIp: "10.0.0.1" });
    await clock.advance(1_000);
    assert.deepEqual(view.badge?.value, 1);
    assert.equal(view.description, "dev");
    assert.deepEqual(contexts, ["sparkK8s.watchState=live"]);
    assert.ok(redrawn.includes("application:jobs/spark-1"));
    assert.ok(!redrawn.includes(undefined), "the whole tree was redrawn");
  });

  test("redraws the list when an application is added, ends or is deleted", async (t) => {
    const { server, clock, redrawn, rows, labels } = await viewFixture(t, [driver]);
    rows.getChildren();
    const change = async (act: () => void): Promise<readonly (string | undefined)[]> => {
      redrawn.length = 0;
      act();
      await clock.advance(1_000);
      const shown = [...redrawn];
      rows.getChildren();
      return shown;
    };
    const other = driverFixture({
      uid: "uid-2",
      labels: { ...driver.labels, "spark-app-selector": "spark-2", "spark-app-name": "etl" },
    });
    assert.ok(
      (
        await change(() => {
          server.put(other);
        })
      ).includes(undefined),
    );
    assert.deepEqual(labels().toSorted(), ["etl", "pi"]);
    assert.ok(
      (
        await change(() => {
          server.put(failedDriver(1));
        })
      ).includes(undefined),
    );
    assert.ok(
      (
        await change(() => {
          server.remove("uid-2");
        })
      ).includes(undefined),
    );
    assert.deepEqual(labels(), ["pi"]);
  });

  test("a row of a deleted pod has no contents", async (t) => {
    const { rows, server, clock } = await viewFixture(t, [driver, executorFixture(1)]);
    const [application] = rows.getChildren();
    const [own, executor] = rows.getChildren(application);
    assert.ok(own && executor);
    server.remove("exec-1");
    await clock.advance(1_000);
    assert.equal(rows.rowOf(executor), undefined);
    assert.ok(rows.rowOf(own));
    server.remove("uid-driver");
    await clock.advance(1_000);
    assert.equal(rows.rowOf(own), undefined);
  });

  test("filters, and clears a filter that hides a new application", async (t) => {
    const { rows, view, contexts, labels, redrawn } = await viewFixture(t, [driver]);
    rows.show({ ...noFilter, text: "orders" });
    assert.deepEqual(labels(), []);
    assert.deepEqual(contexts.slice(-2), ["sparkK8s.isFiltered=true", "sparkK8s.watchState=live"]);
    assert.deepEqual(redrawn, [undefined]);
    assert.equal(rows.filter.text, "orders");
    await rows.reveal("jobs/spark-1");
    assert.equal(rows.filter.text, "");
    assert.deepEqual(view.revealed, ["application:jobs/spark-1"]);
    assert.deepEqual(labels(), ["pi"]);
  });

  test("reveals an executor, or its application if its pod was deleted", async (t) => {
    const { rows, view } = await viewFixture(t, [driver, executorFixture(1)]);
    rows.getChildren();
    await rows.revealExecutor("jobs/spark-1", "exec-1");
    await rows.revealExecutor("jobs/spark-1", "exec-9");
    await rows.revealExecutor("jobs/spark-1", undefined);
    await rows.reveal("jobs/unknown");
    const application = "application:jobs/spark-1";
    assert.equal(view.revealed.length, 6);
    assert.match(view.revealed[1] ?? "", /exec-1 focused$/);
    assert.deepEqual(view.revealed.slice(2), [
      application,
      `${application} focused`,
      application,
      `${application} focused`,
    ]);
  });

  test("shortens the back-off only while it is visible in a focused window", async (t) => {
    const { view, state, visibility, focus } = await viewFixture(t, [driver]);
    focus.fire(undefined);
    assert.equal(state.hurries, 1);
    state.isFocused = false;
    focus.fire(undefined);
    assert.equal(state.hurries, 1);
    state.isFocused = true;
    view.visible = false;
    visibility.fire(undefined);
    assert.equal(state.hurries, 1);
    view.visible = true;
    visibility.fire(undefined);
    assert.equal(state.hurries, 2);
  });

  test("redraws ages when it becomes visible", async (t) => {
    const { rows, redrawn, visibility } = await viewFixture(t, [driver, executorFixture(1)]);
    const [application] = rows.getChildren();
    rows.getChildren(application);
    redrawn.length = 0;
    visibility.fire(undefined);
    assert.deepEqual(redrawn, ["application:jobs/spark-1"]);
  });

  test("looks at visible live applications only", async (t) => {
    const { rows, session, view, visibility } = await viewFixture(t, [driver]);
    const looks: unknown[] = [];
    session.look = (keys, isVisible) => looks.push([[...keys], isVisible]);
    rows.getChildren();
    view.visible = false;
    visibility.fire(undefined);
    assert.deepEqual(looks, [
      [["jobs/spark-1"], true],
      [[], false],
    ]);
  });

  test("takes settings over", async (t) => {
    const { view, settings } = await viewFixture(t, [driver]);
    view.description = "old";
    settings.fire(undefined);
    assert.equal(view.description, "dev");
  });
});
