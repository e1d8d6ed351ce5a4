import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Task, TaskDefinition } from "vscode";
import { taskType } from "../../../src/editor/ids.ts";
import type { StartWindow } from "../../../src/editor/submit/chooseSettings.ts";
import { showRecentRuns } from "../../../src/editor/submit/showRecentRuns.ts";
import { startSession } from "../../../src/editor/submit/startSession.ts";
import { startShell } from "../../../src/editor/submit/startShell.ts";
import type { RunRecord } from "../../../src/spark/history/runRecord.ts";
import { runFixture } from "../history/runFixture.ts";
import { scriptedScreen } from "./screenFixture.ts";

const profile = (name: string, definition: object): Task =>
  ({ name, definition: { type: "spark", ...definition }, scope: 2 }) as unknown as Task;
const profiles = [
  profile("etl", { image: "spark:4.0.1", conf: { "spark.a": "b" } }),
  profile("operated", { application: "app.yaml" }),
];

function startFixture(
  answers: readonly (string | undefined)[],
  {
    minutes = 30,
    keeps = false,
    tasks = profiles,
    base = { image: "spark:3.5.9" },
    hasLast = true,
  } = {},
) {
  const screen = scriptedScreen(...answers);
  const started: { readonly how: string; readonly definition: TaskDefinition }[] = [];
  const hows: object[] = [];
  let accepted = 0;
  const window: StartWindow = {
    screen,
    findProfiles: () => Promise.resolve(tasks),
    keepsShells: () => keeps,
    sessionIdleMinutes: () => minutes,
  };
  const options = {
    program: { fsPath: "/media/session.py" } as never,
    lastImage: () => (hasLast ? "spark:3.5.9" : undefined),
    define: () =>
      Promise.resolve({
        definition: { type: "spark", ...base },
        accepted: () => {
          accepted += 1;
          return Promise.resolve();
        },
      }),
    run: (definition: TaskDefinition, how: { readonly accepted?: () => Promise<void> }) => {
      started.push({ how: "run", definition });
      hows.push(how);
      return how.accepted?.() ?? Promise.resolve();
    },
    preview: (definition: TaskDefinition) => {
      started.push({ how: "preview", definition });
      return Promise.resolve();
    },
  };
  return { screen, started, hows, window, options, accepted: () => accepted };
}

describe("Start Spark Session", () => {
  test("runs a session with the settings of a run profile that has an image", async () => {
    const rig = startFixture(["etl"]);
    await startSession(rig.options, rig.window);
    assert.equal(
      rig.screen.shown[0],
      [
        "pick: Start Spark Session",
        "Settings of the session, which ends after 30 minutes without a client",
        "etl | spark:4.0.1 | ",
        "Without a Run Profile | spark:3.5.9 | Image, service account and conf file of the last submission",
      ].join("\n"),
    );
    const [{ how, definition } = assert.fail()] = rig.started;
    assert.deepEqual([how, definition.type, definition["label"]], ["run", taskType, undefined]);
    assert.match(JSON.stringify(definition), /etl session/);
    assert.deepEqual(rig.hows, [{ scope: 2 }]);
    assert.equal(rig.accepted(), 0);
  });

  test("says that it asks for an image if none is remembered", async () => {
    const rig = startFixture([undefined], { hasLast: false });
    await startSession(rig.options, rig.window);
    assert.match(
      rig.screen.shown[0] ?? "",
      /\nWithout a Run Profile \| asks for the image and the service account \| $/,
    );
  });

  test("uses the settings of earlier submissions without a profile", async () => {
    const rig = startFixture(["Without a Run Profile"], { minutes: 0 });
    await startSession(rig.options, rig.window);
    assert.match(
      rig.screen.shown[0] ?? "",
      /Settings of the session, which runs until it is stopped/,
    );
    assert.match(JSON.stringify(rig.started[0]?.definition), /"spark-session"/);
    assert.equal(rig.accepted(), 1);
    assert.deepEqual(Object.keys(rig.hows[0] ?? {}), ["accepted"]);
  });

  test("previews the session with the button of a row", async () => {
    const rig = startFixture(["button of etl"]);
    await startSession(rig.options, rig.window);
    assert.deepEqual(
      rig.started.map(({ how }) => how),
      ["preview"],
    );
  });

  test("starts nothing if the user cancels", async () => {
    const rig = startFixture([undefined]);
    await startSession(rig.options, rig.window);
    assert.deepEqual(rig.started, []);
  });

  test("says why an image cannot run a session", async () => {
    const said = async (base: { readonly image: string }) => {
      const rig = startFixture(["Without a Run Profile"], { base });
      await startSession(rig.options, rig.window);
      assert.deepEqual(rig.started, []);
      return rig.screen.shown.at(-1);
    };
    assert.equal(
      await said({ image: "spark:latest" }),
      'error: Cannot start a Spark session: the image\'s tag has no Spark version. Set "sparkVersion" in the run profile.',
    );
    assert.equal(
      await said({ image: "spark:3.4.1" }),
      "error: Cannot start a Spark session: Spark 3.4.1 is too old. Sessions need Spark 3.5 or later.",
    );
  });
});

describe("Open Spark Shell", () => {
  test("asks for the shell and its settings", async () => {
    const rig = startFixture(["pyspark", "etl"]);
    await startShell(rig.options, undefined, rig.window);
    assert.equal(
      rig.screen.shown[0],
      [
        "pick: Open Spark Shell",
        "The shell runs in a driver pod, which is deleted when its terminal closes",
        ...["pyspark | Python | ", "spark-shell | Scala | ", "spark-sql | SQL | "],
      ].join("\n"),
    );
    assert.match(rig.screen.shown[1] ?? "", /^pick: Open Spark Shell\nSettings of the shell\n/);
    assert.match(JSON.stringify(rig.started[0]?.definition), /etl pyspark/);
  });

  test("of a run profile asks for the shell only, and previews it with its button", async () => {
    const rig = startFixture(["button of spark-sql"], { keeps: true });
    await startShell(rig.options, profiles[0], rig.window);
    assert.equal(rig.screen.shown.length, 1);
    assert.match(rig.screen.shown[0] ?? "", /which is kept when its terminal closes/);
    assert.deepEqual(
      rig.started.map(({ how }) => how),
      ["preview"],
    );
  });

  test("without a profile has the name of the shell", async () => {
    const rig = startFixture(["spark-sql", "Without a Run Profile"]);
    await startShell(rig.options, undefined, rig.window);
    assert.equal(rig.started[0]?.how, "run");
    assert.match(JSON.stringify(rig.started[0].definition), /"spark-sql"/);
  });

  test("starts nothing if the user cancels one of the two", async () => {
    for (const answers of [[undefined], ["pyspark", undefined]]) {
      const rig = startFixture(answers);
      await startShell(rig.options, undefined, rig.window);
      assert.deepEqual(rig.started, []);
    }
  });
});

describe("Recent Runs", () => {
  const at = Date.parse("2026-01-02T03:00:00Z");
  const runOf = (id: number, fields: Partial<RunRecord> = {}): RunRecord =>
    runFixture({
      ...{ id: `run-${id}`, name: "etl", folder: "file:///project", isSubmitted: true },
      ...{ startedAt: at - id * 3_600_000, endedAt: at - id * 3_600_000 + 60_000 },
      conf: [["spark.a", String(id)]],
      ...fields,
    });
  const ofEtl = {
    ...{ kind: "profile", name: "etl" },
    folder: { toString: () => "file:///project" },
  } as never;

  function recentFixture(runs: readonly RunRecord[], answers: readonly (string | undefined)[]) {
    const screen = scriptedScreen(...answers);
    const shown: string[] = [];
    const options = {
      history: { list: () => Promise.resolve(runs), timeline: () => Promise.resolve(undefined) },
      documents: {
        show: (path: string) => {
          shown.push(path);
          return Promise.resolve();
        },
        compare: (left: { readonly path: string }, right: { readonly path: string }) => {
          shown.push(`${left.path} and ${right.path}`);
          return Promise.resolve();
        },
      },
      clock: { now: () => at + 3_600_000 },
    } as never;
    return { screen, shown, options };
  }
  const first = (label: string | undefined): string => (label ?? "").split(" | ")[0] ?? "";

  test("says that the profile was not submitted here", async () => {
    const others = [
      runOf(1, { name: "other" }),
      runOf(2, { folder: "file:///elsewhere" }),
      runOf(3, { isSubmitted: false }),
    ];
    const { screen, options } = recentFixture(others, []);
    await showRecentRuns(ofEtl, options, screen);
    assert.deepEqual(screen.shown, ['info: "etl" was not submitted from this workspace.']);
  });

  test("lists the last five, with what differs from the run before", async () => {
    const runs = [1, 2, 3, 4, 5, 6].map((id) => runOf(id));
    const { screen, shown, options } = recentFixture(runs, [undefined]);
    await showRecentRuns(ofEtl, options, screen);
    const [title, hint, ...rows] = screen.shown[0]?.split("\n") ?? [];
    assert.deepEqual(
      [title, hint],
      ["pick: Recent Runs: etl", "Select a run to show it, or two to compare them"],
    );
    assert.equal(rows.length, 5);
    assert.match(rows[0] ?? "", /spark\.a: 2 → 1$/);
    assert.match(rows[4] ?? "", /\| $/);
    assert.deepEqual(shown, []);
  });

  test("shows a run, and its log with the button", async () => {
    const rows = recentFixture([runOf(1)], [undefined]);
    await showRecentRuns(ofEtl, rows.options, rows.screen);
    const label = first(rows.screen.shown[0]?.split("\n")[2]);
    const chosen = recentFixture([runOf(1)], [label]);
    await showRecentRuns(ofEtl, chosen.options, chosen.screen);
    assert.deepEqual(chosen.shown, ["/run.txt"]);
    const pressed = recentFixture([runOf(1)], [`button of ${label}`]);
    await showRecentRuns(ofEtl, pressed.options, pressed.screen);
    assert.deepEqual(pressed.shown, []);
    assert.match(
      pressed.screen.shown.at(-1) ?? "",
      /^command: .*\{"kind":"driver","id":"driver:run-1","uid":"run-1"\}$/,
    );
  });
});
