import assert from "node:assert/strict";
import { describe, test, type TestContext } from "node:test";
import type { TaskDefinition } from "vscode";
import { applyEdits } from "../../../src/base/textEdit.ts";
import {
  chooseFix,
  withFix,
  withRemedy,
  type FixFiles,
} from "../../../src/editor/describe/applyFix.ts";
import { rememberRun, type LastRun } from "../../../src/editor/submit/knownRuns.ts";
import type { SubmitCommands } from "../../../src/editor/submit/submitCommands.ts";
import { msg } from "../../../src/base/message.ts";
import type { PodRecord } from "../../../src/spark/pods/podRecord.ts";
import type { Remedy } from "../../../src/spark/remedy/remedy.ts";
import type { Surface } from "../../../src/spark/surfaces/surfaces.ts";
import {
  containerFixture,
  driverFixture,
  endedFixture,
  executorFixture,
  killedExecutor as killed,
} from "../pods/podFixture.ts";
import { lifecycleFixture } from "./lifecycleFixture.ts";
import { memoryMemento } from "./memoryMemento.ts";
import { uri } from "./submitFixture.ts";

const driver = driverFixture();
const unauthorized = executorFixture(1, {
  phase: "Pending",
  containers: [
    containerFixture({
      ready: false,
      state: { kind: "waiting", reason: "ErrImagePull", message: "failed to pull: unauthorized" },
    }),
  ],
});
const bodies = {
  [`Pod ${driver.name}`]: {
    ...{ apiVersion: "v1", kind: "Pod" },
    metadata: { name: driver.name, namespace: "jobs", uid: driver.uid, labels: driver.labels },
    spec: { volumes: [{ name: "spark-conf-volume-driver", configMap: { name: "map" } }] },
  },
  "ConfigMap map": {
    metadata: { name: "map" },
    data: { "spark.properties": "spark.app.name=pi\n" },
  },
};
const overhead = "Set spark.executor.memoryOverhead to 896m";
const openSecrets = "Open Spark Property spark.kubernetes.container.image.pullSecrets";

interface Given {
  readonly pods: readonly PodRecord[];
  readonly rows?: readonly string[];
  readonly answers?: readonly (string | undefined)[];
  readonly files?: readonly (readonly [string, Surface, string])[];
  /** The run profile that created the application. */
  readonly profile?: string;
  /** The submission without a profile that created the application. */
  readonly definition?: TaskDefinition | undefined;
  /** The fix of a code lens. */
  readonly fix?: string;
  /** A fix that is based on the advice for the application. */
  readonly remedy?: Remedy;
  readonly isReadOnly?: boolean;
  /** False if the file cannot be saved. */
  readonly isSaved?: boolean;
}

async function fixed(t: TestContext, given: Given) {
  const { pods, rows = ["executor 1"], answers = [], files = [], fix, remedy } = given;
  const rig = await lifecycleFixture(t, pods, answers, { bodies });
  const runs = memoryMemento();
  const { definition, profile } = given;
  const known: LastRun | undefined =
    definition === undefined
      ? profile === undefined
        ? undefined
        : { kind: "profile", name: profile }
      : { kind: "definition", definition };
  if (known !== undefined) await rememberRun(runs, driver, known);
  const selected: string[] = [];
  const written: string[] = [];
  const ran: string[] = [];
  const workspace: FixFiles = {
    texts: async function* () {
      for (const [path, surface, text] of files) {
        yield await Promise.resolve({ uri: uri(path), surface, text });
      }
    },
    replace: (source, span, text) => {
      if (given.isReadOnly === true) return Promise.resolve(false);
      written.push(applyEdits(source.text, [{ span, text }]));
      return Promise.resolve(true);
    },
    select: (source, { start, end }) => {
      selected.push(`${source.uri.path}: ${source.text.slice(start, end)}`);
      return Promise.resolve();
    },
    save: () => Promise.resolve(given.isSaved !== false),
    run: (label, { path }, context) =>
      Promise.resolve(void ran.push(`${label} of ${path} in ${context ?? "any context"}`)),
    runWith: (path) => Promise.resolve(void ran.push(`other answers for ${path}`)),
  };
  const resubmitted: unknown[] = [];
  const resubmit: SubmitCommands["resubmit"] = ({ name }, target, edit) => {
    resubmitted.push([name, target, edit?.(definition ?? {})]);
    return Promise.resolve(true);
  };
  const context = { ...rig.context, runs, resubmit };
  await rig.run((_, nodes) => {
    const [node] = nodes;
    const lens = { kind: "text", title: msg`${fix ?? ""}`, text: "" } as const;
    const chosen = node !== undefined && fix !== undefined ? [withFix(node, lens)] : nodes;
    const advised = node && remedy && [withRemedy(node, remedy)];
    return chooseFix(context, advised ?? chosen, workspace);
  }, rows);
  return { shown: rig.screen.shown, selected, written, ran, resubmitted };
}

const conf = (text: string, path = "/project/spark.conf") =>
  [path, "properties", text] as const satisfies readonly [string, Surface, string];
const tasks = (...labels: readonly string[]) =>
  [
    "/project/.vscode/tasks.json",
    "profiles",
    JSON.stringify({
      version: "2.0.0",
      tasks: labels.map((label) => ({
        ...{ type: "spark", label, application: "local:///a.py", image: "i" },
        conf: { "spark.executor.instances": "2" },
      })),
    }),
  ] as const satisfies readonly [string, Surface, string];

describe("choice of a fix", () => {
  test("lists the fixes with their kinds under the cause", async (t) => {
    const { shown } = await fixed(t, { pods: [driver, unauthorized] });
    assert.match(shown[0] ?? "", /^pick: pi executor 1: /);
    assert.deepEqual(shown[0]?.split("\n").slice(2), [
      ...["Create a pull secret | copy", `${openSecrets} | choose the value`],
    ]);
    const other = await fixed(t, { pods: [driver, killed] });
    assert.equal(other.shown[0]?.includes(`${overhead} | edit the file`), true);
  });

  test("is skipped for the fix of a lens, unless it is no longer offered", async (t) => {
    const files = [conf("spark.executor.memoryOverhead 384m\n")];
    const given = { pods: [driver, killed], files };
    const known = await fixed(t, { ...given, fix: overhead });
    assert.deepEqual(known.shown, []);
    assert.deepEqual(known.written, ["spark.executor.memoryOverhead 896m\n"]);
    const old = await fixed(t, { ...given, fix: "Set spark.executor.memoryOverhead to 512m" });
    assert.match(old.shown[0] ?? "", /^pick: pi executor 1/);
    assert.deepEqual(old.written, []);
  });

  test("is the advice if there is no fix, and a message without a problem", async (t) => {
    const containers = [endedFixture(1, { name: "spark-kubernetes-driver" })];
    const failed = driverFixture({ phase: "Failed", containers });
    const { shown } = await fixed(t, { pods: [failed], rows: ["driver"] });
    assert.deepEqual(shown, [
      "info: No fix can be applied. Check the last lines of the driver's log.",
    ]);
    const well = await fixed(t, { pods: [driver], rows: ["driver"] });
    assert.deepEqual(well.shown, ["info: No problem is known for the selected rows."]);
  });

  test("copies a text for the cluster", async (t) => {
    const { shown } = await fixed(t, {
      ...{ pods: [driver, unauthorized], answers: ["Create a pull secret"] },
    });
    assert.match(shown[1] ?? "", /^copied: kubectl create secret docker-registry/);
    assert.equal(shown[2], "status: Copied to the clipboard.");
  });
});

describe("edit of a fix", () => {
  const given = { pods: [driver, killed], fix: overhead };

  test("goes to the profile of the run, before other files that set the key", async (t) => {
    const { written, selected } = await fixed(t, {
      ...given,
      profile: "orders",
      files: [conf("spark.executor.memoryOverhead 1m\n"), tasks("etl"), tasks("orders", "etl")],
    });
    const [text = ""] = written;
    const changed = (JSON.parse(text) as { tasks: { label: string; conf: object }[] }).tasks;
    assert.deepEqual(
      changed.map(({ label, conf: own }) => [label, JSON.stringify(own).includes("896m")]),
      [
        ["orders", true],
        ["etl", false],
      ],
    );
    assert.match(selected[0] ?? "", /tasks\.json: .*memoryOverhead/s);
  });

  test("offers to save the profile and to run it again", async (t) => {
    const files = [tasks("orders")];
    const edited = { ...given, profile: "orders", files };
    const { shown, ran } = await fixed(t, { ...edited, answers: ["Save and Run"] });
    assert.deepEqual(shown, [
      'info: The fix was applied to the run profile "orders".\n[Save and Run]',
    ]);
    assert.deepEqual(ran, ["orders of /project/.vscode/tasks.json in dev"]);
    const unsaved = { ...edited, answers: ["Save and Run"], isSaved: false };
    assert.deepEqual((await fixed(t, unsaved)).ran, []);
    assert.deepEqual((await fixed(t, { ...edited, answers: [undefined] })).ran, []);
    assert.deepEqual((await fixed(t, { ...edited, isReadOnly: true })).shown, []);
    const ofFile = await fixed(t, {
      ...given,
      files: [conf("spark.executor.memoryOverhead 1m\n")],
    });
    assert.deepEqual(ofFile.shown, []);
  });

  test("goes to the file that sets the key, if the profile no longer exists", async (t) => {
    const { written, selected } = await fixed(t, {
      ...given,
      profile: "orders",
      files: [tasks("etl"), conf("# a\nspark.executor.memoryOverhead=384m\n"), conf("spark.x 1\n")],
    });
    assert.deepEqual(written, ["# a\nspark.executor.memoryOverhead=896m\n"]);
    assert.deepEqual(selected, ["/project/spark.conf: 896"]);
  });

  test("goes to the program of the profile if it sets the key, unless Spark ignores it there", async (t) => {
    const program = (key: string) =>
      [
        "/project/a.py",
        "python",
        `SparkSession.builder.config("${key}", "1g").getOrCreate()\n`,
      ] as const satisfies readonly [string, Surface, string];
    const profile = [
      "/project/.vscode/tasks.json",
      "profiles",
      JSON.stringify({
        tasks: [{ type: "spark", label: "orders", application: "${workspaceFolder}/a.py" }],
      }),
    ] as const satisfies readonly [string, Surface, string];
    for (const [key, path] of [
      ["spark.executor.memory", "/project/a.py"],
      ["spark.driver.memory", "/project/.vscode/tasks.json"],
    ] as const) {
      const edits = [{ kind: "set", key, value: "2g" }] as const;
      const remedy: Remedy = { kind: "edit", title: msg("Change"), edits };
      const { selected } = await fixed(t, {
        ...{ pods: [driver], rows: ["pi"], profile: "orders", remedy },
        files: [program(key), profile],
      });
      assert.ok(selected[0]?.startsWith(`${path}: `), `${key}: ${selected.join()}`);
    }
  });

  test("names the file, and offers to submit an ended run again", async (t) => {
    const definition = {
      type: "spark",
      application: "local:///a.py",
      propertiesFile: "spark.conf",
    };
    const containers = [endedFixture(1, { name: "spark-kubernetes-driver" })];
    const failed = driverFixture({ phase: "Failed", containers });
    const edits = [{ kind: "set", key: "spark.driver.memory", value: "2g" }] as const;
    const remedy: Remedy = { kind: "edit", title: msg("Change"), edits };
    const run = { definition, remedy, rows: ["pi"], pods: [failed] };
    const files = [conf("spark.driver.memory 1g\n")];
    const answers = ["Save and Submit Again"];
    const { shown, written, resubmitted } = await fixed(t, { ...run, files, answers });
    assert.deepEqual(shown, [
      'info: The fix was applied to "spark.conf".\n[Save and Submit Again]',
    ]);
    assert.deepEqual(written, ["spark.driver.memory 2g\n"]);
    assert.deepEqual(resubmitted, [["pi", undefined, undefined]]);
    const unsaved = await fixed(t, { ...run, files, answers, isSaved: false });
    assert.deepEqual(unsaved.resubmitted, []);
    const running = await fixed(t, { ...run, pods: [driver], files });
    assert.deepEqual(running.shown, []);
  });

  test("goes to no file that the run does not use", async (t) => {
    const definition = { type: "spark", application: "local:///a.py" };
    const edits = [{ kind: "set", key: "spark.driver.memory", value: "2g" }] as const;
    const remedy: Remedy = { kind: "edit", title: msg("Change"), edits };
    const { shown, written } = await fixed(t, {
      ...{ definition, remedy, rows: ["pi"], pods: [driver] },
      files: [conf("spark.driver.memory 1g\n")],
    });
    assert.match(shown[0] ?? "", /^info: No file in the workspace defines the run/);
    assert.deepEqual(written, []);
  });

  test("asks for the file if several set the key", async (t) => {
    const files = [
      conf("spark.executor.memoryOverhead 384m\n", "/project/one.conf"),
      conf("spark.executor.memoryOverhead 512m\n", "/project/two.conf"),
    ];
    const chosen = await fixed(t, { ...given, files, answers: ["two.conf"] });
    const question = "pick: Which file defines the run?\n\nNone of These Files\none.conf\ntwo.conf";
    assert.equal(chosen.shown[0], question);
    const none = await fixed(t, { ...given, files, answers: ["None of These Files"] });
    assert.match(none.shown[1] ?? "", /^info: No file in the workspace defines the run/);
    assert.deepEqual(none.written, []);
    assert.deepEqual(chosen.selected, ["/project/two.conf: 896"]);
    const escaped = await fixed(t, { ...given, files });
    assert.deepEqual([escaped.shown.length, escaped.written], [1, []]);
  });

  test("selects nothing if VS Code refuses it", async (t) => {
    const files = [conf("spark.executor.memoryOverhead 384m\n")];
    const { selected } = await fixed(t, { ...given, files, isReadOnly: true });
    assert.deepEqual(selected, []);
  });

  test("opens the key if the file has the value already", async (t) => {
    const files = [conf("spark.a 1\nspark.executor.memoryOverhead 896m\n")];
    const { selected, written } = await fixed(t, { ...given, files });
    assert.deepEqual([selected, written], [["/project/spark.conf: 896m"], []]);
  });

  test("is a list of options if no file defines the run", async (t) => {
    const option = "--conf spark.executor.memoryOverhead=896m";
    const { shown } = await fixed(t, { ...given, answers: ["Copy Options"] });
    assert.deepEqual(shown, [
      `info: No file in the workspace defines the run "pi executor 1". Submit it again with these options: ${option}\n[Copy Options]`,
      `copied: ${option}`,
    ]);
    assert.equal((await fixed(t, given)).shown.length, 1);
  });

  test("is submitted again with another member, or with other answers, if the run has ended", async (t) => {
    const definition = { type: "spark", application: "/project/a.py" };
    const containers = [endedFixture(1, { name: "spark-kubernetes-driver" })];
    const pods = [driverFixture({ phase: "Failed", containers })];
    const member = { kind: "member", name: "pythonPackages", value: "send" } as const;
    const send: Remedy = { kind: "edit", title: msg("Send the packages"), edits: [member] };
    const run = { definition, rows: ["pi"], pods };
    const again = await fixed(t, { ...run, remedy: send, answers: ["Submit Again"] });
    assert.equal(
      again.shown[0],
      'info: No file in the workspace defines the run "pi". Submit it again with this change: Send the packages.\n[Submit Again]',
    );
    const expected = { ...definition, pythonPackages: "send", label: undefined };
    assert.deepEqual(again.resubmitted, [["pi", undefined, expected]]);
    const image: Remedy = {
      kind: "open",
      title: msg("Open"),
      key: "spark.kubernetes.container.image",
    };
    const change = await fixed(t, { ...run, remedy: image, answers: ["Change Answers and Run…"] });
    assert.deepEqual(change.ran, ["other answers for /project/a.py"]);
    const remote = { ...run, definition: { ...definition, application: "local:///a.py" } };
    const offered = await fixed(t, { ...remote, remedy: image, answers: [undefined] });
    assert.match(offered.shown[0] ?? "", /submit the run again\.$/);
    const running = await fixed(t, { ...run, pods: [driver], remedy: image, answers: [undefined] });
    assert.match(running.shown[0] ?? "", /submit the run again\.$/);
  });

  test("is submitted again if the run of no file has ended", async (t) => {
    const definition = { type: "spark", application: "local:///a.py" };
    const edits = [{ kind: "set", key: "spark.driver.memory", value: "2g" }] as const;
    const remedy: Remedy = { kind: "edit", title: msg("Change"), edits };
    const containers = [endedFixture(1, { name: "spark-kubernetes-driver" })];
    const failed = driverFixture({ phase: "Failed", containers });
    const answers = ["Submit Again"];
    const run = { definition, remedy, rows: ["pi"], answers };
    const ended = await fixed(t, { ...run, pods: [failed] });
    assert.match(ended.shown[0] ?? "", /\n\[Submit Again\]\n\[Copy Options\]$/);
    const conf = { "spark.driver.memory": "2g" };
    const expected = { ...definition, conf, label: undefined };
    assert.deepEqual(ended.resubmitted, [["pi", undefined, expected]]);
    for (const other of [
      { ...run, pods: [driver] },
      { ...run, pods: [failed], definition: undefined },
    ]) {
      const { shown, resubmitted } = await fixed(t, { ...other, answers: [undefined] });
      assert.match(shown[0] ?? "", /memory=2g\n\[Copy Options\]$/);
      assert.deepEqual(resubmitted, []);
    }
  });

  test("is quoted for a shell", async (t) => {
    const key = "spark.jars.packages";
    const value = "a:b_2.13:1'$(touch /tmp/x)";
    const edits = [{ kind: "set", key, value }] as const;
    const remedy: Remedy = { kind: "edit", title: msg("Change"), edits };
    const { shown } = await fixed(t, {
      ...{ pods: [driver], rows: ["pi"], answers: ["Copy Options"], remedy },
    });
    assert.equal(shown[1], `copied: --conf 'spark.jars.packages=a:b_2.13:1'\\''$(touch /tmp/x)'`);
  });
});

describe("setting that a fix opens", () => {
  const given = { pods: [driver, unauthorized], fix: openSecrets };

  test("is that of the profile of the run, or else the profile's label", async (t) => {
    const key = "spark.kubernetes.container.image.pullSecrets";
    const profile = (label: string, own: object) => ({ type: "spark", label, conf: own });
    const text = (own: object) =>
      JSON.stringify({ tasks: [profile("etl", { [key]: "other" }), profile("orders", own)] });
    const [path, surface] = tasks();
    const open = (own: object) =>
      fixed(t, { ...given, profile: "orders", files: [[path, surface, text(own)]] });
    assert.deepEqual((await open({ [key]: "regcred" })).selected, [`${path}: regcred`]);
    assert.deepEqual((await open({})).selected, [`${path}: orders`]);
  });

  test("is the profile's own member for the key, or the member that the fix names", async (t) => {
    const image: Remedy = {
      ...{ kind: "open", title: msg("Open"), key: "spark.kubernetes.container.image" },
    };
    const application: Remedy = { ...image, key: "spark.jars", member: "application" };
    for (const [remedy, expected] of [
      [image, "i"],
      [application, "local:///a.py"],
    ] as const) {
      const files = [tasks("orders")];
      const opened = await fixed(t, {
        ...{ pods: [driver], rows: ["pi"], profile: "orders", files, remedy },
      });
      assert.deepEqual(opened.selected, [`/project/.vscode/tasks.json: ${expected}`]);
    }
  });

  test("is a message if no file has it", async (t) => {
    const { shown } = await fixed(t, { ...given, files: [conf("spark.a 1\n")] });
    assert.deepEqual(shown, [
      'info: No file in the workspace defines the run "pi executor 1". Set spark.kubernetes.container.image.pullSecrets in a run profile or a configuration file, and submit the run again.',
    ]);
  });
});
