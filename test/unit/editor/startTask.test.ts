import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { timeOfDay } from "../../../src/base/timeOfDay.ts";
import { applicationKeyOf } from "../../../src/spark/pods/applications.ts";
import { msg } from "../../../src/base/message.ts";
import { knownRun, lastRun } from "../../../src/editor/submit/knownRuns.ts";
import { lastSent } from "../../../src/editor/profiles/sentTexts.ts";
import {
  makeTask,
  repeat,
  runDefinition,
  runProfile,
} from "../../../src/editor/submit/startTask.ts";
import { driverFixture } from "../pods/podFixture.ts";
import { base, planOf } from "../submit/prepared.ts";
import {
  controlledRun,
  definition,
  definitionOf,
  profileTask,
  project,
  submitWorld,
  workspaceScope,
} from "./submitFixture.ts";

const orders = profileTask("orders");
const labelOf = (name: string, now: number): string => `${name} ${timeOfDay(now, "seconds")}`;

describe("run of a profile", () => {
  test("is its own task, without a confirmation", async () => {
    const { options, screen, memory, done, runs, executed } = submitWorld();
    assert.equal(await runProfile(options, orders), true);
    assert.deepEqual(executed, [orders]);
    assert.deepEqual(done, ["run orders"]);
    const [run] = runs;
    assert.equal(await run?.mayStart(), true);
    assert.deepEqual(screen.shown, []);
    assert.deepEqual(
      [run?.name, run?.folder, run?.workingDirectory, run?.resubmits, run?.controlled],
      ["orders", project, "/project", false, undefined],
    );
    assert.deepEqual(run?.source, {
      ...{ kind: "profile", definition: orders.definition, written: orders.definition },
    });
    assert.deepEqual(lastRun(memory), { kind: "profile", name: "orders" });
  });

  test("is a copy while it is active, after its dependencies", async () => {
    const { options, clock, done, runs } = submitWorld({
      ...{ active: ["orders"], dependencies: ["build", "test"] },
    });
    assert.equal(await runProfile(options, orders), true);
    const copy = labelOf("orders", clock.now());
    assert.deepEqual(done, ["before build test", `started as ${copy} orders`, `run ${copy}`]);
    assert.equal(runs[0]?.name, copy);
    assert.equal(await runs[0].mayStart(), true);
  });

  test("does not start when a dependency fails", async () => {
    const { options, done, executed } = submitWorld({
      ...{ active: ["orders"], dependencies: ["build"], hasFailedDependency: true },
    });
    assert.equal(await runProfile(options, orders), false);
    assert.deepEqual([done, executed], [["before build"], []]);
  });

  test("is its own task while it is active, if only VS Code can resolve its dependencies", async () => {
    const { options, executed } = submitWorld({ active: ["orders"], dependencies: "editor" });
    await runProfile(options, orders);
    assert.deepEqual(executed, [orders]);
  });

  test("is a copy in another context, with overrides, with answers or under control", async () => {
    const controlled = controlledRun();
    const starts = [
      [{ context: "dev" }, { context: "dev" }],
      [{ controlled, overrides: { image: "i:2" } }, { image: "i:2" }],
      [{ inputs: new Map([["${input:day}", "monday"]]) }, {}],
      [{ controlled }, {}],
    ] as const;
    for (const [start, members] of starts) {
      const { options, executed, runs } = submitWorld();
      await runProfile(options, orders, start);
      assert.notEqual(executed[0], orders);
      assert.match(runs[0]?.name ?? "", /^orders \d/);
      assert.deepEqual(definitionOf(runs[0]), { ...orders.definition, ...members });
      assert.equal(runs[0]?.controlled, "controlled" in start ? start.controlled : undefined);
    }
  });

  test("stores neither answers nor secrets with the task, and fills them in", async () => {
    const secret = {
      conf: { "spark.hadoop.fs.s3a.secret.key": "hunter2" },
      args: ["${input:day}"],
    };
    const { options, executed, runs } = submitWorld();
    await runProfile(options, profileTask("orders", secret), {
      inputs: new Map([["${input:day}", "monday"]]),
    });
    assert.doesNotMatch(JSON.stringify(executed[0]?.definition), /hunter2|monday|input:day/);
    assert.deepEqual(definitionOf(runs[0]), { ...orders.definition, ...secret, args: ["monday"] });
    assert.deepEqual(definitionOf(runs[0], "written"), { ...orders.definition, ...secret });
  });

  test("is confirmed if the workspace calls commands", async () => {
    const { options, screen, runs } = submitWorld({ callsCommands: true, script: ["Submit"] });
    await runProfile(options, orders);
    assert.equal(await runs[0]?.mayStart(), true);
    assert.match(screen.shown[0] ?? "", /^warning: Allow a task to submit "orders"\?/);
  });

  test("forgets its announcement when VS Code cannot start it", async () => {
    const { options, screen, runs } = submitWorld({ executeError: new Error("busy") });
    await assert.rejects(runProfile(options, orders), /busy/);
    await openOwn(options);
    assert.equal(await runs[0]?.mayStart(), false);
    assert.equal(screen.shown.length, 1);
  });
});

const openOwn = async (options: Parameters<typeof makeTask>[0]): Promise<void> => {
  const { name, scope } = orders;
  const task = { name, scope, definition: orders.definition };
  const made = makeTask(options, { ...task, origin: { kind: "profile", name } });
  await (made as unknown as { open: (one: object) => Promise<unknown> }).open(orders.definition);
};

describe("start that no command announced", () => {
  test("is confirmed once per window, and refused otherwise", async () => {
    const { options, screen, runs } = submitWorld({ script: [undefined, "Submit"] });
    for (let start = 0; start < 3; start += 1) await openOwn(options);
    assert.equal(await runs[0]?.mayStart(), false);
    assert.equal(await runs[1]?.mayStart(), true);
    assert.equal(await runs[2]?.mayStart(), true);
    assert.equal(screen.shown.length, 2);
  });
});

describe("controlled run", () => {
  test("reports a refusal to the feature that controls it", async () => {
    const refusals: string[] = [];
    const { options, done, runs } = submitWorld();
    const controlled = controlledRun({
      isRequested: false,
      refused: (reason) => refusals.push(reason),
    });
    await runProfile(options, orders, { controlled });
    assert.equal(await runs[0]?.mayStart(), false);
    assert.deepEqual(refusals, ["The run was not allowed."]);
    assert.equal(done[0], `started as ${runs[0]?.name ?? ""} orders`);
    assert.equal(done[1], "reuse terminal");
  });

  test("runs silently in the terminal of the last run when it is repeated", async () => {
    const { options, done } = submitWorld();
    const controlled = controlledRun({ refused: () => undefined, isRepeated: true });
    await runProfile(options, orders, { controlled });
    assert.ok(done.includes("reuse terminal silently"));
  });

  test("without a refusal has a terminal of its own", async () => {
    const { options, done } = submitWorld();
    await runProfile(options, orders, { controlled: controlledRun({ isRepeated: true }) });
    assert.equal(
      done.some((one) => one.startsWith("reuse")),
      false,
    );
  });

  test("of a debug session is confirmed once for all copies of its profile", async () => {
    const { options, screen, clock, runs } = submitWorld({ script: ["Submit"] });
    const controlled = controlledRun({
      isRequested: false,
      request: () => Promise.resolve(undefined),
    });
    await runProfile(options, orders, { controlled });
    await clock.advance(1_000);
    await runProfile(options, orders, { controlled });
    assert.equal(await runs[0]?.mayStart(), true);
    assert.equal(await runs[1]?.mayStart(), true);
    assert.equal(screen.shown.length, 1);
    assert.match(screen.shown[0] ?? "", /^warning: Allow a debug session to submit "orders"\?/);
  });

  test("of Run on Save is confirmed as a task, with the label of its copy", async () => {
    const { options, screen, runs } = submitWorld({ script: ["Submit"] });
    await runProfile(options, orders, { controlled: controlledRun({ isRequested: false }) });
    assert.equal(await runs[0]?.mayStart(), true);
    assert.match(screen.shown[0] ?? "", /^warning: Allow a task to submit "orders \d/);
  });

  test("that the user requested needs no confirmation, even if the workspace calls commands", async () => {
    const { options, screen, runs } = submitWorld({ callsCommands: true });
    await runProfile(options, orders, { controlled: controlledRun({ isRequested: true }) });
    assert.equal(await runs[0]?.mayStart(), true);
    assert.deepEqual(screen.shown, []);
  });
});

describe("run of a definition", () => {
  test("is named after it and the time, and belongs to the workspace", async () => {
    const { options, clock, memory, executed, runs } = submitWorld();
    await runDefinition(options, definition());
    const label = labelOf("orders.py", clock.now());
    assert.deepEqual(
      [executed[0]?.name, executed[0]?.scope, runs[0]?.name],
      [label, workspaceScope, label],
    );
    assert.deepEqual(runs[0]?.folder, project);
    assert.equal(runs[0].resubmits, false);
    assert.deepEqual(lastRun(memory), { kind: "definition", definition: definition() });
  });

  test("is distinct from an active run of the same application, and else reuses its terminal", async () => {
    const { application } = definition();
    const started = async (activeApplications: readonly string[]) => {
      const { options, executed } = submitWorld({ activeApplications });
      await runDefinition(options, definition());
      const [task] = executed;
      return { name: task?.name, startedAs: task?.definition["startedAs"] as unknown };
    };
    const distinct = await started([String(application)]);
    assert.equal(distinct.startedAs, distinct.name);
    assert.equal((await started(["local:///other.py"])).startedAs, undefined);
  });

  test("has a given name and may replace the object of an operator", async () => {
    const { options, clock, runs } = submitWorld();
    await runDefinition(options, definition(), "resubmit", { name: "nightly" });
    assert.equal(runs[0]?.name, labelOf("nightly", clock.now()));
    assert.equal(runs[0].resubmits, true);
  });

  test("sends the shell of the definition, which VS Code drops", async () => {
    const { options, runs } = submitWorld();
    const shell = definition({ shell: "pyspark" });
    for (const [written, sent] of [
      [shell, shell],
      [definition(), definition()],
    ] as const) {
      const task = makeTask(options, {
        ...{ definition: written, scope: workspaceScope, name: "shell" },
        origin: { kind: "definition", definition: written },
      });
      await (task as unknown as { open: (one: object) => Promise<unknown> }).open(definition());
      assert.deepEqual(definitionOf(runs.at(-1)), sent);
    }
  });
});

describe("events of a run", () => {
  test("store the application, the sent text and the record, and accept the answers", async () => {
    const { options, memory, done, runs, records } = submitWorld();
    let accepted = 0;
    await runDefinition(options, definition(), "submit", {
      accepted: () => {
        accepted += 1;
        return Promise.resolve();
      },
    });
    const { events, services, name } = runs[0] ?? assert.fail();
    const driver = driverFixture();
    services.submitted(driver);
    events.sent(() => "sent text");
    events.began({ driver, plan: planOf([...base, "local:///a.py"]), context: "dev", conf: [] });
    events.ended("failed", 3, { cause: "out of memory" });
    await new Promise(setImmediate);
    assert.equal(accepted, 1);
    assert.deepEqual(done.slice(1), ["submitted", `ended as ${name} failed out of memory`]);
    const [namespace = "", id = ""] = applicationKeyOf(driver).split("/");
    assert.equal(knownRun(memory, { namespace, id })?.kind, "definition");
    assert.deepEqual(lastSent(memory, "orders.py")?.text, "sent text");
    assert.equal(options.sentHere.textOf("orders.py"), "sent text");
    const record = records.get(driver.uid);
    assert.deepEqual(
      [record?.name, record?.outcome, record?.cause, record?.folder],
      ["orders.py", "failed", "out of memory", String(project)],
    );
  });

  test("of a copy belong to its profile", async () => {
    const { options, memory, done, runs } = submitWorld();
    await runProfile(options, orders, { controlled: controlledRun() });
    const { events } = runs[0] ?? assert.fail();
    events.sent(() => "sent text");
    await events.report([] as never);
    assert.equal(lastSent(memory, "orders")?.text, "sent text");
    assert.ok(done.includes("report for orders"));
  });
});

describe("repeated run", () => {
  const title = msg("Restart Application");

  test("of a profile uses the context unless the profile has one", async () => {
    for (const [own, used] of [
      [{}, "dev"],
      [{ context: "prod" }, "prod"],
    ] as const) {
      const { options, runs } = submitWorld({ profiles: [profileTask("orders", own)] });
      assert.equal(
        await repeat(options, { kind: "profile", name: "orders" }, { title, context: "dev" }),
        true,
      );
      assert.deepEqual(definitionOf(runs[0]), { ...orders.definition, context: used });
    }
  });

  test("is false if nothing ran, or its profile no longer exists", async () => {
    const { options, done } = submitWorld({ profiles: [profileTask("other")] });
    assert.equal(await repeat(options, undefined, { title }), false);
    assert.equal(await repeat(options, { kind: "profile", name: "orders" }, { title }), false);
    assert.deepEqual(done, []);
  });

  test("of a definition asks for its secrets, and is canceled without them", async () => {
    const world = { script: ["hunter2", undefined] };
    const { options, screen, memory, runs } = submitWorld(world);
    await runDefinition(options, definition({ conf: { "spark.my.password": "hunter2" } }));
    const last = lastRun(memory);
    assert.doesNotMatch(JSON.stringify(last), /hunter2/);
    assert.equal(await repeat(options, last, { title, context: "dev" }), true);
    assert.deepEqual(definitionOf(runs[1]), {
      ...definition({ conf: { "spark.my.password": "hunter2" } }),
      context: "dev",
    });
    assert.match(screen.shown[0] ?? "", /^input: Restart Application\n/);
    assert.equal(await repeat(options, last, { title }), true);
    assert.equal(runs.length, 2);
  });
});
