import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Task, Uri } from "vscode";
import type { PreparedProgram } from "../../../src/editor/submit/programs.ts";
import type { RunOnSaveOptions } from "../../../src/editor/submit/runOnSave.ts";
import { saveRunsOf, type SaveWindow } from "../../../src/editor/submit/saveRuns.ts";
import { settle, VirtualClock } from "../engine/virtualClock.ts";
import { scriptedScreen } from "./screenFixture.ts";
import { strictLog } from "./sessionFixture.ts";
import { definition, profileTask, project, uri } from "./submitFixture.ts";

const orders = profileTask("orders");
const profile = { kind: "profile", name: "orders", folder: project } as const;

function rig(given: Partial<PreparedProgram> | "canceled" = {}) {
  const clock = new VirtualClock();
  const screen = scriptedScreen();
  const done: string[] = [];
  const tasks: Task[] = [orders];
  let options: RunOnSaveOptions | undefined;
  let [willSave, didSave, tasksChange]: [
    Parameters<SaveWindow["onWillSave"]>[0] | undefined,
    Parameters<SaveWindow["onDidSave"]>[0] | undefined,
    (() => void) | undefined,
  ] = [undefined, undefined, undefined];
  const listener = (forget: () => void) => ({ dispose: forget });
  const window: SaveWindow = {
    screen,
    setActive: (isActive) => done.push(isActive ? "active" : "inactive"),
    createMark: (name) => {
      done.push(`mark of ${name}`);
      return {
        show: ({ words }) => done.push(`mark: ${words}`),
        dispose: () => done.push("no mark"),
      };
    },
    onWillSave: (saves) => {
      willSave = saves;
      return listener(() => (willSave = undefined));
    },
    onDidSave: (saved) => {
      didSave = saved;
      return listener(() => (didSave = undefined));
    },
    onTasksChange: (changed) => {
      tasksChange = changed;
      return listener(() => (tasksChange = undefined));
    },
  };
  const host = {
    saveAll: () => {
      done.push("save all");
      return Promise.resolve(true);
    },
    findProfiles: () => Promise.resolve(tasks),
    folderOf: () => undefined,
  };
  const program: PreparedProgram = {
    ...{ name: "orders", profile, definition: orders.definition },
    run: () => Promise.resolve("started"),
    ...(given === "canceled" ? {} : given),
  };
  const runs = saveRunsOf(
    { prepare: () => Promise.resolve(given === "canceled" ? undefined : program) },
    {
      ...{ clock, log: strictLog },
      host,
      startRunOnSave: (started: RunOnSaveOptions) => {
        options = started;
        done.push("start");
        return {
          saved: (path: string, isNew: boolean) => done.push(`saved ${path} ${isNew}`),
          again: () => done.push("again"),
          dispose: () => done.push("end"),
        };
      },
    },
    window,
  );
  /** Saves a file that was created `createdMs` after the start of the save. */
  const save = async (file: Uri, { createdMs = -1, isDelayed = false, inside = true } = {}) => {
    const began = clock.now();
    willSave?.(file, isDelayed);
    didSave?.({
      ...{ uri: file, languageId: file.path.endsWith(".py") ? "python" : "sql" },
      isInWorkspace: inside,
      createdAt: () => Promise.resolve(createdMs === Infinity ? undefined : began + createdMs),
    });
    await settle();
  };
  return {
    ...{ runs, done, tasks, save, shown: screen.shown, options: () => options },
    changeTasks: async () => {
      tasksChange?.();
      await settle();
    },
    start: () => runs.handlers.runOnSave(undefined),
    stop: () => runs.handlers.stopRunOnSave(undefined),
  };
}

describe("start of Run on Save", () => {
  test("saves all files before it listens, and shows a mark", async () => {
    const { start, done, options } = rig();
    await start();
    assert.deepEqual(done, ["inactive", "save all", "active", "mark of orders", "start"]);
    options()?.changed({ isBusy: true, words: "running" });
    assert.equal(done.at(-1), "mark: running");
  });

  test("does nothing without a program", async () => {
    const { start, done } = rig("canceled");
    await start();
    assert.deepEqual(done, []);
  });

  test("is refused for a program that asks, and for a manifest", async () => {
    const asking = rig({ definition: definition({ args: ["${input:day}"] }) });
    await asking.start();
    assert.deepEqual(asking.shown, [
      'warning: Run on Save is off for "orders". Each run would ask for ${input:day}.',
    ]);
    const manifest = rig({ definition: definition({ application: "orders.YAML" }) });
    await manifest.start();
    assert.deepEqual(manifest.shown, [
      'warning: Run on Save is off for "orders". An operator runs its manifest.',
    ]);
    assert.deepEqual([asking.done, manifest.done], [[], []]);
  });

  test("ends the runs of the program before", async () => {
    const { start, done } = rig();
    await start();
    done.length = 0;
    await start();
    assert.equal(done.indexOf("end") < done.indexOf("save all"), true);
    assert.equal(done.filter((one) => one === "start").length, 1);
  });
});

describe("end of Run on Save", () => {
  test("stops listening", async () => {
    const { start, stop, done, save } = rig();
    await start();
    await stop();
    assert.deepEqual(done.slice(-3).toSorted(), ["end", "inactive", "no mark"]);
    done.length = 0;
    await save(uri("/project/a.py"));
    assert.deepEqual(done, []);
  });

  test("has a reason if runs cannot start any more", async () => {
    const { start, done, options, shown } = rig();
    await start();
    options()?.ended("The profile is gone.");
    assert.equal(done.includes("end"), true);
    assert.equal(done.at(-1), "inactive");
    assert.deepEqual(shown, ['warning: Run on Save is off for "orders". The profile is gone.']);
  });
});

describe("save of a file", () => {
  test("is passed on if the user asked for it", async () => {
    const { start, done, save } = rig();
    await start();
    done.length = 0;
    const file = uri("/project/a.sql");
    await save(file, { isDelayed: true });
    await save(uri("/a", "untitled"));
    assert.deepEqual(done, []);
    await save(file);
    assert.deepEqual(done, ["saved /project/a.sql false"]);
  });

  test("is of a new program if a Python file of the workspace was created since", async () => {
    const { start, done, save } = rig();
    await start();
    done.length = 0;
    await save(uri("/project/new.py"), { createdMs: 0 });
    await save(uri("/project/old.py"), { createdMs: -1 });
    await save(uri("/other/new.py"), { createdMs: 0, inside: false });
    await save(uri("/project/new.sql"), { createdMs: 0 });
    await save(uri("/project/gone.py"), { createdMs: Infinity });
    assert.deepEqual(
      done.map((one) => one.endsWith("true")),
      [true, false, false, false, false],
    );
  });
});

describe("change of the tasks", () => {
  test("starts another run only if it changes the profile", async () => {
    const { start, done, tasks, changeTasks } = rig();
    await start();
    done.length = 0;
    await changeTasks();
    assert.deepEqual(done, []);
    tasks[0] = profileTask("orders", { image: "i:2" });
    await changeTasks();
    await changeTasks();
    assert.deepEqual(done, ["again"]);
  });

  test("does not matter to a file without a profile", async () => {
    const { start, done, tasks, changeTasks } = rig({ profile: undefined });
    await start();
    done.length = 0;
    tasks.length = 0;
    await changeTasks();
    assert.deepEqual(done, []);
  });
});
