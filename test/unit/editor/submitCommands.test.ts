import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { DebugConfiguration } from "vscode";
import { dateAndTime } from "../../../src/base/timeOfDay.ts";
import type { Manifests } from "../../../src/editor/submit/registerManifests.ts";
import { fileRun, rememberFileRun } from "../../../src/editor/submit/fileRuns.ts";
import { rememberLastRun, rememberRun } from "../../../src/editor/submit/knownRuns.ts";
import { programOptions, submitCommands } from "../../../src/editor/submit/submitCommands.ts";
import type { LaunchedRun } from "../../../src/editor/submit/controlledRun.ts";
import { fileOf } from "../../../src/editor/submit/runDefinition.ts";
import type { ManifestBeforeRun } from "../../../src/editor/submit/profileManifest.ts";
import { appSelectorLabel } from "../../../src/spark/labels.ts";
import { settle } from "../engine/virtualClock.ts";
import { driverFixture } from "../pods/podFixture.ts";
import { controlledRun, definition, profileTask, submitWorld, uri } from "./submitFixture.ts";

interface Given extends NonNullable<Parameters<typeof submitWorld>[0]> {
  /** The commands that find a manifest in their argument or in the active editor. */
  readonly manifests?: readonly string[];
  readonly ownSession?: boolean;
}

function commandWorld({ manifests = [], ownSession = false, ...given }: Given = {}) {
  const world = submitWorld(given);
  const { options, done } = world;
  const launches: (LaunchedRun | undefined)[] = [];
  const take = (name: string) => () => {
    if (manifests.includes(name)) done.push(`${name} the manifest`);
    return Promise.resolve(manifests.includes(name));
  };
  const follow: (() => Promise<void>)[] = [];
  const of: Omit<Manifests, "handlers" | "dispose"> = {
    ...{ submit: take("submit"), preview: take("preview"), check: take("check") },
    previewChosen: () => {
      done.push("preview the chosen manifest");
      return Promise.resolve();
    },
    checkChosen: (_, submit) => {
      done.push("check the chosen manifest");
      follow.push(submit);
      return Promise.resolve();
    },
  };
  const commands = submitCommands(options, of, {
    runFile: (target, launched) => {
      done.push(`run file ${fileOf(target)?.path ?? ""}`);
      launches.push(launched);
      return Promise.resolve(true);
    },
    fileFor: fileOf,
    isOwnSession: () => ownSession,
  });
  return { ...world, commands, handlers: commands.handlers, launches, follow };
}

const orders = profileTask("orders");
const named = (name: string) => ({ kind: "profile", name, folder: undefined }) as const;
const asked = { application: "a.py", image: "spark:4", namespace: "jobs" };
const manifest = { answers: new Map([["${input:day}", "monday"]]) } as unknown as ManifestBeforeRun;
const last = (name: string) => ({ kind: "profile", name }) as const;

describe("Submit Application", () => {
  test("submits the manifest of its argument or of the active editor", async () => {
    const { handlers, done } = commandWorld({ manifests: ["submit"], profiles: [orders] });
    await handlers.submit(undefined);
    assert.deepEqual(done, ["submit the manifest"]);
  });

  test("offers the profiles, that of the last run first", async () => {
    const profiles = [
      profileTask("a"),
      profileTask("orders", { application: "s3a://key:hunter2@bucket/a.py" }),
    ];
    const { handlers, screen, memory, done } = commandWorld({ profiles, script: ["orders"] });
    await rememberLastRun(memory, last("orders"));
    await handlers.submit(undefined);
    const [picked = ""] = screen.shown;
    assert.doesNotMatch(picked, /hunter2/);
    assert.match(
      picked,
      /^pick: Submit Application\nSelect a run profile\norders \| last run \| s3a:.+\na \| \/project\/orders\.py\nAnother Application…$/,
    );
    assert.deepEqual(done, ["run orders"]);
  });

  test("asks for another application, and for one if there is no profile", async () => {
    for (const given of [{ profiles: [orders], script: ["Another Application…"] }, {}]) {
      const { handlers, executed, done } = commandWorld({ ...given, asked });
      await handlers.submit(undefined);
      assert.equal(done[0], "ask submit");
      assert.match(executed[0]?.name ?? "", /^a\.py /);
    }
  });

  test("begins the answer for another application with the text that was typed", async () => {
    const script = ["Another Application… < local:///opt/a.py"];
    const { handlers, done } = commandWorld({ profiles: [orders], script, asked });
    await handlers.submit(undefined);
    assert.equal(done[0], "ask submit typed local:///opt/a.py");
    const begun = commandWorld({
      profiles: [orders],
      script: ["Another Application… < Another"],
      asked,
    });
    await begun.handlers.submit(undefined);
    assert.equal(begun.done[0], "ask submit");
  });

  test("asks about a file without offering the profiles", async () => {
    const { handlers, screen, done } = commandWorld({ profiles: [orders], asked });
    await handlers.submit(uri("/project/a.py"));
    assert.equal(done[0], "ask submit /project/a.py");
    assert.deepEqual(screen.shown, []);
  });

  test("submits nothing if the user cancels", async () => {
    for (const given of [{ profiles: [orders] }, {}]) {
      const { handlers, executed } = commandWorld(given);
      await handlers.submit(undefined);
      assert.deepEqual(executed, []);
    }
  });

  test("keeps the answers once the cluster has accepted them", async () => {
    const { handlers, options, runs } = commandWorld({ asked });
    await handlers.submit(undefined);
    assert.deepEqual(options.answers.accepted("image"), []);
    runs[0]?.services.submitted(driverFixture());
    await new Promise(setImmediate);
    assert.deepEqual(options.answers.accepted("image"), ["spark:4"]);
  });
});

describe("Run Last Again", () => {
  test("saves all files and repeats the last run", async () => {
    const { handlers, memory, done } = commandWorld({ profiles: [orders] });
    await rememberLastRun(memory, last("orders"));
    await handlers.submitAgain(undefined);
    assert.deepEqual(done, ["save all", "run orders"]);
  });

  test("asks if there is none", async () => {
    const { handlers, done } = commandWorld();
    await handlers.submitAgain(undefined);
    assert.deepEqual(done, ["save all", "ask submit"]);
  });
});

describe("Preview Submission", () => {
  test("shows what the profile would create", async () => {
    const { handlers, done, previews } = commandWorld({ profiles: [orders] });
    await handlers.preview(named("orders"));
    assert.deepEqual(done, [
      "manifest of /project/orders.py",
      "Querying the cluster",
      "previewSubmission",
      "show /preview.yaml text of previewSubmission",
    ]);
    assert.deepEqual(previews[0]?.source, {
      ...{ kind: "profile", definition: orders.definition, written: orders.definition },
    });
  });

  test("shows nothing after a failure, which was reported", async () => {
    const { handlers, done } = commandWorld({ profiles: [orders], text: undefined });
    await handlers.preview(named("orders"));
    assert.equal(done.at(-1), "previewSubmission");
  });

  test("previews a manifest: of its argument, or of the profile", async () => {
    const ofArgument = commandWorld({ manifests: ["preview"] });
    await ofArgument.handlers.preview(undefined);
    assert.deepEqual(ofArgument.done, ["preview the manifest"]);
    const ofProfile = commandWorld({ profiles: [orders], manifest });
    await ofProfile.handlers.previewProfile(named("orders"));
    assert.equal(ofProfile.done.at(-1), "preview the chosen manifest");
    const failed = commandWorld({ profiles: [orders], manifest: undefined });
    await failed.handlers.preview(named("orders"));
    assert.deepEqual(failed.done, ["manifest of /project/orders.py"]);
  });

  test("shows the last preview again if nothing is chosen", async () => {
    const { handlers, done } = commandWorld({ profiles: [orders], script: ["orders"] });
    await handlers.preview(undefined);
    done.length = 0;
    await handlers.preview(undefined);
    assert.equal(done.at(-1), "show /preview.yaml text of previewSubmission");
    const empty = commandWorld();
    await empty.handlers.preview(undefined);
    assert.deepEqual(empty.done, ["ask preview"]);
  });
});

describe("Check Before Submitting", () => {
  const place = { uri: uri("/project/tasks.json"), range: {} };
  const checked = {
    ...{ text: "report", findings: [{ severity: "error" }], places: [place], answers: new Map() },
  };

  test("shows the check and offers the next actions", async () => {
    const { handlers, done, screen } = commandWorld({
      ...{ profiles: [orders], checked, script: ["Fix"] },
    });
    await handlers.check(named("orders"));
    assert.match(done.at(-2) ?? "", /^show .*orders check\.txt report$/);
    assert.equal(done.at(-1), "open /project/tasks.json");
    assert.match(screen.shown[0] ?? "", /^error: Checked "orders" at .+: 1 error\./);
  });

  test("submits with the answers to the profile's variables", async () => {
    const answers = new Map([["${input:day}", "monday"]]);
    const { handlers, executed } = commandWorld({
      profiles: [profileTask("orders", { args: ["${input:day}"] })],
      checked: { ...checked, findings: [], places: [], answers },
      script: ["Submit"],
    });
    await handlers.checkProfile(named("orders"));
    assert.match(executed[0]?.name ?? "", /^orders \d/);
  });

  test("has no fix without a place, and opens nothing", async () => {
    const { handlers, screen } = commandWorld({
      profiles: [orders],
      checked: { ...checked, places: [undefined] },
    });
    await handlers.check(named("orders"));
    assert.doesNotMatch(screen.shown[0] ?? "", /\[Fix\]/);
  });

  test("shows nothing after a failure, or if nothing is chosen", async () => {
    const failed = commandWorld({ profiles: [orders] });
    await failed.handlers.check(named("orders"));
    assert.equal(failed.done.at(-1), "checkSubmission");
    const canceled = commandWorld({ profiles: [orders] });
    await canceled.handlers.check(undefined);
    assert.deepEqual(canceled.done, []);
  });

  test("checks a manifest: of its argument, or of the profile, which it then submits", async () => {
    const ofArgument = commandWorld({ manifests: ["check"] });
    await ofArgument.handlers.check(undefined);
    assert.deepEqual(ofArgument.done, ["check the manifest"]);
    const ofProfile = commandWorld({ profiles: [orders], manifest });
    await ofProfile.handlers.check(named("orders"));
    assert.equal(ofProfile.done.at(-1), "check the chosen manifest");
    await ofProfile.follow[0]?.();
    // The run uses a copy of the task, because the user has answered its variables.
    assert.match(ofProfile.executed[0]?.name ?? "", /^orders \d/);
    const failed = commandWorld({ profiles: [orders], manifest: undefined });
    await failed.handlers.check(named("orders"));
    assert.deepEqual(failed.done, ["manifest of /project/orders.py"]);
  });
});

describe("Compare With Last Submission", () => {
  test("says so if the program was not submitted from this workspace", async () => {
    const { handlers, screen, done } = commandWorld({ profiles: [orders] });
    await handlers.compareSubmission(named("orders"));
    assert.deepEqual(screen.shown, [
      'info: Nothing to compare: "orders" was not submitted from this workspace.',
    ]);
    assert.deepEqual(done, []);
  });

  const sent = async (world: ReturnType<typeof commandWorld>, inWindow: boolean) => {
    const { options, memory, clock } = world;
    const write = (mask: unknown) =>
      mask === options.sentHere.mask ? "with numbers" : "with masks";
    await options.sentHere.keep(memory, "orders", clock.now(), write);
    return inWindow ? world : commandWorldOf(memory);
  };
  const commandWorldOf = (memory: ReturnType<typeof commandWorld>["memory"]) => {
    const world = commandWorld({ profiles: [orders] });
    for (const key of memory.keys()) void world.memory.update(key, memory.get(key));
    return world;
  };

  test("compares secrets by number in the window that submitted", async () => {
    const world = await sent(commandWorld({ profiles: [orders] }), true);
    const { handlers, done, previews, options, clock } = world;
    await handlers.compareSubmission(named("orders"));
    const at = dateAndTime(clock.now());
    assert.equal(
      done.at(-1),
      `compare orders: Submitted ${at} ↔ Now: "with numbers" and "text of comparableSubmission"`,
    );
    assert.equal(previews[0]?.mask, options.sentHere.mask);
  });

  test("does not compare secrets in another window", async () => {
    const { handlers, done, previews, options } = await sent(
      commandWorld({ profiles: [orders] }),
      false,
    );
    await handlers.compareSubmission(named("orders"));
    assert.match(done.at(-1) ?? "", /\(Secrets Not Compared\): "with masks" and/);
    assert.notEqual(previews[0]?.mask, options.sentHere.mask);
  });

  test("compares the manifest of a profile", async () => {
    const world = await sent(commandWorld({ profiles: [orders], manifest }), true);
    await world.handlers.compareSubmission(named("orders"));
    assert.match(world.done.at(-1) ?? "", /^compare .+ and "text of manifestText"$/);
    assert.equal(world.previews[0]?.mask, world.options.sentHere.mask);
  });

  test("compares nothing after a failure", async () => {
    for (const failure of [{ manifest: undefined }, { text: undefined }]) {
      const world = await sent(commandWorld({ profiles: [orders], ...failure }), true);
      await world.handlers.compareSubmission(named("orders"));
      assert.equal(
        world.done.some((one) => one.startsWith("compare ")),
        false,
      );
    }
  });

  test("compares the previewed program on the preview's button, others by choice", async () => {
    const world = await sent(
      commandWorld({ profiles: [orders, profileTask("other")], script: ["orders"] }),
      true,
    );
    const { handlers, done, screen } = world;
    await handlers.preview(named("orders"));
    await handlers.compareSubmission(uri("/preview.yaml", "spark-k8s"));
    assert.match(done.at(-1) ?? "", /^compare orders/);
    assert.equal(screen.shown.length, 0);
    await handlers.compareSubmission(undefined);
    assert.match(screen.shown[0] ?? "", /^pick: Compare With Last Submission\n/);
    done.length = 0;
    await handlers.compareSubmission(uri("/project/a.py"));
    assert.deepEqual(done, ["ask compare /project/a.py"]);
  });
});

describe("Recent Runs", () => {
  const shown = async (
    prepare: (world: ReturnType<typeof commandWorld>) => unknown,
    target?: ReturnType<typeof named>,
  ) => {
    const world = commandWorld({ profiles: [orders] });
    await prepare(world);
    await world.handlers.recentRuns(target);
    return [...world.done, ...world.screen.shown];
  };

  test("shows those of its profile, else of the program that ran last", async () => {
    assert.deepEqual(await shown(() => undefined, named("nightly")), ["recent runs of nightly"]);
    assert.deepEqual(await shown(({ memory }) => rememberLastRun(memory, last("orders"))), [
      "recent runs of orders",
    ]);
    const run = { kind: "definition", definition: definition() } as const;
    assert.deepEqual(await shown(({ memory }) => rememberLastRun(memory, run)), [
      "recent runs of orders.py",
    ]);
  });

  test("says so if nothing ran, or the profile no longer exists", async () => {
    const none = ["info: Nothing was submitted from this workspace."];
    assert.deepEqual(await shown(() => undefined), none);
    assert.deepEqual(await shown(({ memory }) => rememberLastRun(memory, last("gone"))), none);
  });
});

describe("New Run Profile", () => {
  test("asks for the submission and a name, and writes it", async () => {
    const { handlers, screen, done } = commandWorld({ asked, script: ["nightly"] });
    await handlers.newProfile(undefined);
    assert.deepEqual(done, ["ask newProfile", "write profile nightly a.py"]);
    assert.deepEqual(screen.shown, ["input: New Run Profile\nProfile name (a.py)"]);
  });

  test("refuses an empty name", async () => {
    const { handlers, screen, done } = commandWorld({ asked, script: [" "] });
    await handlers.newProfile(undefined);
    assert.equal(screen.shown[1], "invalid: Enter a name");
    assert.deepEqual(done, ["ask newProfile"]);
  });

  test("writes nothing without a folder or answers", async () => {
    const noFolder = commandWorld({ asked, folder: undefined });
    await noFolder.handlers.newProfile(undefined);
    assert.deepEqual(noFolder.done, []);
    const noAnswer = commandWorld();
    await noAnswer.handlers.newProfile(undefined);
    assert.deepEqual([noAnswer.done, noAnswer.screen.shown], [["ask newProfile"], []]);
  });
});

describe("sessions and shells", () => {
  test("start with a chosen profile, or ask for the settings", async () => {
    const { handlers, done } = commandWorld({ profiles: [orders] });
    await handlers.startSession(undefined);
    await handlers.openShell(named("orders"));
    await handlers.openShell(undefined);
    await handlers.openShell(named("gone"));
    assert.deepEqual(done, ["startSession", "startShell orders", "startShell without a profile"]);
  });
});

describe("Run Profile", () => {
  test("runs the profile, or says that it does not exist", async () => {
    const { handlers, done, screen } = commandWorld({ profiles: [orders] });
    await handlers.runProfile(undefined);
    assert.deepEqual(screen.shown, []);
    await handlers.runProfile(named("gone"));
    assert.match(screen.shown.join("\n"), /There is no run profile "gone"/);
    assert.deepEqual(done, []);
    await handlers.runProfile(named("orders"));
    assert.deepEqual(done, ["run orders"]);
  });
});

describe("run of a debug session", () => {
  const debugged = { ...controlledRun({ isRequested: true }), request: () => Promise.resolve() };
  const start = (given: Given, source: object) => {
    const world = commandWorld(given);
    const started = world.commands.debug(source as never, debugged as never);
    return started.then((isStarted) => ({ ...world, isStarted }));
  };

  test("runs a file with the overrides of its configuration", async () => {
    const overrides = { image: "i:2" };
    const { done, launches } = await start({}, { kind: "file", path: "/project/a.py", overrides });
    assert.deepEqual(done, ["run file /project/a.py"]);
    assert.deepEqual(launches, [{ controlled: debugged, overrides }]);
  });

  test("runs the members of a configuration", async () => {
    const members = { application: "a.py", type: "other" };
    const { isStarted, done, runs } = await start({}, { kind: "definition", members });
    assert.equal(isStarted, true);
    assert.equal(done[0], "save all");
    const { source, controlled } = runs[0] ?? assert.fail();
    assert.equal(controlled, debugged);
    assert.ok(source.kind === "profile");
    assert.equal((source.definition as Record<string, unknown>)["type"], "spark");
  });

  test("runs a profile with overrides, and reports one that does not exist", async () => {
    const source = { kind: "profile", name: "orders", overrides: { image: "i:2" } };
    const { isStarted, runs, done } = await start({ profiles: [orders] }, source);
    assert.equal(isStarted, true);
    assert.equal(done[0], "save all");
    assert.equal(runs[0]?.controlled, debugged);
    assert.ok(runs[0].source.kind === "profile");
    assert.equal((runs[0].source.definition as Record<string, unknown>)["image"], "i:2");
    const unknown = await start({}, source);
    assert.equal(unknown.isStarted, false);
    assert.deepEqual(unknown.screen.shown, ['error: There is no run profile "orders".']);
  });

  test("counts as requested by the user unless the workspace could start it", () => {
    const isRequested = (given: Given) =>
      commandWorld(given).commands.isRequestedSession({} as DebugConfiguration);
    assert.equal(isRequested({}), true);
    assert.equal(isRequested({ startsSessions: true }), false);
    assert.equal(isRequested({ callsCommands: true }), true);
    assert.equal(isRequested({ ownSession: true, startsSessions: true }), true);
    assert.equal(isRequested({ ownSession: true, callsCommands: true }), false);
  });
});

describe("known submission of an application", () => {
  const driver = driverFixture();
  const application = {
    ...{ namespace: driver.namespace, id: driver.labels[appSelectorLabel] ?? "" },
  } as never;

  test("can be repeated while its profile exists", async () => {
    const { commands, memory, done, options } = commandWorld({ profiles: [orders] });
    assert.equal(commands.wasSubmittedHere(application), false);
    assert.equal(await commands.canResubmit(application), false);
    await rememberRun(memory, driver, last("orders"));
    assert.equal(commands.wasSubmittedHere(application), true);
    assert.equal(await commands.canResubmit(application), true);
    assert.equal(await commands.resubmit(application, "dev"), true);
    assert.match(done.at(-1) ?? "", /^run orders /);
    (await (options.host.findProfiles() as Promise<unknown[]>)).length = 0;
    assert.equal(await commands.canResubmit(application), false);
    assert.equal(await commands.resubmit(application, "dev"), false);
  });

  test("can be repeated if a definition made it", async () => {
    const { commands, memory } = commandWorld();
    await rememberRun(memory, driver, { kind: "definition", definition: definition() });
    assert.equal(await commands.canResubmit(application), true);
  });

  test("is changed before it is repeated, unless the change cannot be written", async () => {
    const { commands, memory, done, options } = commandWorld();
    await rememberRun(memory, driver, { kind: "definition", definition: definition() });
    const edit = (members: object) => ({ ...members, conf: { "spark.executor.cores": "2" } });
    assert.equal(await commands.resubmit(application, "dev", edit), true);
    const last = options.memory.get<{ readonly definition: unknown }>("submit.lastRun");
    assert.deepEqual(last?.definition, {
      ...definition({ conf: { "spark.executor.cores": "2" } }),
      context: "dev",
    });
    const before = done.length;
    assert.equal(await commands.resubmit(application, "dev", () => undefined), false);
    assert.equal(done.length, before);
  });
});

describe("commands on programs", () => {
  test("define a file by the answers of accepted submissions, without a question", async () => {
    const { options, done } = submitWorld({ asked });
    const { define } = programOptions(options);
    const first = await define(uri("/project/a.py"), "runFile");
    assert.deepEqual(done, ["ask runFile /project/a.py"]);
    assert.deepEqual(first?.definition, { type: "spark", ...asked });
    await first.accepted();
    assert.deepEqual(options.answers.recall("image"), ["spark:4"]);
    await options.memory.update("submit.serviceAccount", ["spark"]);
    const second = await define(uri("/project/b.py"), "runFile");
    assert.equal(done.length, 1);
    assert.deepEqual(second?.definition, {
      ...{ type: "spark", application: "/project/b.py", image: "spark:4" },
      ...{ namespace: "jobs", serviceAccount: "spark" },
    });
  });

  const inNamespace = (namespace: string) => ({
    ...{ type: "spark", application: "/project/a.py", image: "spark:3", namespace },
  });

  test("repeat the last run of a file, and suggest its settings from then on", async () => {
    const { options, done } = submitWorld({ asked });
    await options.memory.update("submit.image", ["spark:4", "spark:3"]);
    await rememberFileRun(options.memory, "/project/a.py", inNamespace("jobs"));
    const repeated = await programOptions(options).define(uri("/project/a.py"), "runFile");
    assert.deepEqual([repeated?.definition, done], [inNamespace("jobs"), []]);
    assert.deepEqual(options.answers.recall("image"), ["spark:4", "spark:3"]);
    await repeated?.accepted();
    assert.deepEqual(options.answers.recall("image"), ["spark:3", "spark:4"]);
  });

  test("ask for the secrets of the last run, and run nothing without them", async () => {
    const secret = { ...inNamespace("jobs"), conf: { "spark.my.password": "hunter2" } };
    const { options, screen } = submitWorld({ script: ["hunter2"] });
    const { define } = programOptions(options);
    await rememberFileRun(options.memory, "/project/a.py", secret);
    assert.deepEqual((await define(uri("/project/a.py"), "runFile"))?.definition, secret);
    assert.match(screen.shown[0] ?? "", /^input: Run on Cluster\n/);
    // The user presses Escape.
    assert.equal(await define(uri("/project/a.py"), "runFile"), undefined);
  });

  test("ask for the namespace if the view does not show that of the last run", async () => {
    const script = ['Run in "jobs"', 'Run in "etl"', undefined];
    const { options, screen } = submitWorld({ script });
    const { define } = programOptions(options);
    await rememberFileRun(options.memory, "/project/a.py", inNamespace("etl"));
    const chosen = async (): Promise<unknown> =>
      (await define(uri("/project/a.py"), "runFile"))?.definition["namespace"];
    assert.deepEqual([await chosen(), await chosen(), await chosen()], ["jobs", "etl", undefined]);
    assert.equal(
      screen.shown[0],
      'info: Which namespace does "a.py" run in?\nIts last run was in the namespace "etl". The Applications view shows "jobs".\n[Run in "jobs"]\n[Run in "etl"]',
    );
  });

  test("prompt again to change the answers, which the next run of the file repeats", async () => {
    const local = { ...asked, application: "/project/a.py" };
    const { handlers, done, runs, memory } = commandWorld({ asked: local });
    await rememberFileRun(memory, "/project/a.py", inNamespace("jobs"));
    await handlers.runFileWith(uri("/project/a.py"));
    assert.ok(done.includes("ask runFile /project/a.py"), done.join());
    assert.deepEqual(fileRun(memory, "/project/a.py"), inNamespace("jobs"));
    runs[0]?.services.submitted(driverFixture());
    await settle();
    assert.deepEqual(fileRun(memory, "/project/a.py"), { type: "spark", ...local });
  });

  test("define nothing if the user cancels", async () => {
    const { options } = submitWorld();
    assert.equal(await programOptions(options).define(uri("/project/a.py"), "runFile"), undefined);
  });

  test("show what a profile or a definition sends as a table", async () => {
    for (const from of [orders, definition()]) {
      const { options, done, previews } = submitWorld();
      await programOptions(options).showSent(from);
      assert.equal(done.at(-1), "show /sent.txt text of describeSent spark-table");
      const { source } = previews[0] ?? assert.fail();
      assert.ok(source.kind === "profile");
      assert.deepEqual(source.definition, "name" in from ? orders.definition : definition());
    }
    const { options, done } = submitWorld({ text: undefined });
    await programOptions(options).showSent(orders);
    assert.equal(done.at(-1), "describeSent");
  });

  test("report findings of a profile at its place in tasks.json", async () => {
    const { options, done, previews } = submitWorld();
    await programOptions(options).showSent(orders);
    await programOptions(options).showSent(definition());
    await previews[0]?.report([] as never);
    await previews[1]?.report([] as never);
    assert.equal(done.filter((one) => one.startsWith("report for orders")).length, 1);
  });

  test("run profiles and definitions under control", async () => {
    const { options, runs } = submitWorld();
    const { run, runProfile } = programOptions(options);
    const controlled = controlledRun();
    let acceptances = 0;
    await run(
      definition(),
      () => {
        acceptances += 1;
        return Promise.resolve();
      },
      controlled,
    );
    await runProfile(orders, { controlled });
    assert.deepEqual(
      runs.map((one) => one.controlled),
      [controlled, controlled],
    );
    runs[0]?.services.submitted(driverFixture());
    assert.equal(acceptances, 1);
  });
});
