import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { ok } from "../../../src/base/result.ts";
import type { FindingPlace } from "../../../src/editor/profiles/profileFinding.ts";
import { nameOfTask, taskOfProfile } from "../../../src/editor/profiles/profileName.ts";
import { inEnglish } from "../../../src/base/message.ts";
import {
  askingTitle,
  commandTitle,
  type AskingCommand,
} from "../../../src/editor/submit/askingTitle.ts";
import {
  imagesInUse,
  imagesOfProfiles,
  lacksAccount,
  serviceAccounts,
  uniqueChoices,
  withRights,
} from "../../../src/editor/submit/clusterChoices.ts";
import {
  inContext,
  lastProfileFirst,
  nameOfApplication,
  placeToFix,
  runsOwnTask,
  titleOf,
} from "../../../src/editor/submit/runDefinition.ts";
import {
  confirmStart,
  StartConsent,
  type ConsentWindow,
} from "../../../src/editor/submit/startConsent.ts";
import {
  argumentChoices,
  hasOpenQuote,
  isJvm,
  labelOfResource,
  namesLocalFile,
  profileOfAnswers,
  profileOfMemory,
  totalSteps,
  type SubmissionKey,
} from "../../../src/editor/submit/submissionAnswers.ts";
import { VirtualClock } from "../engine/virtualClock.ts";
import { scriptedScreen } from "./screenFixture.ts";
import { connectionFixture, missing, recordedObjects } from "./sessionFixture.ts";

const manifestTexts = JSON.parse(
  readFileSync(new URL("../../../package.nls.json", import.meta.url), "utf8"),
) as Record<string, string>;

const definition = (members: object = {}) => ({
  ...{ type: "spark", application: "local:///jobs/orders.py" },
  ...members,
});

describe("title of the questions", () => {
  const titles = (asking: AskingCommand) => inEnglish(askingTitle(asking, "dev", "etl"));

  test("names the command, its cluster and its namespace", () => {
    assert.equal(titles("submit"), 'Submit Application to "dev", namespace "etl"');
    assert.equal(titles("newProfile"), 'New Run Profile for "dev", namespace "etl"');
    assert.equal(titles("check"), 'Check Before Submitting: "dev", namespace "etl"');
    assert.equal(titles("runFile"), 'Run on Cluster: "dev", namespace "etl"');
  });

  test("is that of the command palette", () => {
    const keys: Record<AskingCommand, string> = {
      submit: "application.submit",
      newProfile: "profile.create",
      check: "submission.check",
      preview: "submission.preview",
      compare: "submission.compare",
      runFile: "code.run",
      debugFile: "code.debug",
      runOnSave: "code.runOnSave",
      showSent: "code.showSent",
      startSession: "session.start",
      openShell: "shell.open",
    };
    for (const [asking, key] of Object.entries(keys)) {
      const title = manifestTexts[`command.${key}`]?.replace("…", "");
      assert.equal(inEnglish(commandTitle(asking as AskingCommand)), title);
    }
  });
});

describe("name of a definition", () => {
  test("is its name, or that of its class or application", () => {
    assert.equal(titleOf(definition({ name: "nightly", class: "org.Main" })), "nightly");
    assert.equal(titleOf(definition({ class: "org.example.Main" })), "Main");
    assert.equal(titleOf(definition()), "orders.py");
    assert.equal(titleOf({ type: "spark", application: 7 }), "spark");
  });

  test("keeps the suffix of files", () => {
    const names: readonly (readonly [string, string])[] = [
      ["local:///jobs/orders.py", "orders.py"],
      ["https://host/a/b.JAR", "b.JAR"],
      ["x.r", "x.r"],
      ["org.example.Orders", "Orders"],
      ["Orders", "Orders"],
    ];
    for (const [application, name] of names) assert.equal(nameOfApplication(application), name);
  });
});

describe("name of a profile", () => {
  const folder = (path: unknown) => ({ toString: () => String(path) }) as never;
  const task = (name: string, path: string) => ({ name, scope: path as never });
  const tasks = [task("a", "/x"), task("b", "/x"), task("b", "/y")];
  const named = (name: string, path: string) =>
    taskOfProfile(tasks, { kind: "profile", name, folder: folder(path) }, folder);

  test("finds the task of its folder, else the first of its name", () => {
    assert.equal(named("b", "/y"), tasks[2]);
    assert.equal(named("b", "/z"), tasks[1]);
    assert.equal(named("c", "/x"), undefined);
    const ofUser = { kind: "profile", name: "b", folder: undefined } as const;
    assert.equal(taskOfProfile(tasks, ofUser, folder), tasks[1]);
  });

  test("has the folder of the task's scope", () => {
    const { kind, name, folder: found } = nameOfTask(task("a", "/x"), folder);
    assert.deepEqual([kind, name, String(found)], ["profile", "a", "/x"]);
  });
});

describe("start of a profile", () => {
  test("uses a context unless the profile has one", () => {
    const own = definition({ context: "prod" });
    assert.equal(inContext(own, "dev"), own);
    const without = definition();
    assert.equal(inContext(without, undefined), without);
    assert.deepEqual(inContext(without, "dev"), { ...without, context: "dev" });
  });

  test("offers the profile of the last run first", () => {
    const names = (last: Parameters<typeof lastProfileFirst>[1]): readonly string[] =>
      lastProfileFirst([{ name: "a" }, { name: "b" }, { name: "c" }], last).map(({ name }) => name);
    assert.deepEqual(names({ kind: "profile", name: "b" }), ["b", "a", "c"]);
    assert.deepEqual(names({ kind: "definition", definition: definition({ name: "b" }) }), [
      ...["a", "b", "c"],
    ]);
    assert.deepEqual(names(undefined), ["a", "b", "c"]);
  });

  test("runs its own task unless the run differs, is active or has answers", () => {
    const plain = { isChanged: false, isActive: false, isAnswered: false, needsEditor: false };
    assert.equal(runsOwnTask(plain), true);
    assert.equal(runsOwnTask({ ...plain, isActive: true }), false);
    assert.equal(runsOwnTask({ ...plain, isAnswered: true }), false);
    assert.equal(runsOwnTask({ ...plain, isActive: true, needsEditor: true }), true);
    assert.equal(runsOwnTask({ ...plain, isAnswered: true, needsEditor: true }), true);
    assert.equal(runsOwnTask({ ...plain, isChanged: true, needsEditor: true }), false);
  });

  test("fixes the first error with a place, or else the first finding with one", () => {
    const place = (name: string): FindingPlace => ({ uri: name }) as unknown as FindingPlace;
    const [warning, error] = [{ severity: "warning" } as const, { severity: "error" } as const];
    const [a, b] = [place("a"), place("b")];
    assert.equal(placeToFix([warning, error, error], [a, undefined, b]), b);
    assert.equal(placeToFix([warning, warning, error], [undefined, a, undefined]), a);
    assert.equal(placeToFix([error], [undefined]), undefined);
    assert.equal(placeToFix([], []), undefined);
  });
});

describe("answers to the questions about a submission", () => {
  const answers = (given: Partial<Record<SubmissionKey, string>>) =>
    new Map(Object.entries(given) as [SubmissionKey, string][]);
  const place = { namespace: "jobs", readsLocalFiles: false };

  test("become a profile without empty members", () => {
    assert.deepEqual(
      profileOfAnswers(
        answers({ resource: "a.jar", image: "img", propertiesFile: "", arguments: "" }),
        place,
      ),
      { application: "a.jar", image: "img", namespace: "jobs", serviceAccount: "default" },
    );
    assert.deepEqual(
      profileOfAnswers(
        answers({
          ...{ resource: "a.jar", image: "img", serviceAccount: "spark", mainClass: "org.Main" },
          ...{
            sparkVersion: "4.0",
            propertiesFile: "a.conf",
            arguments: "one 'two three' a\"b c\"",
          },
        }),
        place,
      ),
      {
        ...{ application: "a.jar", image: "img", namespace: "jobs", serviceAccount: "spark" },
        ...{ class: "org.Main", args: ["one", "two three", "ab c"] },
        ...{ sparkVersion: "4.0", propertiesFile: "a.conf" },
      },
    );
  });

  test("name a local file for pods that read local files", () => {
    const of = (resource: string, readsLocalFiles: boolean): unknown =>
      profileOfAnswers(answers({ resource }), { ...place, readsLocalFiles }).application;
    assert.equal(of("/project/a.py", true), "local:///project/a.py");
    assert.equal(of("/project/a.py", false), "/project/a.py");
    assert.equal(of("https://host/a.py", true), "https://host/a.py");
  });

  test("of earlier submissions suffice with an image and a service account", () => {
    const of = (
      given: Partial<Record<SubmissionKey, string>>,
      tells = false,
      namespace?: string,
    ): unknown =>
      profileOfMemory(
        "/project/a.py",
        namespace,
        (key) => given[key],
        () => tells,
      );
    assert.equal(of({ image: "img" }), undefined);
    assert.equal(of({ serviceAccount: "spark" }), undefined);
    const known = { image: "img", serviceAccount: "spark" };
    assert.deepEqual(of(known), { application: "/project/a.py", ...known });
    assert.deepEqual(of({ ...known, propertiesFile: "" }), of(known));
    assert.deepEqual(of({ ...known, propertiesFile: "conf/a.conf" }), {
      ...{ application: "/project/a.py", ...known, propertiesFile: "conf/a.conf" },
    });
    assert.deepEqual(of(known, false, "etl"), {
      ...{ application: "/project/a.py", ...known, namespace: "etl" },
    });
    assert.deepEqual(of({ ...known, sparkVersion: "4.0" }), {
      ...{ application: "/project/a.py", ...known, sparkVersion: "4.0" },
    });
    assert.deepEqual(of({ ...known, sparkVersion: "4.0" }, true), {
      ...{ application: "/project/a.py", ...known },
    });
  });

  test("tell local files, and programs that need a class", () => {
    for (const local of ["a.py", "/project/a.jar", "file:///a.py", "c/d.py"]) {
      assert.equal(namesLocalFile(local), true);
    }
    for (const other of ["local:///a.py", "s3a://b/a.jar", "HTTPS://h/a.jar"]) {
      assert.equal(namesLocalFile(other), false);
    }
    assert.deepEqual(["a.py", "a.R", "A.scala", "A.java"].map(isJvm), [false, false, false, false]);
    assert.deepEqual(["a.jar", "spark-internal"].map(isJvm), [true, true]);
  });

  test("list an earlier application by its path in the workspace folder", () => {
    const label = (resource: string) =>
      labelOfResource(resource, (path) => path.replace(/^(?:\/w|c:\\w)[/\\]/, ""));
    assert.equal(label("/w/jobs/pi.py"), "jobs/pi.py");
    assert.equal(label("c:\\w\\pi.py"), "pi.py");
    for (const other of ["/opt/pi.py", "local:///w/pi.py", "s3a://w/pi.py", "pi.py"]) {
      assert.equal(label(other), other);
    }
  });

  test("decide how many questions there are", () => {
    assert.equal(totalSteps(answers({}), 0), 5);
    assert.equal(totalSteps(answers({ resource: "a.jar" }), 0), 6);
    assert.equal(totalSteps(answers({ resource: "a.py" }), 0), 5);
    assert.equal(totalSteps(answers({ resource: "a.py" }), 1), 4);
    assert.equal(totalSteps(answers({ image: "spark:4.3.0" }), 0), 5);
    assert.equal(totalSteps(answers({ image: "etl:latest" }), 0), 6);
  });

  test("need closed quotes", () => {
    assert.deepEqual(["a 'b", 'a "b', 'it\'s "x"'].map(hasOpenQuote), [true, true, true]);
    assert.deepEqual(["", "a b", "'a b' \"c\"", '"it\'s"'].map(hasOpenQuote), [
      ...[false, false, false, false],
    ]);
  });

  test("offer no arguments first after a submission without any", () => {
    const of = (last: readonly string[]) => argumentChoices(last, "none", (text) => text);
    assert.deepEqual(of([]), ["none"]);
    assert.deepEqual(of(["", "x"]), ["none", "x"]);
    assert.deepEqual(of(["x", "", "y"]), ["x", "y", "none"]);
  });
});

describe("choices from the cluster", () => {
  const place = (...given: Parameters<typeof recordedObjects>) => ({
    connection: connectionFixture(new VirtualClock(), {
      objects: recordedObjects(...given).objects,
      rights: { can: () => Promise.resolve(ok(true)), user: () => Promise.resolve(ok("ann")) },
    }),
    namespace: "jobs",
  });
  const pod = (image: string | undefined) => ({
    metadata: {
      name: "d",
      namespace: "jobs",
      uid: image ?? "u",
      labels: { "spark-role": "driver" },
    },
    spec: { containers: image === undefined ? [] : [{ name: "spark-kubernetes-driver", image }] },
  });

  test("have the images of the drivers", async () => {
    const bodies = { "Pod a": pod("img:1"), "Pod b": pod(undefined), "Pod c": "odd" };
    assert.deepEqual(await imagesInUse(place(bodies)), ["img:1"]);
    assert.deepEqual(await imagesInUse(place(bodies, { "list Pod": missing })), []);
  });

  test("have the images of run profiles, without those with variables", () => {
    const conf = { "spark.kubernetes.container.image": "img:2" };
    const profiles = [{ image: "img:1" }, { conf }, { image: "img:3", conf }];
    const others = [{ image: "${env:IMAGE}" }, { image: 3 }, { conf: "odd" }, undefined];
    assert.deepEqual(imagesOfProfiles([...profiles, ...others]), ["img:1", "img:2", "img:3"]);
  });

  test("have service accounts with spark in their names first", async () => {
    const bodies = {
      "ServiceAccount z": {},
      "ServiceAccount my-spark": {},
      "ServiceAccount a": {},
    };
    assert.deepEqual(await serviceAccounts(place(bodies)), ["my-spark", "a", "z"]);
    assert.deepEqual(await serviceAccounts(place({}, { "list ServiceAccount": missing })), [
      "default",
    ]);
  });

  test("lack a service account only if the namespace lists others", async () => {
    const some = place({ "ServiceAccount a": {} });
    assert.deepEqual(await Promise.all(["a", "b"].map((name) => lacksAccount(some, name))), [
      false,
      true,
    ]);
    const unlisted = place({}, { "list ServiceAccount": missing });
    assert.equal(await lacksAccount(unlisted, "b"), false);
  });

  test("are left out if a slow server does not list them in time", async (t) => {
    // Keeps the process alive until the tested time limit.
    const hold = setTimeout(() => undefined, 60_000);
    t.after(() => {
      clearTimeout(hold);
    });
    const list = (_: unknown, __: unknown, ___: unknown, signal: AbortSignal): Promise<never> =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => {
          reject(new DOMException("The operation was canceled", "AbortError"));
        });
      });
    const slow = { ...place(), connection: { ...place().connection, objects: { list } as never } };
    assert.deepEqual(await imagesInUse(slow, 10), []);
    assert.deepEqual(await serviceAccounts(slow, 10), ["default"]);
    assert.equal(await lacksAccount(slow, "b", 10), false);
  });

  test("say what each account may do", async () => {
    const { signal } = new AbortController();
    const choices = [{ label: "spark", value: "spark" }];
    const [known] = await withRights(choices, place(), scriptedScreen(), signal);
    assert.equal(known?.label, "spark");
  });

  test("occur once", () => {
    const choice = (value: string, label = value) => ({ label, value });
    assert.deepEqual(uniqueChoices([choice("a", "first"), choice("b"), choice("a", "second")]), [
      choice("a", "first"),
      choice("b"),
    ]);
  });
});

describe("consent to a start that no command of the extension announced", () => {
  const task = { name: "etl", scope: undefined };
  const folder = (): string => "folder";
  const windowOf = (screen: ConsentWindow["screen"]): ConsentWindow => ({
    screen,
    currentContext: () => Promise.resolve("minikube"),
  });

  test("is asked once per window, task and definition", async () => {
    const screen = scriptedScreen("Submit", undefined, undefined);
    const consent = new StartConsent(windowOf(screen), folder);
    assert.equal(await consent.mayStart(task, definition(), "task"), true);
    const reordered = { application: definition().application, _key: "x", type: "spark" };
    assert.equal(await consent.mayStart(task, reordered, "task"), true);
    assert.equal(screen.shown.length, 1);
    assert.equal(await consent.mayStart(task, definition({ args: ["x"] }), "task"), false);
    assert.equal(await consent.mayStart({ ...task, name: "b" }, definition(), "task"), false);
    assert.equal(screen.shown.length, 3);
  });

  test("is asked again after a refusal, and for the order of arguments", async () => {
    const screen = scriptedScreen(undefined, "Submit", undefined);
    const consent = new StartConsent(windowOf(screen), folder);
    const two = definition({ args: ["a", "b"] });
    assert.equal(await consent.mayStart(task, two, "task"), false);
    assert.equal(await consent.mayStart(task, two, "task"), true);
    assert.equal(await consent.mayStart(task, definition({ args: ["b", "a"] }), "task"), false);
  });

  test("names the destination of the submission and its files", async () => {
    const screen = scriptedScreen(undefined);
    const given = definition({
      ...{ master: "k8s://https://h", namespace: "jobs", context: "prod" },
      conf: { "spark.kubernetes.file.upload.path": "s3a://b/x" },
    });
    assert.equal(await confirmStart("etl", given, windowOf(screen)), false);
    assert.deepEqual(screen.shown[0]?.split("\n").slice(0, 7), [
      'warning: Allow a task to submit "etl"?',
      "Application: local:///jobs/orders.py",
      "Context: prod",
      "Server: k8s://https://h",
      "Namespace: jobs",
      "Uploads to: s3a://b/x",
      "",
    ]);
    assert.match(screen.shown.join(), /\nYou did not start this task .* per window and task\.\n/);
  });

  test("says that a debug session starts it, and keeps each value on its line", async () => {
    const screen = scriptedScreen("Submit");
    const forged = definition({ application: "a.py\nContext: dev", conf: 7 });
    assert.equal(await confirmStart("", forged, windowOf(screen), "session"), true);
    const rows = (screen.shown[0] ?? "").split("\n").slice(-5);
    const [application, context, gap, reason] = rows;
    assert.match(screen.shown[0] ?? "", /^warning: Allow a debug session to submit "a\.py/);
    assert.match(application ?? "", /^Application: a\.py.Context: dev$/);
    assert.equal(context, "Context: minikube");
    assert.equal(gap, "");
    assert.match(reason ?? "", /^The tasks or launch configurations of this workspace/);
  });
});
