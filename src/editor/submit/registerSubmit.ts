import type { Task } from "vscode";
import {
  CustomExecution,
  l10n,
  ProgressLocation,
  tasks,
  TaskScope,
  Uri,
  window,
  type QuickPickItem,
  type TaskDefinition,
} from "vscode";
import { DisposableStore, type Disposable } from "../../base/disposable.ts";
import type { Application } from "../../spark/pods/application.ts";
import type { PodRecord } from "../../spark/pods/podRecord.ts";
import { commands, documentScheme, taskType } from "../ids.ts";
import { reportNowhere, type ReportFindings } from "../profiles/profileFinding.ts";
import {
  dependenciesOf,
  findProfile,
  findProfiles,
  folderOf,
  isProfileName,
  nameOfTask,
  runInOrder,
  startsWithFolder,
  type ProfileName,
} from "../profiles/profileTasks.ts";
import { keepSent, lastSent } from "../profiles/sentTexts.ts";
import type { ReadOnlyDocuments } from "../readOnlyDocuments.ts";
import { registerTrustedCommand } from "../registerCommand.ts";
import { withSignal } from "../withSignal.ts";
import { knownRun, rememberRun, type LastRun } from "./knownRuns.ts";
import type { ChosenManifest } from "./manifestDocuments.ts";
import { registerConvert } from "./registerConvert.ts";
import { registerManifests, type ManifestOptions } from "./registerManifests.ts";
import { registerPasted } from "./registerPasted.ts";
import type { SubmitOptions } from "./submitOptions.ts";
import { directoryOf, runTask } from "./runTask.ts";
import { pickFolder, writeProfile } from "./writeProfile.ts";

/** What other commands need of submissions. */
export interface Submissions extends Disposable {
  /** Runs what a run profile of its own would say. */
  run(definition: TaskDefinition): Promise<void>;
  /** Whether it is known with what an application was submitted. */
  wasSubmittedHere(application: Application): boolean;
  /** Whether that is still there. */
  canSubmitAnew(application: Application): Promise<boolean>;
  /**
   * Submits it once more as it was; false where that is not there any more. `context`: where, unless what is
   * submitted says so itself.
   */
  submitAnew(application: Application, context: string | undefined): Promise<boolean>;
}

/** Run profiles as tasks, and the commands that submit. */
export function registerSubmit(options: SubmitOptions): Submissions {
  const owned = new DisposableStore();
  owned.add(
    tasks.registerTaskProvider(taskType, {
      // Profiles stand in tasks.json; none is made up.
      provideTasks: () => [],
      resolveTask: (task) =>
        makeTask(options, task.definition, task.scope, task.name, {
          kind: "profile",
          name: task.name,
        }),
    }),
  );
  const register = (id: string, run: (argument: unknown) => Promise<void>): void => {
    owned.add(registerTrustedCommand(id, run, options.log));
  };
  const { documents } = options;
  const run: ManifestOptions["run"] = (definition, how) => runDefinition(options, definition, how);
  const manifests = owned.add(registerManifests({ ...options, run }));
  owned.add(registerConvert(options));
  register(commands.submit, async (file) => {
    if (await manifests.submit(file)) return;
    await submit(options, file instanceof Uri ? file : undefined);
  });
  register(commands.submitAgain, () => submitAgain(options));
  register(commands.newProfile, () => newProfile(options));
  let previewed: Choice | undefined;
  const choose = async (from: unknown): Promise<Choice | undefined> => {
    if (!isProfileName(from)) {
      return chooseDefinition(options, from instanceof Uri ? from : undefined);
    }
    const task = await findProfile(from);
    return task && { kind: "profile", task };
  };
  const preview = async (from: unknown): Promise<void> => {
    previewed = (await choose(from)) ?? previewed;
    if (previewed === undefined) return;
    const manifest = await manifestOf(options, previewed);
    if (manifest === undefined) return;
    if (manifest !== "another") return manifests.previewChosen(manifest);
    const text = await tellBefore(options, previewed, "previewSubmission");
    if (text !== undefined) await documents.show("/preview.yaml", text);
  };
  const check = async (from: unknown): Promise<void> => {
    const choice = await choose(from);
    const manifest = choice && (await manifestOf(options, choice));
    if (choice === undefined || manifest === undefined) return;
    if (manifest !== "another") return manifests.checkChosen(manifest);
    const text = await tellBefore(options, choice, "checkSubmission");
    if (text !== undefined) await documents.show("/check.md", text);
  };
  register(commands.preview, async (file) => {
    if (!(await manifests.preview(file))) await preview(file);
  });
  register(commands.previewProfile, preview);
  register(commands.check, async (file) => {
    if (!(await manifests.check(file))) await check(file);
  });
  register(commands.checkProfile, check);
  register(commands.runProfile, async (from) => {
    const task = isProfileName(from) ? await findProfile(from) : undefined;
    if (task !== undefined) await runProfile(options, task);
  });
  register(commands.compareSubmission, async (from) => {
    // The button of a preview is given the document's address.
    const isPreview = from instanceof Uri && from.scheme === documentScheme;
    const choice = isPreview ? previewed : await choose(from);
    if (choice !== undefined) await compareWithLast(options, choice, documents);
  });
  owned.add(registerPasted(options, documents));
  return {
    run: (definition) => runDefinition(options, definition),
    wasSubmittedHere: (application) => knownRun(options.memory, application) !== undefined,
    canSubmitAnew: async (application) => {
      const known = knownRun(options.memory, application);
      return known?.kind === "profile"
        ? (await profileNamed(known.name)) !== undefined
        : known !== undefined;
    },
    submitAnew: (application, context) =>
      repeat(options, knownRun(options.memory, application), context),
    dispose: () => {
      owned.dispose();
    },
  };
}

/** Runs a profile, or asks for what a submission needs and runs that. */
async function submit(options: SubmitOptions, file: Uri | undefined): Promise<void> {
  const choice = await chooseDefinition(options, file);
  if (choice?.kind === "profile") {
    await runProfile(options, choice.task);
  }
  if (choice?.kind === "definition") await runDefinition(options, choice.definition);
}

type Told = "previewSubmission" | "comparableSubmission" | "checkSubmission";

/** What a submission would do, or what the cluster says of it. */
async function tellBefore(
  options: SubmitOptions,
  choice: Choice,
  told: Told,
): Promise<string | undefined> {
  const { connect, connectTo, memory, log, loadSubmit, loadDisk } = options;
  const [door, { surroundings, fetchTexts }] = await Promise.all([loadSubmit(), loadDisk()]);
  const { definition, scope } = definitionOf(choice);
  const asked = {
    source: { kind: "profile", definition } as const,
    surroundings: surroundings(directoryOf(scope)),
    folder: folderOf(scope),
    report: reportOf(options, choice),
    fetchTexts,
    connect,
    connectTo,
    memory,
    log,
  };
  return window.withProgress(
    { location: ProgressLocation.Window, title: l10n.t("Asking the cluster") },
    (_, token) => withSignal(token, (signal) => door[told](asked, signal)),
  );
}

/** The manifest that is meant; "another": something else is; undefined: why nothing is has been said. */
async function manifestOf(
  { loadSubmit, loadDisk, log }: SubmitOptions,
  choice: Choice,
): Promise<ChosenManifest | "another" | undefined> {
  const [door, { surroundings }] = await Promise.all([loadSubmit(), loadDisk()]);
  const { definition, scope } = definitionOf(choice);
  const place = { folder: folderOf(scope), surroundings: surroundings(directoryOf(scope)) };
  return door.manifestBeforeRun({ definition, ...place }, log);
}

/** Shows in the editor's own diff what would be sent now beside what the last run of it sent. */
async function compareWithLast(
  options: SubmitOptions,
  choice: Choice,
  documents: ReadOnlyDocuments,
): Promise<void> {
  const name = choice.kind === "profile" ? choice.task.name : titleOf(choice.definition);
  const last = lastSent(options.memory, name);
  if (last === undefined) {
    void window.showInformationMessage(
      l10n.t('"{0}" was not submitted from this workspace yet: there is nothing to compare.', name),
    );
    return;
  }
  const manifest = await manifestOf(options, choice);
  if (manifest === undefined) return;
  const text =
    manifest === "another"
      ? await tellBefore(options, choice, "comparableSubmission")
      : await (await options.loadSubmit()).manifestText(manifest, options.log);
  if (text === undefined) return;
  const at = new Date(last.at).toLocaleString();
  await documents.compare(
    { path: "/last.yaml", text: last.text },
    { path: "/now.yaml", text },
    l10n.t("{0}: sent {1} ↔ now", name, at),
  );
}

const reportOf = ({ profiles }: SubmitOptions, choice: Choice): ReportFindings =>
  choice.kind === "profile" ? profiles.reportFor(nameOfTask(choice.task)) : reportNowhere;

type Choice =
  | { readonly kind: "profile"; readonly task: Task }
  | { readonly kind: "definition"; readonly definition: TaskDefinition };

const definitionOf = (choice: Choice): Pick<Task, "definition" | "scope"> =>
  choice.kind === "profile"
    ? choice.task
    : { definition: choice.definition, scope: TaskScope.Workspace };

/** A profile of the workspace, or the answers to the questions; undefined when the dialog was left. */
async function chooseDefinition(
  options: SubmitOptions,
  file: Uri | undefined,
): Promise<Choice | undefined> {
  const profiles = file === undefined ? await findProfiles() : [];
  if (profiles.length > 0) {
    const chosen = await pickProfile(options, profiles);
    if (chosen === undefined) return undefined;
    if (chosen !== "another") return { kind: "profile", task: chosen };
  }
  const { askForProfile } = await options.loadSubmit();
  const profile = await askForProfile(options.askOptions, file);
  return profile && { kind: "definition", definition: { type: taskType, ...profile } };
}

/** Runs again what was run last; asks where that is not known, or not there any more. */
async function submitAgain(options: SubmitOptions): Promise<void> {
  const isRepeated = await repeat(options, options.memory.get<LastRun>(lastRunKey), undefined);
  if (!isRepeated) await submit(options, undefined);
}

/** Runs again what was run, in this context unless it names its own; false where it is not there any more. */
async function repeat(
  options: SubmitOptions,
  last: LastRun | undefined,
  context: string | undefined,
): Promise<boolean> {
  if (last?.kind === "definition") {
    await runDefinition(options, inContext(last.definition, context));
    return true;
  }
  const task = last && (await profileNamed(last.name));
  if (task !== undefined) await runProfile(options, task, context);
  return task !== undefined;
}

const profileNamed = async (wanted: string): Promise<Task | undefined> =>
  (await findProfiles()).find(({ name }) => name === wanted);

/** The same object where it says itself where it is to run, or nobody else does. */
const inContext = (definition: TaskDefinition, context: string | undefined): TaskDefinition =>
  context === undefined || definition["context"] !== undefined
    ? definition
    : { ...definition, context };

/** Asks as for a submission, and writes the answers into tasks.json instead. */
async function newProfile(options: SubmitOptions): Promise<void> {
  const folder = await pickFolder();
  if (folder === undefined) return;
  const { askForProfile } = await options.loadSubmit();
  const profile = await askForProfile(options.askOptions, undefined);
  if (profile === undefined) return;
  const label = await window.showInputBox({
    title: l10n.t("New Run Profile"),
    prompt: l10n.t("Name of the profile"),
    value: nameOf(profile.application),
    validateInput: (text) => (text.trim() === "" ? l10n.t("Type a name") : undefined),
  });
  if (label === undefined) return;
  await writeProfile(folder, label, profile, []);
}

// ---- Tasks -------------------------------------------------------------------------------------

const lastRunKey = "submit.lastRun";

function makeTask(
  options: SubmitOptions,
  definition: TaskDefinition,
  scope: Task["scope"],
  name: string,
  origin: LastRun,
  how: "submit" | "resubmit" = "submit",
  profile: ProfileName = { kind: "profile", name, folder: folderOf(scope) },
): Task {
  const execution = new CustomExecution(async (resolved) => {
    const [{ openRun }, disk] = await Promise.all([options.loadSubmit(), options.loadDisk()]);
    const { connect, connectTo, watched, followed, profiles, traces, clock, random, memory, log } =
      options;
    const submitted = (driver: PodRecord): void => {
      options.submitted(driver);
      rememberRun(memory, driver, origin).then(undefined, log.error);
    };
    return openRun({
      source: { kind: "profile", definition: resolved },
      resubmits: how === "resubmit",
      written: definition,
      folder: profile.folder,
      confirmation: startsWithFolder(profile.name, profile.folder)
        ? l10n.t("This run profile starts by itself when its folder opens.")
        : undefined,
      report: profiles.reportFor(profile),
      sent: (text) => {
        keepSent(memory, { name: profile.name, at: clock.now(), text }).then(undefined, log.error);
      },
      workingDirectory: directoryOf(scope),
      connect,
      connectTo,
      watched,
      followed,
      memory,
      submitted,
      traces,
      clock,
      random,
      log,
      ...disk,
    });
  });
  return runTask(definition, scope, name, "spark", execution);
}

/** The profile's own task; beside a run of it that is still followed, or in a given context, a task of its own. */
async function runProfile(options: SubmitOptions, task: Task, context?: string): Promise<void> {
  const { name, scope } = task;
  const definition = inContext(task.definition, context);
  const isActive = tasks.taskExecutions.some((execution) => execution.task.name === name);
  const last = { kind: "profile", name } as const;
  const profile = nameOfTask(task);
  const before = dependenciesOf(name, profile.folder);
  const isOwn = definition === task.definition;
  if (isOwn && (!isActive || before === undefined)) return run(options, task, last);
  // A copy has no dependencies that the editor would run.
  if (before !== undefined && !(await runInOrder(before))) return;
  const label = labelNow(options, name);
  options.profiles.startedAs(label, name);
  const copy = makeTask(options, { ...definition, label }, scope, label, last, "submit", profile);
  await run(options, copy, last);
}

async function runDefinition(
  options: SubmitOptions,
  definition: TaskDefinition,
  how: "submit" | "resubmit" = "submit",
): Promise<void> {
  const title = titleOf(definition);
  const label = labelNow(options, title);
  const profile = { kind: "profile", name: title, folder: folderOf(TaskScope.Workspace) } as const;
  // Its own label tells it from the run before, which may still be followed.
  const origin: LastRun = { kind: "definition", definition };
  const own = { ...definition, label };
  const task = makeTask(options, own, TaskScope.Workspace, label, origin, how, profile);
  await run(options, task, origin);
}

const titleOf = ({ application, class: mainClass, name }: TaskDefinition): string =>
  nameOf([name, mainClass, application].find(isText) ?? "spark");

const labelNow = ({ clock }: SubmitOptions, name: string): string =>
  `${name} ${new Date(clock.now()).toLocaleTimeString()}`;

async function run({ memory }: SubmitOptions, task: Task, last: LastRun): Promise<void> {
  await memory.update(lastRunKey, last);
  await tasks.executeTask(task);
}

interface ProfileItem extends QuickPickItem {
  readonly value: Task | "another";
}

async function pickProfile(
  { memory }: SubmitOptions,
  profiles: readonly Task[],
): Promise<Task | "another" | undefined> {
  const last = memory.get<LastRun>(lastRunKey);
  const isLast = ({ name }: Task): boolean => last?.kind === "profile" && last.name === name;
  const inOrder = [...profiles.filter(isLast), ...profiles.filter((task) => !isLast(task))];
  const items: readonly ProfileItem[] = inOrder.map((task) => ({
    label: task.name,
    description: isLast(task) ? l10n.t("last run") : "",
    detail: String(task.definition["application"] ?? ""),
    value: task,
  }));
  const another: ProfileItem = { label: l10n.t("$(add) Another application…"), value: "another" };
  const chosen = await window.showQuickPick([...items, another], {
    title: l10n.t("Submit Application"),
    placeHolder: l10n.t("Run profile"),
  });
  return chosen?.value;
}

const isText = (value: unknown): value is string => typeof value === "string";

/** `local:///jobs/orders.py` and `org.example.Orders` give `orders.py` and `Orders`. */
function nameOf(application: string): string {
  const last = application.slice(application.lastIndexOf("/") + 1);
  return /\.(?:py|jar|r)$/i.test(last) ? last : last.slice(last.lastIndexOf(".") + 1);
}
