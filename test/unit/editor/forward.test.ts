import assert from "node:assert/strict";
import { describe, test, type TestContext } from "node:test";
import { err, ok } from "../../../src/base/result.ts";
import type { TreeNode } from "../../../src/editor/apps/treeNode.ts";
import { openForwards } from "../../../src/editor/forward/openForwards.ts";
import { openUis } from "../../../src/editor/forward/openUis.ts";
import type { ClusterError } from "../../../src/engine/clusterError.ts";
import type { ForwardRequest } from "../../../src/engine/ports/channels.ts";
import type { Connection } from "../../../src/engine/ports/connection.ts";
import type { UiRequest } from "../../../src/engine/ports/driverUi.ts";
import type { ClusterService } from "../../../src/spark/ui/historyService.ts";
import type { PodRecord } from "../../../src/spark/pods/podRecord.ts";
import { settle } from "../engine/virtualClock.ts";
import { driverFixture, executorFixture } from "../pods/podFixture.ts";
import { lifecycleFixture, type Cluster } from "./lifecycleFixture.ts";

const driver = driverFixture();
const executor = executorFixture(1);
const refusedByPod: ClusterError = {
  ...{ kind: "badResponse", status: undefined, detail: "dial: Connection refused" },
};
const signal = new AbortController().signal;

/** Runs the commands for forwarded ports and Spark UIs on tree rows. */
async function forwardFixture(
  t: TestContext,
  pods: readonly PodRecord[],
  script: readonly (string | undefined)[],
  cluster: Cluster & {
    readonly historyServer?: string;
    readonly historyService?: ClusterService;
  } = {},
) {
  const dialed: string[] = [];
  const rig = await lifecycleFixture(t, pods, script, {
    ports: {
      ports: {
        open: ({ namespace, name, port }: { namespace: string; name: string; port: number }) => {
          dialed.push(`${namespace}/${name}:${port}`);
          return Promise.resolve(ok({}));
        },
      } as unknown as Connection["ports"],
    },
    ...cluster,
  });
  const { session, screen, log } = rig.context;
  const listened: ForwardRequest[] = [];
  const served: UiRequest[] = [];
  const closed: string[] = [];
  const clusters = await session.clusters();
  Object.assign(clusters, {
    forward: (options: ForwardRequest) => {
      listened.push(options);
      const localPort = 50_000 + listened.length;
      const dispose = (): unknown => closed.push(String(localPort));
      return Promise.resolve({ localPort, connections: listened.length, dispose });
    },
    serveUi: (options: UiRequest) => {
      served.push(options);
      return Promise.resolve({
        ...{ port: 4_000, root: "/ui" },
        accept: (authority: string) => rig.screen.shown.push(`accepts ${authority}`),
        dispose: () => closed.push("ui"),
      });
    },
  });
  const forwards = openForwards({ session, screen, log });
  const panels: { isActive: boolean; end: () => void }[] = [];
  const uis = openUis({
    ...{ session, screen, log },
    openEventLog: () => {
      rig.screen.shown.push("event log");
      return Promise.resolve();
    },
    openPanel: (title, page, end) => {
      rig.screen.shown.push(`panel ${title}: ${page.toString()}`);
      const panel = { isActive: false, end, reveal: () => rig.screen.shown.push("revealed") };
      panels.push(panel);
      return { ...panel, dispose: () => closed.push("panel") };
    },
    historyService: () => cluster.historyService,
    historyPage: (id) =>
      cluster.historyServer === undefined
        ? undefined
        : ({ toString: () => `${cluster.historyServer ?? ""}/${id}` } as never),
  });
  t.after(() => {
    forwards.dispose();
    uis.dispose();
  });
  const on = (run: (nodes: readonly TreeNode[]) => Promise<void>, rows: readonly string[] = []) =>
    rig.run((_, nodes) => run(nodes), rows);
  return {
    ...{ ...rig, listened, served, closed, dialed, panels, forwards, uis },
    shown: rig.screen.shown,
    forward: (...rows: readonly string[]) => on((nodes) => forwards.forward(nodes), rows),
    list: () => on(() => forwards.list()),
    openUi: (place: "editor" | "browser", ...rows: readonly string[]) =>
      on((nodes) => uis.open(nodes, place), rows),
  };
}

describe("forwarded ports", () => {
  const begun = "Port 4040 of pi driver is forwarded to 127.0.0.1:50001 (local only).";
  const buttons = "[Open]\n[Copy Address]\n[Stop]";

  test("are refused at once without the right", async (t) => {
    const asked: unknown[] = [];
    const { forward, shown, listened } = await forwardFixture(t, [driver], ["4040"], {
      ports: {
        rights: {
          user: () => Promise.resolve(ok("ann")),
          can: ({ verb, resource, namespace }) => {
            asked.push([verb, resource, namespace]);
            return Promise.resolve(ok(false));
          },
        },
      },
    });
    await forward("driver");
    assert.deepEqual(asked, [["get", "pods/portforward", "jobs"]]);
    assert.deepEqual(listened, []);
    assert.equal(
      shown.at(-1),
      'error: Cannot forward the port: you lack the permission to get and create "pods/portforward" in namespace "jobs". Ask for the permission.',
    );
  });

  test("forwards the port of the UI that the user accepts, and opens it", async (t) => {
    const { forward, shown, listened, dialed } = await forwardFixture(
      t,
      [driver],
      ["4040", "Open"],
    );
    await forward("driver");
    assert.deepEqual(shown, [
      "input: Forward Port\nPort of pi driver (4040)",
      `info: ${begun}\n${buttons}`,
      "opened: http://127.0.0.1:50001/",
    ]);
    assert.deepEqual(await listened[0]?.dial(signal), ok({}));
    assert.deepEqual(
      listened.map(({ localPort }) => localPort),
      [4040],
    );
    assert.deepEqual(dialed, ["jobs/pi-0123456789abcdef-driver:4040"]);
  });

  test("accepts ports from 1 to 65535 only", async (t) => {
    const valid = ["1", "65535"];
    const script = ["0", "65536", "x", "123456", "", "1", undefined, "65535", undefined];
    const { forward, shown, listened } = await forwardFixture(t, [driver, executor], script);
    for (let turn = 0; turn < 7; turn += 1) await forward("executor 1");
    const faults = shown.filter((text) => text === "invalid: Enter a port from 1 to 65535.");
    assert.equal(faults.length, 5);
    assert.deepEqual(
      listened.map(({ localPort }) => String(localPort)),
      valid,
    );
    assert.equal(shown[0], "input: Forward Port\nPort of pi executor 1 ()");
  });

  test("forwards nothing after Escape, in a read-only context and without a connection", async (t) => {
    const { forward, listened, session, shown } = await forwardFixture(
      t,
      [driver],
      [undefined, "80"],
    );
    await forward("driver");
    session.connectTo = () => Promise.resolve(err(refusedByPod));
    await forward("driver");
    assert.equal(shown.at(-1)?.startsWith("error: Cannot forward the port: "), true);
    assert.equal(listened.length, 0);
    const locked = await forwardFixture(t, [driver], ["80"], { ports: { context: "locked" } });
    await locked.forward("driver");
    assert.equal(locked.shown.at(-1), "blocked: Forward port 80 of pi driver");
    assert.equal(locked.listened.length, 0);
  });

  test("shows a port again that is already forwarded", async (t) => {
    const script = ["4040", "Copy Address", "4040", "Stop"];
    const { forward, shown, listened, closed } = await forwardFixture(t, [driver], script);
    await forward("driver");
    await forward("driver");
    assert.equal(shown[2], "copied: http://127.0.0.1:50001/");
    assert.equal(shown.at(-1), `info: ${begun}\n${buttons}`);
    assert.equal(listened.length, 1);
    assert.deepEqual(closed, ["50001"]);
  });

  test("lists ports with the failure of the last connection, and stops them", async (t) => {
    const script = ["4040", undefined, "80", undefined, "button of 127.0.0.1:50001", undefined];
    const { forward, list, shown, listened, closed } = await forwardFixture(t, [driver], script);
    await list();
    assert.equal(shown.at(-1), "info: No forwarded ports.");
    await forward("driver");
    await forward("driver");
    listened[1]?.failed(refusedByPod);
    await list();
    const head =
      "pick: Forwarded Ports\nPress Enter to open in the browser, or use the button to stop";
    const waits =
      "127.0.0.1:50002 | pi driver, port 80 · jobs | waiting: nothing listens on port 80; each new connection retries";
    assert.deepEqual(shown.slice(-2), [
      `${head}\n127.0.0.1:50001 | pi driver, port 4040 · jobs | 1 connection\n${waits}`,
      `${head}\n${waits}`,
    ]);
    assert.deepEqual(closed, ["50001"]);
  });

  test("opens the address of a listed port, and closes the list with its last port", async (t) => {
    const script = ["80", undefined, "127.0.0.1:50001", "button of 127.0.0.1:50001"];
    const { forward, list, shown, listened } = await forwardFixture(t, [driver], script);
    await forward("driver");
    const failed: ClusterError = { ...refusedByPod, status: 500 };
    listened[0]?.failed(failed);
    listened[0]?.failed(failed);
    const told = shown.filter((line) => line.includes("Cannot reach port 80 of pi driver"));
    assert.equal(told.length, 1);
    await list();
    assert.equal(shown.at(-1), "opened: http://127.0.0.1:50001/");
    assert.equal(shown.at(-2)?.endsWith("| dial: Connection refused"), true);
    await listened[0]?.dial(signal);
    await list();
    assert.equal(shown.at(-1)?.endsWith("| 1 connection"), true);
    await list();
    assert.equal(shown.at(-1), "info: No forwarded ports.");
  });

  test("follows the next run of the application, and says so", async (t) => {
    const rig = await forwardFixture(t, [driver], ["80", undefined]);
    await rig.forward("driver");
    const dial = rig.listened[0]?.dial ?? assert.fail();
    await dial(signal);
    rig.server.remove(driver.uid);
    await rig.clock.advance(2_000);
    const lost = await dial(signal);
    assert.deepEqual(lost, {
      ok: false,
      error: {
        kind: "notFound",
        resource: "pods",
        name: "pi driver",
        detail: "pi driver has no pod",
      },
    });
    const next = driverFixture({
      uid: "uid-2",
      labels: { ...driver.labels, "spark-app-selector": "spark-2" },
    });
    rig.server.put(next);
    await rig.clock.advance(2_000);
    await dial(signal);
    await settle();
    assert.deepEqual(rig.dialed.at(-1), `jobs/${next.name}:80`);
    assert.equal(
      rig.shown.at(-1),
      `info: The pod of pi driver was replaced. Its forwarded port now connects to "${next.name}".`,
    );
  });

  test("does not follow an earlier run that still runs", async (t) => {
    const earlier = driverFixture({
      uid: "uid-0",
      creationTimestamp: "2026-01-01T00:00:00Z",
      labels: { ...driver.labels, "spark-app-selector": "spark-0" },
    });
    const rig = await forwardFixture(t, [driver], ["80", undefined]);
    await rig.forward("driver");
    rig.server.put(earlier);
    await rig.clock.advance(2_000);
    const dial = rig.listened[0]?.dial ?? assert.fail();
    await dial(signal);
    rig.server.remove(driver.uid);
    await rig.clock.advance(2_000);
    const lost = await dial(signal);
    assert.equal(!lost.ok && lost.error.kind, "notFound");
    assert.equal(rig.dialed.length, 1);
  });

  test("refuses connections once the context is read-only", async (t) => {
    const rig = await forwardFixture(t, [driver], ["80", undefined]);
    await rig.forward("driver");
    Object.assign(rig.connection, { context: "locked" });
    assert.deepEqual(await rig.listened[0]?.dial(signal), {
      ok: false,
      error: { kind: "invalid", detail: '"locked" is a read-only context.', causes: [] },
    });
    assert.deepEqual(rig.dialed, []);
  });
});

describe("Spark UIs", () => {
  test("shows a panel, and reveals it the second time", async (t) => {
    const { openUi, shown, served, closed, panels } = await forwardFixture(t, [driver], []);
    await openUi("editor", "pi");
    await openUi("editor", "pi");
    assert.deepEqual(shown, [
      "accepts 127.0.0.1:4000",
      "panel Spark UI: pi driver: http://127.0.0.1:4000/ui/jobs/",
      "revealed",
    ]);
    assert.equal(served.length, 1);
    const place = await served[0]?.place(signal);
    assert.deepEqual(place?.ok === true && place.value.pod, {
      ...{ namespace: "jobs", name: driver.name, port: 4040 },
    });
    panels[0]?.end();
    assert.deepEqual(closed, ["ui"]);
    await openUi("editor", "pi");
    assert.equal(served.length, 2);
  });

  test("keeps the proxy of a page in the browser when its panel closes", async (t) => {
    const { openUi, shown, closed, panels, served } = await forwardFixture(t, [driver], ["pi"]);
    await openUi("browser");
    assert.equal(shown.at(-1), "opened: http://127.0.0.1:4000/ui/jobs/");
    await openUi("editor", "driver");
    panels[0]?.end();
    assert.deepEqual(closed, []);
    assert.equal(served.length, 1);
  });

  test("offers to forward a port in an editor that serves local ports below a path", async (t) => {
    const rig = await forwardFixture(t, [driver], ["Forward Port…"]);
    Object.assign(rig.screen, {
      externalAddress: () => Promise.resolve({ path: "/proxy/4000/ui/jobs/", authority: "x" }),
    });
    await rig.openUi("browser", "pi");
    const key = rig.session.applications[0]?.key ?? assert.fail();
    assert.deepEqual(rig.shown, [
      "error: Cannot open the Spark UI: this editor adds a path to local ports.\n[Forward Port…]",
      `command: sparkK8s.port.forward {"kind":"application","id":"application:${key}","key":"${key}"}`,
    ]);
    assert.deepEqual(rig.closed, ["ui"]);
  });

  test("asks before a page kills a job or a stage", async (t) => {
    const { openUi, shown, served, session } = await forwardFixture(t, [driver], ["Kill Job"]);
    await openUi("editor", "pi");
    const mayKill = served[0]?.mayKill ?? assert.fail();
    assert.equal(await mayKill({ what: "job", id: "3" } as never), true);
    assert.equal(await mayKill({ what: "stage", id: "4" } as never), false);
    const detail = "Its page in the Spark UI requested this. Its running tasks will be stopped.";
    assert.deepEqual(shown.slice(2), [
      `warning: Kill job 3 of "pi"?\n${detail}\n[Kill Job]`,
      `warning: Kill stage 4 of "pi"?\n${detail}\n[Kill Stage]`,
    ]);
    session.connectTo = () => Promise.resolve(err(refusedByPod));
    assert.equal(await mayKill({ what: "stage", id: "4" } as never), false);
    assert.equal(shown.at(-1)?.startsWith("error: Cannot kill: "), true);
  });

  test("explains why the page is not there", async (t) => {
    const conf = (text: string) => ({
      "Pod pi-0123456789abcdef-driver": {
        metadata: { name: driver.name, uid: driver.uid, namespace: "jobs" },
        spec: { volumes: [{ name: "spark-conf-volume-driver", configMap: { name: "map" } }] },
      },
      "ConfigMap map": { data: { "spark.properties": text } },
    });
    const explained = async (problem: unknown, text = "") => {
      const rig = await forwardFixture(t, [driver], [], { bodies: conf(text) });
      await rig.openUi("editor", "pi");
      const words = await rig.served[0]?.explain(problem as never);
      rig.server.remove(driver.uid);
      await rig.clock.advance(2_000);
      return [words, await rig.served[0]?.explain(problem as never)];
    };
    const silent = { kind: "notListening", pod: { namespace: "jobs", name: "x", port: 4041 } };
    const waiting =
      "Nothing listens on port 4041 of pi driver yet. The Spark UI starts with the Spark context. This page reloads.";
    assert.deepEqual(await explained(silent), [waiting, waiting]);
    assert.deepEqual(await explained(silent, "spark.ui.enabled=false"), [
      "pi driver has no Spark UI: its conf has spark.ui.enabled=false.",
      waiting,
    ]);
    const [forbidden] = await explained({ kind: "forbidden", namespace: "jobs" });
    assert.equal(
      forbidden,
      'Cannot open the Spark UI: you lack permission to get and create "pods/portforward" and to get "pods/proxy" in namespace "jobs". Ask for one of them.',
    );
    const [elsewhere] = await explained({ kind: "elsewhere" });
    assert.equal(
      elsewhere,
      'The Spark UI of "pi" redirects to another server and was not opened. If the conf has spark.ssl.ui.enabled, use Forward Port.',
    );
    const [failed] = await explained({ kind: "failed", error: { detail: "cut off" } });
    assert.equal(failed, 'Cannot read the Spark UI of "pi": Cut off.');
  });

  test("offers the history server or the event log after the end of the driver", async (t) => {
    const ended = driverFixture({ phase: "Succeeded", containers: [] });
    const words =
      'info: The Spark UI of "pi" ended with its driver. Set a history server, or open its event log.\n[Open Event Log…]\n[Open Setting]';
    const rig = await forwardFixture(t, [ended], ["Open Event Log…", "Open Setting", undefined]);
    for (let turn = 0; turn < 3; turn += 1) await rig.openUi("editor", "pi");
    assert.deepEqual(rig.shown, [
      ...[words, "event log", words],
      'command: workbench.action.openSettings "@id:sparkK8s.historyServer"',
      words,
    ]);
    const historyServer = "https://history";
    const linked = await forwardFixture(t, [ended], [], { historyServer });
    await linked.openUi("browser", "pi");
    assert.deepEqual(linked.shown, ["opened: https://history/spark-1"]);
    assert.equal(linked.served.length, 0);
  });

  const ended = driverFixture({ phase: "Succeeded", containers: [] });
  const history = (name: string, pod: string) => ({
    [`EndpointSlice ${name}-x`]: {
      metadata: { labels: { "kubernetes.io/service-name": name } },
      ports: [{ port: 18_080 }],
      endpoints: [{ targetRef: { kind: "Pod", namespace: "jobs", name: pod } }],
    },
  });

  test("opens an ended application in the history server of its namespace", async (t) => {
    const bodies = history("spark-history-server", "history-0");
    const { openUi, shown, served, closed, panels } = await forwardFixture(t, [ended], [], {
      bodies,
    });
    await openUi("editor", "pi");
    await openUi("editor", "pi");
    await openUi("browser", "pi");
    const page = "http://127.0.0.1:4000/ui/history/spark-1/jobs/";
    assert.deepEqual(shown, [
      "accepts 127.0.0.1:4000",
      `panel Spark UI: pi (spark-1): ${page}`,
      "revealed",
      "accepts 127.0.0.1:4000",
      `opened: ${page}`,
    ]);
    assert.equal(served.length, 1);
    const place = await served[0]?.place(signal);
    assert.deepEqual(place?.ok === true && place.value.pod, {
      ...{ namespace: "jobs", name: "history-0", port: 18_080 },
    });
    assert.equal(await served[0]?.mayKill({ what: "job", id: 3 }), false);
    panels[0]?.end();
    assert.deepEqual(closed, []);
  });

  test("opens the Service that the setting names, and follows it to its next pod", async (t) => {
    const bodies: Record<string, unknown> = history("shs", "shs-0");
    const historyService = { namespace: "jobs", name: "shs" };
    const { openUi, served } = await forwardFixture(t, [ended], [], { bodies, historyService });
    await openUi("editor", "pi");
    const podNow = async (): Promise<unknown> => {
      const place = await served[0]?.place(signal);
      return place?.ok === true ? place.value.pod.name : place?.error.detail;
    };
    assert.equal(await podNow(), "shs-0");
    Object.assign(bodies, history("shs", "shs-1"));
    assert.equal(await podNow(), "shs-0", "the pod is read once for all files of a page");
    const pod = { namespace: "jobs", name: "shs-0", port: 18_080 };
    assert.equal(
      await served[0]?.explain({ kind: "notListening", pod }),
      'Nothing listens on port 18080 of "shs-0", the pod of the history server. This page reloads.',
    );
    assert.equal(await podNow(), "shs-1");
    for (const key of Object.keys(bodies)) Reflect.deleteProperty(bodies, key);
    const failed = { kind: "failed", error: refusedByPod } as const;
    assert.equal(
      await served[0]?.explain(failed),
      'Cannot read the Spark UI of "pi": Dial: Connection refused.',
    );
    assert.equal(await podNow(), 'service "shs" in namespace "jobs" has no ready pod');
  });

  test("offers the event log if the namespace has no history server that may be read", async (t) => {
    const { openUi, shown, served } = await forwardFixture(t, [ended], [undefined], {
      bodies: history("spark-history-server", "history-0"),
      refused: { "list EndpointSlice": { ...refusedByPod, kind: "forbidden" } as never },
    });
    await openUi("editor", "pi");
    assert.equal(served.length, 0);
    assert.match(shown.at(-1) ?? "", /^info: The Spark UI of "pi" ended with its driver/);
  });
});
