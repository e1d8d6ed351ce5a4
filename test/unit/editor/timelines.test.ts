import assert from "node:assert/strict";
import { describe, test, type TestContext } from "node:test";
import {
  timelinePanels,
  type TimelineContext,
} from "../../../src/editor/timeline/openTimelines.ts";
import type { PodRecord } from "../../../src/spark/pods/podRecord.ts";
import { noProgress } from "../../../src/spark/progress/progress.ts";
import type { Timeline } from "../../../src/spark/timeline/timeline.ts";
import { failed, failedDriver } from "../diagnosis/diagnosedFixture.ts";
import { driverFixture, executorFixture } from "../pods/podFixture.ts";
import { scriptedScreen } from "./screenFixture.ts";
import { sessionFixture, strictLog } from "./sessionFixture.ts";

interface Content {
  readonly title: string;
  readonly notes: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
  readonly plots: unknown;
}

type Panel = Parameters<TimelineContext["openPanel"]>[0] & { readonly sent: Content[] };

const driver = driverFixture();
const key = "jobs/spark-1";
const node = { kind: "application", id: "a", key } as const;

async function timelinesFixture(t: TestContext, pods: readonly PodRecord[], ...answers: string[]) {
  const fixture = await sessionFixture(t, pods);
  const { session, clock } = fixture;
  const done: string[] = [];
  const panels: Panel[] = [];
  const state = { isVisible: true };
  const recorded: string[][] = [];
  session.recordDrivers = (_, intervals) => recorded.push([...intervals.keys()]);
  const timelines = timelinePanels({
    ...{ session, clock, log: strictLog, screen: scriptedScreen(...answers) },
    openPanel: (options) => {
      const panel: Panel = { ...options, sent: [] };
      panels.push(panel);
      return {
        send: (content) => panel.sent.push(content as Content),
        get isVisible() {
          return state.isVisible;
        },
        reveal: () => done.push(`reveal ${options.title}`),
        dispose: () => done.push(`close ${options.title}`),
      };
    },
    saveFile: (name, extension, bytes) => {
      done.push(`save ${name} ${extension} ${bytes.length > 0 ? "with content" : "empty"}`);
      return Promise.resolve(true);
    },
    revealExecutor: (of, uid) => {
      done.push(`executor ${of} ${uid ?? "none"}`);
      return Promise.resolve();
    },
    openLog: (nodes, atError) => {
      done.push(`log ${nodes.map(({ id }) => id).join()}${atError ? " at the error" : ""}`);
      return Promise.resolve();
    },
  });
  t.after(() => {
    timelines.dispose();
  });
  const panel = (): Panel => panels.at(-1) ?? assert.fail("no panel");
  const receive = async (message: unknown): Promise<void> => {
    panel().received(message);
    await clock.advance(1);
  };
  return { ...fixture, timelines, panels, panel, done, state, recorded, receive };
}

describe("timeline panel", () => {
  test("shows the record of an application when its page is ready", async (t) => {
    const { timelines, panel, receive, recorded } = await timelinesFixture(t, [driver]);
    await timelines.show([node]);
    assert.equal(panel().title, "Timeline: pi");
    assert.deepEqual(recorded.at(-1), [key]);
    await receive({ kind: "ready" });
    const [content = assert.fail()] = panel().sent;
    assert.equal(content.title, "pi");
    assert.equal(content.notes[0], "running");
    assert.equal(content.notes.at(-1), "No metrics from the driver yet");
    assert.deepEqual(
      [content.labels["savePng"], content.labels["zoomIn"], content.labels["until"]],
      ["Save PNG", "Zoom In", "Until"],
    );
  });

  test("names the reason if the driver's numbers cannot be read", async (t) => {
    const { session, timelines, panel, receive } = await timelinesFixture(t, [driver]);
    session.progressOf = () => ({ ...noProgress, problem: { kind: "forbidden" } });
    await timelines.show([node]);
    await receive({ kind: "ready" });
    assert.equal(
      panel().sent[0]?.notes.at(-1),
      "No metrics from the driver: not permitted: get pods/proxy",
    );
  });

  test("is refreshed each second while it is visible", async (t) => {
    const { timelines, panel, clock, state, receive } = await timelinesFixture(t, [driver]);
    await timelines.show([node]);
    await receive({ kind: "ready" });
    await clock.advance(3_000);
    assert.equal(panel().sent.length, 4);
    state.isVisible = false;
    await clock.advance(3_000);
    assert.equal(panel().sent.length, 4);
    state.isVisible = true;
    panel().shown?.();
    assert.equal(panel().sent.length, 5);
  });

  test("records no driver while it is hidden or closed", async (t) => {
    const { timelines, panel, clock, state, recorded, done } = await timelinesFixture(t, [driver]);
    await timelines.show([node]);
    state.isVisible = false;
    await clock.advance(1_000);
    assert.deepEqual(recorded.at(-1), []);
    state.isVisible = true;
    await clock.advance(1_000);
    assert.deepEqual(recorded.at(-1), [key]);
    panel().closed();
    assert.deepEqual(recorded.at(-1), []);
    assert.deepEqual(done, ["close Timeline: pi"]);
  });

  test("is revealed if it is open, and chosen without rows", async (t) => {
    const { timelines, panels, done } = await timelinesFixture(t, [driver], "pi");
    await timelines.show([]);
    await timelines.show([node, node]);
    assert.equal(panels.length, 1);
    assert.deepEqual(done, ["reveal Timeline: pi"]);
  });

  test("sends the record of an ended application once", async (t) => {
    const { timelines, panel, clock, server, recorded } = await timelinesFixture(t, [driver]);
    await timelines.show([node]);
    server.put(failedDriver(1));
    await clock.advance(2_000);
    const count = panel().sent.length;
    await clock.advance(3_000);
    assert.equal(panel().sent.length, count);
    assert.deepEqual(recorded.at(-1), []);
  });

  test("opens logs and rows", async (t) => {
    const failedOne = executorFixture(2, { phase: "Failed", containers: failed(137).containers });
    const { timelines, receive, done } = await timelinesFixture(t, [
      driver,
      executorFixture(1),
      failedOne,
    ]);
    await timelines.show([node]);
    const open = (target: object): Promise<void> => receive({ kind: "open", target });
    await open({ kind: "executor", id: "driver" });
    await open({ kind: "stage", key: "3.0" });
    await open({ kind: "executor", id: "1" });
    await open({ kind: "executor", id: "2" });
    await open({ kind: "executor", id: "9" });
    assert.deepEqual(done, [
      `log pod:${key}:uid-driver`,
      `log pod:${key}:uid-driver`,
      `executor ${key} exec-1`,
      `log pod:${key}:exec-2 at the error`,
      `executor ${key} none`,
    ]);
  });

  test("saves images and numbers", async (t) => {
    const { timelines, receive, done } = await timelinesFixture(t, [driver]);
    await timelines.show([node]);
    await receive({ kind: "saveSvg" });
    assert.deepEqual(done, []);
    await receive({ kind: "ready" });
    await receive({ kind: "saveSvg" });
    await receive({ kind: "saveCsv" });
    await receive({ kind: "savePng", image: "data:image/png;base64,aGk=" });
    await receive({ kind: "unknown" });
    assert.deepEqual(done, [
      "save pi-timeline.svg svg with content",
      "save pi-timeline.csv csv with content",
      "save pi-timeline.png png with content",
    ]);
  });

  test("shows a stored record", async (t) => {
    const { timelines, panel, receive, session, clock } = await timelinesFixture(t, [driver]);
    const timeline: Timeline = session.timelineOf(key) ?? assert.fail();
    const opened: unknown[] = [];
    timelines.showStored({
      ...{ id: "r1", name: "nightly", notes: ["failed: exit code 1"], timeline },
      endedAt: clock.now(),
      open: (target) => {
        opened.push(target);
        return Promise.resolve();
      },
    });
    await receive({ kind: "ready" });
    await clock.advance(3_000);
    assert.deepEqual(
      panel().sent.map(({ title, notes }) => [title, notes]),
      [["nightly", ["failed: exit code 1"]]],
    );
    await receive({ kind: "open", target: { kind: "stage", key: "3.0" } });
    assert.equal(opened.length, 1);
  });
});
