import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { DebugConfiguration, Task, TaskDefinition, Uri } from "vscode";
import {
  isProgram,
  programCommands,
  programLenses,
  programLine,
} from "../../../src/editor/submit/programs.ts";
import type { DefinedProgram } from "../../../src/editor/submit/runDefinition.ts";
import type { LaunchedRun } from "../../../src/editor/submit/controlledRun.ts";
import { scriptedScreen } from "./screenFixture.ts";
import { controlledRun, definition, profileTask, project, uri } from "./submitFixture.ts";

interface World {
  readonly profiles?: Task[];
  readonly script?: readonly string[];
  readonly active?: Uri;
  readonly defined?: DefinedProgram;
  readonly hasFailedDependency?: boolean;
  readonly folderOf?: (scope: Task["scope"]) => Uri | undefined;
}

function programWorld(given: World = {}) {
  const { profiles = [], script = [] } = given;
  const screen = scriptedScreen(...script);
  const done: string[] = [];
  const debugged: (readonly [Uri | undefined, DebugConfiguration])[] = [];
  const accepts: (() => Promise<void>)[] = [];
  const launches: (LaunchedRun | undefined)[] = [];
  const definitions: TaskDefinition[] = [];
  const programs = programCommands(
    {
      screen,
      runProfile: ({ name }, launched) => {
        done.push(`run profile ${name}`);
        launches.push(launched);
        return Promise.resolve(given.hasFailedDependency !== true);
      },
      run: (one, accepted, controlled) => {
        done.push("run definition");
        definitions.push(one);
        accepts.push(accepted);
        launches.push(controlled && { controlled });
        return Promise.resolve();
      },
      define: ({ path }, asking) => {
        done.push(`define ${path} for ${asking}`);
        return Promise.resolve(given.defined);
      },
      showSent: (choice) => {
        done.push(`sent by ${"name" in choice ? String(choice["name"]) : "a definition"}`);
        return Promise.resolve();
      },
    },
    {
      savedProfiles: () => Promise.resolve(profiles),
      findProfile: ({ name }) => Promise.resolve(profiles.find((task) => task.name === name)),
      folderOf: given.folderOf ?? ((scope) => (typeof scope === "object" ? scope.uri : undefined)),
      saveAll: () => {
        done.push("save all");
        return Promise.resolve();
      },
      activeFile: () => given.active,
      pathIn: (folder, path) => `${folder.path}/${path}`,
      debug: (file, configuration) => {
        debugged.push([file, configuration]);
        return Promise.resolve();
      },
    },
  );
  return { programs, screen, done, debugged, accepts, launches, definitions, profiles };
}

const defined = { definition: definition(), accepted: () => Promise.resolve() };
const file = uri("/project/orders.py");
const noProgram = "info: Open a Python, Scala or Java file to run it on the cluster.";

describe("program of a command", () => {
  test("is the profile that runs the file, however its path is written", async () => {
    const paths = [
      "/project/orders.py",
      "orders.py",
      "${workspaceFolder}/orders.py",
      "${workspaceFolder:main}/orders.py",
    ];
    for (const application of paths) {
      const { programs, done } = programWorld({
        profiles: [profileTask("nightly", { application })],
      });
      assert.equal(await programs.runFile(file), true);
      assert.deepEqual(done, ["save all", "run profile nightly"]);
    }
  });

  test("is the file if no profile runs it", async () => {
    const others = [
      profileTask("nightly", { application: "other.py" }),
      profileTask("odd", { application: 7 }),
      profileTask("elsewhere", { application: "orders.py" }, uri("/other")),
    ];
    const { programs, done } = programWorld({ profiles: others, defined });
    assert.equal(await programs.runFile(file), true);
    assert.deepEqual(done, ["define /project/orders.py for runFile", "save all", "run definition"]);
    const user = programWorld({
      ...{ profiles: [profileTask("user", { application: "/project/orders.py" })], defined },
      folderOf: () => undefined,
    });
    await user.programs.runFile(file);
    assert.equal(user.done.at(-1), "run definition");
  });

  test("is the active editor's without an argument or with a place", async () => {
    const place = { uri: file, range: {} } as never;
    for (const target of [undefined, place]) {
      const { programs, done } = programWorld({ active: file, defined });
      await programs.runFile(target);
      assert.equal(done[0], "define /project/orders.py for runFile");
    }
  });

  test("is a Python, Scala or Java file or a jar of the file system", async () => {
    const fits = ["/a.py", "/a.jar", "/A.scala", "/A.java", "/A.PY"].map((path) => uri(path));
    const others = [uri("/a.pyc"), uri("/a.txt"), uri("/a.py", "untitled"), undefined];
    for (const one of [...fits, ...others]) {
      const { programs, screen, done } = programWorld({ defined });
      const runs = await programs.runFile(one);
      assert.equal(runs, one !== undefined && fits.includes(one), one?.path);
      assert.deepEqual(screen.shown, runs ? [] : [noProgram]);
      assert.equal(done.length, runs ? 3 : 0);
    }
  });

  test("is the named profile, and nothing if it no longer exists", async () => {
    const name = (of: string) => ({ kind: "profile", name: of, folder: project }) as const;
    const { programs, screen, done } = programWorld({ profiles: [profileTask("nightly")] });
    assert.equal(await programs.runFile(name("nightly")), true);
    assert.equal(await programs.runFile(name("gone")), false);
    assert.deepEqual(done, ["save all", "run profile nightly"]);
    assert.deepEqual(screen.shown, []);
  });
});

describe("definition of a file", () => {
  test("runs nothing if the user cancels its questions", async () => {
    const { programs, done } = programWorld();
    assert.equal(await programs.runFile(file), false);
    assert.deepEqual(done, ["define /project/orders.py for runFile"]);
  });

  test("reports when the cluster has accepted it", async () => {
    let acceptances = 0;
    const accepted = (): Promise<void> => {
      acceptances += 1;
      return Promise.resolve();
    };
    const { programs, accepts } = programWorld({ defined: { definition: definition(), accepted } });
    await programs.runFile(file);
    assert.equal(acceptances, 0);
    await accepts[0]?.();
    assert.equal(acceptances, 1);
  });
});

describe("prepared program", () => {
  test("of a file has its name, and runs with the overrides of a launch", async () => {
    const { programs, done, definitions, launches } = programWorld({ defined });
    const program = await programs.prepare(file, "runOnSave");
    assert.deepEqual(
      [program?.name, program?.profile, program?.definition],
      ["orders.py", undefined, definition()],
    );
    assert.equal(done[0], "define /project/orders.py for runOnSave");
    const controlled = controlledRun();
    assert.equal(await program?.run({ controlled, overrides: { image: "i:2" } }), "started");
    assert.deepEqual(definitions, [definition({ image: "i:2" })]);
    assert.deepEqual(launches, [{ controlled }]);
  });

  test("of a profile runs its version of that moment", async () => {
    const world = { profiles: [profileTask("nightly")], hasFailedDependency: true };
    const { programs, launches, profiles } = programWorld(world);
    const program = await programs.prepare(file, "runOnSave");
    assert.deepEqual(
      [program?.name, program?.profile],
      ["nightly", { kind: "profile", name: "nightly", folder: project }],
    );
    const launched = { controlled: controlledRun() };
    assert.equal(await program?.run(launched), "notStarted");
    assert.deepEqual(launches, [launched]);
    profiles.pop();
    assert.equal(await program?.run(launched), "unknownProfile");
    assert.equal(launches.length, 1);
  });

  test("starts if its dependencies succeed", async () => {
    const { programs } = programWorld({ profiles: [profileTask("nightly")] });
    const program = await programs.prepare(file, "runOnSave");
    assert.equal(await program?.run(), "started");
  });

  test("counts as run even if a dependency failed, which was reported", async () => {
    const world = { profiles: [profileTask("nightly")], hasFailedDependency: true };
    assert.equal(await programWorld(world).programs.runFile(file), true);
  });

  test("of a debug session is asked for in its name", async () => {
    const { programs, done } = programWorld({ defined });
    await programs.runFile(file, { controlled: controlledRun() });
    assert.equal(done[0], "define /project/orders.py for debugFile");
  });
});

describe("Debug on Cluster", () => {
  const launch = {
    ...{ type: "spark", request: "launch", name: "Debug on Cluster", target: "driver" },
  };

  test("starts a session that it recognizes as its own", async () => {
    const { programs, debugged } = programWorld();
    await programs.handlers.debugFile(file);
    const [folder, configuration] = debugged[0] ?? assert.fail();
    assert.equal(folder, file);
    const { __sparkStartedBy: own, ...members } = configuration;
    assert.deepEqual(members, { ...launch, program: "/project/orders.py" });
    assert.equal(programs.isOwnSession(configuration), true);
    assert.equal(programs.isOwnSession({ ...configuration, __sparkStartedBy: "guess" }), false);
    assert.equal(programWorld().programs.isOwnSession(configuration), false);
    assert.match(String(own), /^[0-9a-f-]{36}$/);
  });

  test("of a profile names the profile, in its folder", async () => {
    const { programs, debugged } = programWorld({ profiles: [profileTask("nightly")] });
    await programs.handlers.debugFile(file);
    const [folder, { __sparkStartedBy: own, ...members }] = debugged[0] ?? assert.fail();
    assert.equal(folder, project);
    assert.equal(typeof own, "string");
    assert.deepEqual(members, { ...launch, profile: "nightly" });
  });

  test("starts nothing without a program", async () => {
    const { programs, debugged, screen } = programWorld();
    await programs.handlers.debugFile(undefined);
    assert.deepEqual([debugged, screen.shown], [[], [noProgram]]);
  });
});

describe("Show What Is Sent", () => {
  test("shows it for a profile or a definition", async () => {
    const ofProfile = programWorld({ profiles: [profileTask("nightly")] });
    await ofProfile.programs.handlers.showSent(file);
    assert.deepEqual(ofProfile.done, ["sent by nightly"]);
    const ofFile = programWorld({ defined });
    await ofFile.programs.handlers.showSent(file);
    assert.deepEqual(ofFile.done, [
      "define /project/orders.py for showSent",
      "sent by a definition",
    ]);
  });

  test("shows nothing without a program or a definition", async () => {
    const { programs, done, screen } = programWorld();
    await programs.handlers.showSent(file);
    await programs.handlers.showSent(undefined);
    assert.deepEqual(done, ["define /project/orders.py for showSent"]);
    assert.deepEqual(screen.shown, [noProgram]);
  });
});

describe("lenses of a program", () => {
  const python = "import pyspark\n\nspark = SparkSession.builder.getOrCreate()\n";
  const java =
    "import org.apache.spark.sql.SparkSession;\npublic class A {\n  public static void main(String[] args) {}\n}\n";
  const document = (at: Uri, languageId: string, text: string) => ({
    ...{ uri: at, languageId, getText: () => text },
  });

  test("are at the line of its session or its main method", () => {
    assert.equal(programLine(document(uri("/a.py"), "python", python)), 2);
    assert.equal(programLine(document(uri("/A.java"), "java", java)), 2);
    assert.equal(programLine(document(uri("/a.py"), "plaintext", python)), undefined);
    assert.equal(programLine(document(uri("/a.py"), "python", "print(1)")), undefined);
  });

  test("are shown for files of the file system only", () => {
    assert.equal(isProgram(document(uri("/a.py"), "python", python)), true);
    assert.equal(isProgram(document(uri("/a.py", "git"), "python", python)), false);
    assert.equal(isProgram(document(uri("/a.py"), "python", "print(1)")), false);
  });

  test("include Run on Save for Python", () => {
    const names = (languageId: string) =>
      programLenses(document(uri("/a"), languageId, "")).map(({ asking, command }) => [
        ...[asking, command],
      ]);
    const [run, debug, sent] = [
      ["runFile", "sparkK8s.code.run"],
      ["debugFile", "sparkK8s.code.debug"],
      ["showSent", "sparkK8s.code.showSent"],
    ];
    assert.deepEqual(names("java"), [run, debug, sent]);
    assert.deepEqual(names("python"), [
      ...[run, ["runOnSave", "sparkK8s.code.runOnSave"], debug, sent],
    ]);
  });
});
