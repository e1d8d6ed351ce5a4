import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  compareRuns,
  openPostMortem,
  openRunDocument,
  removeRuns,
  repeatRun,
  type RunCommandContext,
  type RunsWindow,
} from "../../../src/editor/runs/runCommands.ts";
import { runText } from "../../../src/editor/runs/runText.ts";
import { runOutcomeWords } from "../../../src/editor/runs/runWords.ts";
import { inEnglish } from "../../../src/base/message.ts";
import type { ListedRun, RunCommit } from "../../../src/spark/history/runRecord.ts";
import type { Timeline } from "../../../src/spark/timeline/timeline.ts";
import { scriptedScreen } from "./screenFixture.ts";
import { localTime, timeOfDay } from "../../../src/base/timeOfDay.ts";

const start = Date.UTC(2026, 0, 2, 10, 0, 0);
const run = (given: Partial<ListedRun> = {}): ListedRun => ({
  ...{ id: "uid-1", name: "etl", folder: undefined, isSubmitted: true },
  ...{ context: "dev", namespace: "jobs", applicationId: "spark-1" },
  ...{ startedAt: start, endedAt: start + 90_000, outcome: "failed", exitCode: 3 },
  ...{ cause: undefined, sent: undefined, conf: [], application: "local:///a.py" },
  ...{ mainClass: undefined, args: [], image: undefined, digest: undefined, git: undefined },
  ...{ spent: undefined, executors: undefined, definition: undefined, isWatched: false },
  ...given,
});
const git = (commit: string, isDirty = false): RunCommit => ({ commit, branch: "main", isDirty });
const now = start + 3_600_000;

const timeline = (stages: readonly object[]): Timeline => ({ stages }) as unknown as Timeline;

function rigFor(runs: readonly ListedRun[], ...script: readonly (string | undefined)[]) {
  const screen = scriptedScreen(...script);
  const removed: string[] = [];
  const submitted: unknown[] = [];
  const opened: string[] = [];
  let commit: RunCommit | undefined;
  const context = {
    history: {
      list: () => Promise.resolve(runs),
      timeline: () => Promise.resolve(undefined),
      remove: (ids: readonly string[]) => Promise.resolve(void removed.push(...ids)),
    },
    documents: {
      show: (path: string, text: string) =>
        Promise.resolve(void opened.push(`${path}: ${text.split("\n")[0] ?? ""}`)),
      compare: (
        left: { readonly text: string },
        right: { readonly text: string },
        title: string,
      ) => {
        const outcome = ({ text }: typeof left): string => text.split("\n")[0] ?? "";
        opened.push(`${title} | ${outcome(left)} | ${outcome(right)}`);
        return Promise.resolve();
      },
    },
    now: () => now,
    submit: (definition: unknown, name: unknown) =>
      Promise.resolve(void submitted.push({ name, definition })),
  } as unknown as RunCommandContext;
  const window: RunsWindow = {
    screen,
    commitOf: () => Promise.resolve(commit),
    openText: (language, content) =>
      Promise.resolve(void opened.push(`${language}: ${content.split("\n")[0] ?? ""}`)),
    offerActions: (path, { id }) => opened.push(`actions of ${id} at ${path}`),
  };
  const workspaceHas = (given: RunCommit): void => {
    commit = given;
  };
  const { shown } = screen;
  return { context, window, shown, removed, submitted, opened, workspaceHas };
}

const node = (id: string) => ({ kind: "run", id }) as const;
const clock = (at: number): string => timeOfDay(at, "seconds");

describe("the document of a run", () => {
  test("shows the known facts in two columns, then stages and conf", () => {
    const screen = scriptedScreen();
    const text = runText(
      run({
        ...{ cause: "out of memory", mainClass: "org.Main", args: ["a", "b c"], image: "img:1" },
        ...{ digest: "sha256:1", git: { ...git("abc"), isDirty: true } },
        ...{ sent: { files: 2, bytes: 2048 }, executors: { seen: 4, failed: 1 } },
        conf: [["spark.a", "one\ntwo"]],
      }),
      timeline([
        { name: "load", submittedAt: 0, endedAt: 2_000, done: 4, tasks: 5, failed: 1 },
        { name: "save", submittedAt: 0, endedAt: undefined, done: 0, tasks: 5, failed: 0 },
      ]),
      screen,
    );
    assert.deepEqual(text.split("\n"), [
      "Outcome:             failed: exit code 3",
      "Cause:               out of memory",
      "Duration:            90 s",
      `Started:             ${localTime(start)}`,
      "Cluster:             dev",
      "Application:         jobs/spark-1",
      "Program:             local:///a.py",
      "Main class:          org.Main",
      "Arguments:           a b c",
      "Image:               img:1",
      "Image digest:        sha256:1",
      "Git commit:          abc main",
      "Uncommitted changes: yes",
      "Sent files:          2 (2.0 KiB)",
      "Executors:           4 seen, 1 failed",
      "",
      "Stages:",
      "  load · 2 s · 4 of 5 tasks · 1 failed",
      "  save · end not seen · 0 of 5 tasks when last seen",
      "",
      "spark.a=one\\ntwo",
      "",
    ]);
  });

  test("leaves out unknown facts", () => {
    const text = runText(
      run({ git: { ...git("abc"), branch: undefined } }),
      undefined,
      scriptedScreen(),
    );
    const names = text.split("\n").flatMap((line) => /^([A-Z].*?): +/.exec(line)?.[1] ?? []);
    assert.deepEqual(names, [
      ...["Outcome", "Duration", "Started", "Cluster", "Application", "Program"],
      ...["Git commit", "Uncommitted changes"],
    ]);
    assert.match(text, /Git commit: +abc\nUncommitted changes: +no\n/);
    assert.doesNotMatch(text, /Stages:/);
  });

  test("says that a run without an end was running when last seen, unless it is watched", () => {
    const words = (given: Partial<ListedRun>): string => inEnglish(runOutcomeWords(run(given)));
    assert.equal(words({ outcome: "detached", endedAt: undefined }), "running when last seen");
    assert.equal(words({ outcome: "submitted", endedAt: undefined }), "running when last seen");
    const watched = { endedAt: undefined, isWatched: true };
    assert.equal(words({ outcome: "submitted", ...watched }), "running");
    assert.equal(words({ outcome: "failed", endedAt: undefined }), "failed: exit code 3");
    assert.notEqual(words({ outcome: "submitted" }), "running when last seen");
  });
});

describe("commands of the Runs view", () => {
  test("show the selected runs", async () => {
    const rig = rigFor([run(), run({ id: "uid-2", name: "a b/c" })]);
    await openRunDocument(rig.context, [node("uid-2"), node("gone")], rig.window);
    const time = clock(start).replace(/\W+/g, "-");
    const path = `/a-b-c-${time}.run.txt`;
    assert.deepEqual(rig.opened, [
      `actions of uid-2 at ${path}`,
      `${path}: Outcome:             failed: exit code 3`,
    ]);
    assert.deepEqual(rig.shown, []);
  });

  test("ask for a run without a selection", async () => {
    const rig = rigFor([run()], "etl");
    await openPostMortem(rig.context, [], rig.window);
    assert.match(
      rig.shown[0] ?? "",
      /^pick: Post-Mortem\nSelect a run\netl \| failed: exit code 3 · .* \| dev · jobs · spark-1$/,
    );
    assert.match(rig.opened[0] ?? "", /^markdown: # /);
    const none = rigFor([]);
    await openPostMortem(none.context, [], none.window);
    assert.deepEqual(none.shown, ["info: No runs of this workspace."]);
    assert.deepEqual(none.opened, []);
  });

  test("compare a single run with the run before it of the same name", async () => {
    const later = run({ id: "uid-3", startedAt: start + 10_000, exitCode: 4 });
    const other = run({ id: "uid-2", name: "other", startedAt: start + 5_000 });
    const rig = rigFor([later, other, run()]);
    await compareRuns(rig.context, [node("uid-3")], rig.window);
    assert.deepEqual(rig.opened, [
      `etl: ${clock(start)} ↔ ${clock(start + 10_000)} | Outcome:             failed: exit code 3 | Outcome:             failed: exit code 4`,
    ]);
    const first = rigFor([later, other, run()]);
    await compareRuns(first.context, [node("uid-1")], first.window);
    assert.deepEqual(first.shown, ["info: Select two runs to compare them."]);
  });

  test("compare two runs, the older one on the left", async () => {
    const later = run({ id: "uid-2", name: "other", startedAt: start + 5_000, exitCode: 4 });
    const rig = rigFor([later, run()]);
    await compareRuns(rig.context, [node("uid-2"), node("uid-1")], rig.window);
    assert.deepEqual(rig.opened, [
      "etl ↔ other | Outcome:             failed: exit code 3 | Outcome:             failed: exit code 4",
    ]);
    const three = rigFor([later, run(), run({ id: "uid-3" })]);
    await compareRuns(three.context, ["uid-1", "uid-2", "uid-3"].map(node), three.window);
    assert.deepEqual(three.shown, ["info: Select two runs to compare them."]);
    const picked = rigFor([later, run()], "other|etl");
    await compareRuns(picked.context, [], picked.window);
    assert.equal(picked.opened.length, 1);
  });

  test("delete records after a question that names one or counts several", async () => {
    const runs = [run(), run({ id: "uid-2", name: "other" })];
    const detail =
      "Applications and kept logs are not deleted. The records cannot be restored.\n[Delete]";
    const one = rigFor(runs, "Delete");
    await removeRuns(one.context, [node("uid-2")], one.window);
    assert.deepEqual(one.shown, [`warning: Delete the record of "other"?\n${detail}`]);
    assert.deepEqual(one.removed, ["uid-2"]);
    const both = rigFor(runs, undefined);
    await removeRuns(both.context, ["uid-1", "uid-2"].map(node), both.window);
    assert.deepEqual(both.shown, [`warning: Delete the records of 2 runs?\n${detail}`]);
    assert.deepEqual(both.removed, []);
    const none = rigFor(runs, "");
    await removeRuns(none.context, [], none.window);
    assert.deepEqual([none.shown.length, none.removed], [1, []]);
  });

  // The runs are compared by their names.
  test("repeat a run of this workspace with its code and name", async () => {
    const definition = { application: "local:///a.py" };
    const rig = rigFor([run({ definition, git: git("abc") })]);
    rig.workspaceHas(git("abc"));
    await repeatRun(rig.context, [node("uid-1")], rig.window);
    assert.deepEqual(rig.submitted, [
      { name: "etl", definition: { ...definition, type: "spark" } },
    ]);
    assert.deepEqual(rig.shown, []);
    const followed = rigFor([run()]);
    await repeatRun(followed.context, [node("uid-1")], followed.window);
    assert.deepEqual(followed.submitted, []);
    assert.deepEqual(followed.shown, [
      'info: The submission of "etl" is not stored: it was a pasted command, or another tool submitted it.',
    ]);
  });

  test("ask before other code than that of the run is sent", async () => {
    const definition = { application: "local:///a.py" };
    const ask = async (before: RunCommit, current: RunCommit, answer: string | undefined) => {
      const rig = rigFor([run({ definition, git: before })], answer);
      rig.workspaceHas(current);
      await repeatRun(rig.context, [node("uid-1")], rig.window);
      return rig;
    };
    const other = await ask(git("0123456789abcdef"), git("fedcba9876543210"), "Run");
    assert.deepEqual(other.shown, [
      'warning: The code differs from that of the run. Run "etl" with the current code?\nThe run used commit 0123456789ab. The workspace is at commit fedcba987654.\n[Run]',
    ]);
    assert.equal(other.submitted.length, 1);
    const dirty = await ask(git("abc", true), git("abc", true), undefined);
    assert.match(
      dirty.shown[0] ?? "",
      /It had uncommitted changes, which were not saved\. The workspace is at commit abc\. It has uncommitted changes\.\n/,
    );
    assert.equal(dirty.submitted.length, 0);
  });
});
