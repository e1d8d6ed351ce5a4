import * as programDefinitions from "../../../src/editor/submit/programDefinition.ts";
import assert from "node:assert/strict";
import type { Pseudoterminal, Task, TaskDefinition, Uri } from "vscode";
import { SentHere } from "../../../src/editor/profiles/sentTexts.ts";
import { AnnouncedStarts } from "../../../src/editor/submit/announcedStarts.ts";
import { AnswerMemory } from "../../../src/editor/submit/answerMemory.ts";
import * as asking from "../../../src/editor/submit/askBeforeRun.ts";
import type { ControlledRun } from "../../../src/editor/submit/controlledRun.ts";
import type { PreviewOptions } from "../../../src/editor/submit/previewSubmission.ts";
import type { ManifestBeforeRun } from "../../../src/editor/submit/profileManifest.ts";
import { StartConsent } from "../../../src/editor/submit/startConsent.ts";
import { makeTask } from "../../../src/editor/submit/startTask.ts";
import type { SubmissionRunOptions } from "../../../src/editor/submit/submissionRun.ts";
import type { Submitting } from "../../../src/editor/submit/submitting.ts";
import type { NewTask } from "../../../src/editor/submit/taskPorts.ts";
import type { RunRecord } from "../../../src/spark/history/runRecord.ts";
import type { RunProfile } from "../../../src/spark/submit/profile/runProfile.ts";
import { VirtualClock } from "../engine/virtualClock.ts";
import { memoryMemento } from "./memoryMemento.ts";
import { scriptedScreen } from "./screenFixture.ts";
import { strictLog } from "./sessionFixture.ts";

export const uri = (path: string, scheme = "file"): Uri =>
  ({ scheme, path, fsPath: path, toString: () => `${scheme}://${path}` }) as unknown as Uri;

export const project = uri("/project");

// The value of `TaskScope.Workspace`, because the module `vscode` exists only inside VS Code.
export const workspaceScope = JSON.parse("2") as Submitting["host"]["workspaceScope"];

/** Returns a task as VS Code reads it from tasks.json. */
export const profileTask = (name: string, members: object = {}, folder: Uri = project): Task =>
  ({
    name,
    scope: { uri: folder },
    definition: { type: "spark", application: "/project/orders.py", ...members },
  }) as unknown as Task;

export const definition = (members: object = {}): TaskDefinition => ({
  ...{ type: "spark", application: "local:///jobs/orders.py" },
  ...members,
});

/** Returns the definition of a run without its label: with variables filled in, or as written. */
export function definitionOf(
  run: SubmissionRunOptions | undefined,
  version: "definition" | "written" = "definition",
): unknown {
  assert.ok(run?.source.kind === "profile");
  const members = Object.entries(run.source[version] as object);
  return Object.fromEntries(members.filter(([key]) => key !== "label"));
}

/** Returns a run that a debug session or Run on Save controls. */
export const controlledRun = (members: Partial<ControlledRun> = {}): ControlledRun => ({
  signal: new AbortController().signal,
  started: () => Promise.resolve(),
  isStopped: () => false,
  ended: () => undefined,
  ...members,
});

interface World {
  readonly profiles?: Task[];
  /** The user's answers on the screen, in order. */
  readonly script?: readonly (string | undefined)[];
  /** Names of profiles that are running. */
  readonly active?: readonly string[];
  /** The applications of active runs. */
  readonly activeApplications?: readonly string[];
  /** The names of the tasks that each task depends on; "editor" if only VS Code can resolve them. */
  readonly dependencies?: readonly string[] | "editor";
  readonly hasFailedDependency?: boolean;
  /** True if the workspace refers to a command of the extension. */
  readonly callsCommands?: boolean;
  readonly startsSessions?: boolean;
  /** The run profile that the user enters in the prompts; undefined if the user cancels. */
  readonly asked?: RunProfile;
  readonly manifest?: ManifestBeforeRun | "another" | undefined;
  readonly text?: string | undefined;
  readonly checked?: object | undefined;
  readonly executeError?: Error;
  readonly folder?: Uri | undefined;
}

type MadeTask = Task & { readonly open: (resolved: TaskDefinition) => Promise<Pseudoterminal> };

/** Creates the submit commands in a window without VS Code. `done` lists all their effects in order. */
export function submitWorld(given: World = {}) {
  const { profiles = [], script = [], active = [], dependencies = [] } = given;
  const { activeApplications = [] } = given;
  const clock = new VirtualClock();
  const memory = memoryMemento();
  const screen = scriptedScreen(...script);
  const done: string[] = [];
  const runs: SubmissionRunOptions[] = [];
  const executed: Task[] = [];
  const previews: PreviewOptions[] = [];
  const records = new Map<string, RunRecord>();
  const folderOf: Submitting["host"]["folderOf"] = (scope) =>
    typeof scope === "object" ? scope.uri : scope === workspaceScope ? project : undefined;
  const note =
    (name: string) =>
    (...values: readonly unknown[]): Promise<never> => {
      done.push([name, ...values.filter((value) => typeof value !== "object")].join(" "));
      return Promise.resolve(undefined as never);
    };
  const told =
    (name: string) =>
    (options: PreviewOptions): Promise<string | undefined> => {
      done.push(name);
      previews.push(options);
      return Promise.resolve("text" in given ? given.text : `text of ${name}`);
    };
  const submitWindow = {
    screen,
    inStatusBar: (title: string, work: (signal: AbortSignal) => Promise<unknown>) => {
      done.push(title);
      return work(new AbortController().signal);
    },
  };
  const door = {
    ...asking,
    ...{ submitWindow },
    ...programDefinitions,
    askForProfile: (_: unknown, answers: AnswerMemory, { asking: title, ...target }: AskedFor) => {
      const { file, program, typed = "" } = target;
      const named = [file, program].flatMap((one) => one?.path ?? []);
      done.push(["ask", title, ...named, ...(typed === "" ? [] : [`typed ${typed}`])].join(" "));
      answers.hold(new Map(Object.entries({ image: given.asked?.image ?? "" })));
      return Promise.resolve(given.asked);
    },
    openRun: (run: SubmissionRunOptions) => {
      runs.push(run);
      return {} as Pseudoterminal;
    },
    manifestBeforeRun: (written: { readonly definition: TaskDefinition }) => {
      done.push(`manifest of ${String(written.definition["application"])}`);
      return Promise.resolve("manifest" in given ? given.manifest : "another");
    },
    describeSent: told("describeSent"),
    previewSubmission: told("previewSubmission"),
    comparableSubmission: told("comparableSubmission"),
    manifestText: (_: unknown, __: unknown, ___: unknown, mask: unknown) =>
      told("manifestText")({ mask } as PreviewOptions),
    checkSubmission: async (options: PreviewOptions & { readonly title: string }) => {
      await told("checkSubmission")(options);
      return given.checked;
    },
    showRecentRuns: ({ name }: { readonly name: string }) => note("recent runs of")(name),
    startSession: note("startSession"),
    startShell: (_: unknown, profile: Task | undefined) =>
      note("startShell")(profile?.name ?? "without a profile"),
  };
  const execute = async (task: Task): Promise<void> => {
    done.push(`run ${task.name}`);
    executed.push(task);
    if (given.executeError !== undefined) throw given.executeError;
    // VS Code requests the execution of a task in tasks.json from the provider.
    const { name, scope, definition: written } = task;
    const made =
      "open" in task
        ? (task as MadeTask)
        : (makeTask(options, {
            ...{ name, scope, definition: written },
            origin: { kind: "profile", name },
          }) as MadeTask);
    await made.open(made.definition);
  };
  const options = {
    ...{ clock, memory, screen, log: strictLog, sessionProgram: uri("/dist/session.py") },
    consent: new StartConsent(
      { screen, currentContext: () => Promise.resolve("dev") },
      (scope) => folderOf(scope)?.toString() ?? "",
    ),
    announced: new AnnouncedStarts<NewTask>(clock),
    sentHere: new SentHere(),
    answers: new AnswerMemory(memory),
    submitted: () => done.push("submitted"),
    askOptions: { namespaces: () => ["jobs"] },
    commitOf: () => Promise.resolve(undefined),
    history: {
      update: (id: string, change: (before: RunRecord | undefined) => RunRecord | undefined) => {
        const after = change(records.get(id));
        if (after !== undefined) records.set(id, after);
        return Promise.resolve();
      },
    },
    profiles: {
      reportFor: ({ name }: { readonly name: string }) => note(`report for ${name}`),
      runs: {
        startedAs: note("started as"),
        submittedAs: () => undefined,
        endedAs: note("ended as"),
      },
    },
    documents: {
      show: (path: string, text: string, language = "") =>
        note("show")(...[path, text, language].filter((part) => part !== "")),
      compare: (
        before: { readonly text: string },
        after: { readonly text: string },
        title: string,
      ) => note("compare")(`${title}: "${before.text}" and "${after.text}"`),
    },
    loadSubmit: () => Promise.resolve(door),
    loadDisk: () =>
      Promise.resolve({
        ...{
          submissionEnvironment: (workingDirectory: string) => ({ workingDirectory }),
          code: {},
        },
        packages: {},
      }),
    host: {
      workspaceScope,
      findProfiles: () => Promise.resolve(profiles),
      savedProfiles: () => Promise.resolve(profiles),
      findProfile: ({ name }: { readonly name: string }) =>
        Promise.resolve(profiles.find((task) => task.name === name)),
      folderOf,
      directoryOf: (scope: Task["scope"]) => folderOf(scope)?.fsPath ?? "/",
      dependenciesOf: () => (dependencies === "editor" ? undefined : dependencies),
      runInOrder: async (names: readonly string[]) => {
        if (names.length > 0) await note("before")(...names);
        return given.hasFailedDependency !== true;
      },
      isActive: (name: string) => active.includes(name),
      isApplicationActive: (application: unknown) =>
        activeApplications.some((one) => one === application),
      execute,
      newTask: ({ definition: held, scope, name }: NewTask, open: MadeTask["open"]) => ({
        ...{ definition: held, scope, name, open },
      }),
      reuseTerminal: (task: Task, isRepeated: boolean) => {
        done.push(`reuse terminal${isRepeated ? " silently" : ""}`);
        return task;
      },
      workspaceCallsCommands: () => given.callsCommands === true,
      workspaceStartsSessions: () => given.startsSessions === true,
      saveAll: note("save all"),
      file: (path: string) => uri(path),
      openAt: ({ path }: Uri) => note("open")(path),
      pickFolder: () => Promise.resolve("folder" in given ? given.folder : { uri: project }),
      writeProfile: (
        _: unknown,
        { label, profile }: { readonly label: string; readonly profile: RunProfile },
      ) => note("write profile")(label, profile.application),
    },
  } as unknown as Submitting;
  return { options, screen, memory, clock, done, runs, executed, previews, records };
}

interface AskedFor {
  readonly asking: string;
  readonly file?: Uri;
  readonly program?: Uri;
  readonly typed?: string;
}
