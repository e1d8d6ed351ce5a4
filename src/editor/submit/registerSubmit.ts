import type { Pseudoterminal, Task } from "vscode";
import {
  CustomExecution,
  l10n,
  tasks,
  TaskScope,
  ThemeIcon,
  Uri,
  workspace,
  type QuickPickItem,
  type DebugConfiguration,
  type TaskDefinition,
} from "vscode";
import { DisposableStore, type Disposable } from "../../base/disposable.ts";
import type { Application } from "../../spark/pods/application.ts";
import type { PodRecord } from "../../spark/pods/podRecord.ts";
import { plainMask, defaultSecretRule, type Mask } from "../../spark/redact.ts";
import { redactLine } from "../../spark/redactLine.ts";
import { takeOutAnswers, type HeldDefinition } from "../../spark/submit/profile/heldAnswers.ts";
import { putBackSecrets } from "../../spark/submit/profile/heldSecrets.ts";
import { sparkVersionOfImage } from "../../spark/submit/conf/sparkVersion.ts";
import type { CommandHandlers, TargetArgument } from "../commandArguments.ts";
import type { CommandOf } from "../commandTable.ts";
import { documentScheme, tableLanguage, taskType } from "../ids.ts";
import { reportNowhere, type ReportFindings } from "../profiles/profileFinding.ts";
import {
  dependenciesOf,
  findProfile,
  findProfiles,
  folderOf,
  nameOfTask,
  runInOrder,
} from "../profiles/profileTasks.ts";
import { isProfileName, type ProfileName } from "../profiles/profileName.ts";
import { lastSent, SentHere } from "../profiles/sentTexts.ts";
import type { ReadOnlyDocuments } from "../readOnlyDocuments.ts";
import { openAt } from "./openAt.ts";
import { AnnouncedStarts, type TaskStart } from "./announcedStarts.ts";
import { commandTitle, type Asking } from "./askingTitle.ts";
import { AnswerMemory } from "./answerMemory.ts";
import { askSecrets } from "./askSecrets.ts";
import { secretsScreen } from "./secretsScreen.ts";
import {
  cleanStoredRuns,
  knownRun,
  lastRun,
  rememberLastRun,
  rememberRun,
  taskWithoutSecrets,
  type LastRun,
} from "./knownRuns.ts";
import type { LaunchSource } from "../../spark/submit/debug/launchConfiguration.ts";
import { withOverrides } from "../../spark/submit/debug/launchOverrides.ts";
import type { ControlledRun, DebuggedRun, LaunchedRun } from "./controlledRun.ts";
import { checkPath, summaryOf } from "./nextActions.ts";
import type { PreviewOptions } from "./previewSubmission.ts";
import type { ManifestBeforeRun } from "./profileManifest.ts";
import type { SettingsStart } from "./chooseSettings.ts";
import { convertHandler } from "./convertHandler.ts";
import { registerManifests, type ManifestOptions } from "./registerManifests.ts";
import { registerRunOnSave } from "./registerRunOnSave.ts";
import { recordRun } from "./recordRun.ts";
import { packagesPlace } from "./packages/packageAnswers.ts";
import { registerPrograms, type DefinedProgram } from "./registerPrograms.ts";
import { submitPasted } from "./submitPasted.ts";
import {
  inContext,
  isLastProfile,
  lastProfileFirst,
  nameOfApplication,
  placeToFix,
  runsOwnTask,
  titleOf,
} from "./runDefinition.ts";
import { profileOfMemory } from "./submissionAnswers.ts";
import { StartConsent } from "./startConsent.ts";
import type { SubmitOptions } from "./submitOptions.ts";
import { workspaceCallsCommands, workspaceStartsSessions } from "./workspaceStarts.ts";
import { translated } from "../ui/translated.ts";
import { directoryOf, reuseTerminal, runTask } from "../ui/runTask.ts";
import { pickFolder, writeProfile } from "./writeProfile.ts";
import { window } from "../ui/window.ts";
import { inStatusBar } from "../progress.ts";
import { dateAndTime, timeOfDay } from "../../base/timeOfDay.ts";

/** Submissions for other features. */
export interface Submissions extends Disposable {
  readonly handlers: CommandHandlers<CommandOf<"submit">>;
  /** Runs a definition that is not in tasks.json. */
  /** `name`: that of the run; by default that of the definition. */
  readonly run: (definition: TaskDefinition, name?: string) => Promise<void>;
  /** Runs for a debug session. False if there is nothing to run, or the user cancels. */
  readonly debug: (source: LaunchSource, debugged: DebuggedRun) => Promise<boolean>;
  /** True if the user requested the debug session, as far as that can be known. */
  readonly isRequestedSession: (configuration: DebugConfiguration) => boolean;
  /** True if this workspace submitted the application. */
  readonly wasSubmittedHere: (application: Application) => boolean;
  /** True if its profile still exists. */
  readonly canResubmit: (application: Application) => Promise<boolean>;
  /**
   * Repeats the application's submission; false if its profile no longer exists. `context`: used unless the
   * definition has one.
   */
  readonly resubmit: (application: Application, context: string | undefined) => Promise<boolean>;
}

/** Run profiles as tasks, and the commands that submit. */
export function registerSubmit(given: SubmitOptions): Submissions {
  const owned = new DisposableStore();
  const options: Submitting = {
    ...given,
    consent: new StartConsent(window, folderKey),
    announced: new AnnouncedStarts<NewTask>(given.clock),
    sentHere: new SentHere(),
    answers: new AnswerMemory(given.memory),
  };
  cleanStoredRuns(given.memory).catch(given.log.error);
  owned.add(
    tasks.registerTaskProvider(taskType, {
      // Profiles are in tasks.json; none is detected.
      provideTasks: () => [],
      resolveTask: (task) =>
        makeTask(options, {
          definition: task.definition,
          scope: task.scope,
          name: task.name,
          origin: { kind: "profile", name: task.name },
        }),
    }),
  );
  const { documents } = options;
  const run: ManifestOptions["run"] = (definition, how) => runDefinition(options, definition, how);
  const manifests = owned.add(registerManifests({ ...options, run }));
  const programs = owned.add(
    registerPrograms({
      memory: options.memory,
      runProfile: (task, launched) => runProfile(options, task, launched),
      run: (definition, accepted, controlled) =>
        runDefinition(options, definition, "submit", { accepted, controlled }),
      define: (file, asking) => defineProgram(options, file, asking),
      showSent: async (from) => {
        const choice = isTask(from)
          ? ({ kind: "profile", task: from } as const)
          : ({ kind: "definition", definition: from } as const);
        const text = await tellBefore(options, choice, "describeSent");
        if (text !== undefined) await documents.show("/sent.txt", text, tableLanguage);
      },
    }),
  );
  const runOnSave = owned.add(registerRunOnSave(programs, options));
  let previewed: Choice | undefined;
  const choose = async (from: TargetArgument, asking: Asking): Promise<Choice | undefined> => {
    if (!isProfileName(from)) {
      return chooseDefinition(options, from instanceof Uri ? from : undefined, asking);
    }
    const task = await findProfile(from);
    return task && { kind: "profile", task };
  };
  const preview = async (from: TargetArgument): Promise<void> => {
    previewed = (await choose(from, "preview")) ?? previewed;
    if (previewed === undefined) return;
    const manifest = await manifestOf(options, previewed);
    if (manifest === undefined) return;
    if (manifest !== "another") return manifests.previewChosen(manifest);
    const text = await tellBefore(options, previewed, "previewSubmission");
    if (text !== undefined) await documents.show("/preview.yaml", text);
  };
  const check = async (from: TargetArgument): Promise<void> => {
    const choice = await choose(from, "check");
    const manifest = choice && (await manifestOf(options, choice));
    if (choice === undefined || manifest === undefined) return;
    if (manifest === "another") return checkChoice(options, choice);
    const { answers } = manifest;
    await manifests.checkChosen(manifest, () => submitChoice(options, choice, answers));
  };
  const compare = async (from: TargetArgument): Promise<void> => {
    // The button of a preview passes the document's address.
    const isPreview = from instanceof Uri && from.scheme === documentScheme;
    const choice = isPreview ? previewed : await choose(from, "compare");
    if (choice !== undefined) await compareWithLast(options, choice, documents);
  };
  const settingsStart: SettingsStart = {
    define: (asking) => defineProgram(options, options.sessionProgram, asking),
    run: (definition, how) => runDefinition(options, definition, "submit", how),
    preview: async (definition) => {
      previewed = { kind: "definition", definition };
      const text = await tellBefore(options, previewed, "previewSubmission");
      if (text !== undefined) await documents.show("/preview.yaml", text);
    },
  };
  const handlers: Submissions["handlers"] = {
    ...manifests.handlers,
    ...programs.handlers,
    submit: async (file) => {
      if (await manifests.submit(file)) return;
      await submit(options, file instanceof Uri ? file : undefined);
    },
    ...runOnSave.handlers,
    recentRuns: async (target) => {
      const profile = await recentTarget(options, target);
      if (profile === undefined) return;
      const { showRecentRuns, submitWindow } = await options.loadSubmit();
      await showRecentRuns(profile, options, submitWindow.screen);
    },
    submitAgain: async () => {
      await workspace.saveAll(false);
      await submitAgain(options);
    },
    startSession: async () => {
      const { startSession, submitWindow } = await options.loadSubmit();
      await startSession({ program: options.sessionProgram, ...settingsStart }, submitWindow);
    },
    openShell: async (target) => {
      const profile = isProfileName(target) ? await findProfile(target) : undefined;
      if (profile === undefined && isProfileName(target)) return;
      const { startShell, submitWindow } = await options.loadSubmit();
      await startShell(settingsStart, profile, submitWindow);
    },
    submitPasted: (text) => submitPasted(options, documents, text),
    newProfile: () => newProfile(options),
    preview: async (file) => {
      if (!(await manifests.preview(file))) await preview(file);
    },
    previewProfile: preview,
    check: async (file) => {
      if (!(await manifests.check(file))) await check(file);
    },
    checkProfile: check,
    convert: convertHandler(options),
    compareSubmission: compare,
    runProfile: async (from) => {
      const task = from && (await findProfile(from));
      if (task !== undefined) await runProfile(options, task);
    },
  };
  return {
    handlers,
    run: (definition, name) => runDefinition(options, definition, "submit", { name }),
    debug: async (source, debugged) => {
      if (source.kind === "file") {
        return programs.runFile(Uri.file(source.path), {
          controlled: debugged,
          overrides: source.overrides,
        });
      }
      await workspace.saveAll(false);
      if (source.kind === "definition") {
        const definition = { ...source.members, type: taskType };
        await runDefinition(options, definition, "submit", { controlled: debugged });
        return true;
      }
      const task = await profileNamed(source.name);
      if (task === undefined) {
        void window.showErrorMessage(l10n.t('There is no run profile "{0}".', source.name));
        return false;
      }
      return runProfile(options, task, { controlled: debugged, overrides: source.overrides });
    },
    isRequestedSession: (configuration) =>
      programs.isOwnSession(configuration) ? !workspaceCallsCommands() : !workspaceStartsSessions(),
    wasSubmittedHere: (application) => knownRun(options.memory, application) !== undefined,
    canResubmit: async (application) => {
      const known = knownRun(options.memory, application);
      return known?.kind === "profile"
        ? (await profileNamed(known.name)) !== undefined
        : known !== undefined;
    },
    resubmit: (application, context) =>
      repeat(options, knownRun(options.memory, application), context),
    dispose: () => {
      owned.dispose();
    },
  };
}

/** Runs a profile, or asks for a definition and runs it. */
async function submit(options: Submitting, file: Uri | undefined): Promise<void> {
  const choice = await chooseDefinition(options, file, "submit");
  if (choice !== undefined) await submitChoice(options, choice);
}

/** `inputs`: answered input variables, which are not asked for again. */
async function submitChoice(
  options: Submitting,
  choice: Choice,
  inputs?: ReadonlyMap<string, string>,
): Promise<void> {
  if (choice.kind === "profile") {
    await runProfile(options, choice.task, { inputs });
    return;
  }
  const accepted = options.answers.submit();
  await runDefinition(options, choice.definition, "submit", { accepted });
}

/** Shows the pre-flight check of a program, and offers the next actions. */
async function checkChoice(options: Submitting, choice: Choice): Promise<void> {
  const name = choice.kind === "profile" ? choice.task.name : titleOf(choice.definition);
  const checked = await askBefore(options, choice, plainMask, (door, asked, signal) =>
    door.checkSubmission({ ...asked, title: name }, door.submitWindow, signal),
  );
  if (checked === undefined) return;
  const { text, findings, places, answers } = checked;
  const show = (): Promise<void> => options.documents.show(checkPath(name), text);
  await show();
  const place = placeToFix(findings, places);
  const { fixFor, offerNext, submitWindow } = await options.loadSubmit();
  const { screen } = submitWindow;
  const fix = place && (() => openAt(place.uri, place.range));
  const after = {
    submit: () => submitChoice(options, choice, answers),
    ...fixFor(findings, { fix }, screen),
    save: undefined,
    show,
  };
  const at = options.clock.now();
  await offerNext({ name, at, summary: summaryOf(findings) }, after, screen);
}

/** State shared by the commands of one window. More than a dozen members, as it adds to `SubmitOptions`. */
interface Submitting extends SubmitOptions {
  readonly consent: StartConsent;
  readonly announced: AnnouncedStarts<NewTask>;
  readonly sentHere: SentHere;
  readonly answers: AnswerMemory;
}

type Told = "describeSent" | "previewSubmission" | "comparableSubmission";

/** The text of a preview or a comparison; undefined if it failed (and was reported). */
const tellBefore = (
  options: SubmitOptions,
  choice: Choice,
  told: Told,
  mask: Mask = plainMask,
): Promise<string | undefined> =>
  askBefore(options, choice, mask, (door, asked, signal) =>
    door[told](asked, door.submitWindow, signal),
  );

type Door = Awaited<ReturnType<SubmitOptions["loadSubmit"]>>;

/** Prepares a choice without submitting it; undefined if it failed (and was reported). */
async function askBefore<T>(
  options: SubmitOptions,
  choice: Choice,
  mask: Mask,
  work: (door: Door, asked: PreviewOptions, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { clusters, agree, log, memory, loadSubmit, loadDisk } = options;
  const [door, disk] = await Promise.all([loadSubmit(), loadDisk()]);
  const { surroundings, fetchTexts, code, jvm, packages } = disk;
  const { definition, scope } = definitionOf(choice);
  const asked: PreviewOptions = {
    place: {
      surroundings: surroundings(directoryOf(scope)),
      fetchTexts,
      collectCode: code.collect,
      jvm,
      packages: packagesPlace(packages, memory),
    },
    source: { kind: "profile", definition, written: definition },
    folder: folderOf(scope),
    report: reportOf(options, choice),
    mask,
    clusters,
    agree,
    log,
  };
  return inStatusBar(l10n.t("Asking the cluster"), (signal) => work(door, asked, signal));
}

/** The choice's manifest; "another": it has none; undefined: it failed or was cancelled. */
async function manifestOf(
  { loadSubmit, loadDisk, log }: SubmitOptions,
  choice: Choice,
): Promise<ManifestBeforeRun | "another" | undefined> {
  const [door, { surroundings }] = await Promise.all([loadSubmit(), loadDisk()]);
  const { definition, scope } = definitionOf(choice);
  const place = { folder: folderOf(scope), surroundings: surroundings(directoryOf(scope)) };
  return door.manifestBeforeRun({ definition, ...place }, log, door.submitWindow);
}

/** Opens a diff editor: the last submission, and what would be sent now. */
async function compareWithLast(
  options: Submitting,
  choice: Choice,
  documents: ReadOnlyDocuments,
): Promise<void> {
  const name = choice.kind === "profile" ? choice.task.name : titleOf(choice.definition);
  const last = lastSent(options.memory, name);
  if (last === undefined) {
    void window.showInformationMessage(
      l10n.t('Nothing to compare: "{0}" was not submitted from this workspace.', name),
    );
    return;
  }
  const manifest = await manifestOf(options, choice);
  if (manifest === undefined) return;
  const sent = options.sentHere.textOf(name);
  const mask = sent === undefined ? plainMask : options.sentHere.mask;
  const text =
    manifest === "another"
      ? await tellBefore(options, choice, "comparableSubmission", mask)
      : await textOfManifest(options, manifest, mask);
  if (text === undefined) return;
  const at = dateAndTime(last.at);
  await documents.compare(
    { path: "/last.yaml", text: sent ?? last.text },
    { path: "/now.yaml", text },
    sent === undefined
      ? l10n.t("{0}: Submitted {1} ↔ Now (Secrets Not Compared)", name, at)
      : l10n.t("{0}: Submitted {1} ↔ Now", name, at),
  );
}

async function textOfManifest(
  { loadSubmit, log }: SubmitOptions,
  manifest: ManifestBeforeRun,
  mask: Mask,
): Promise<string | undefined> {
  const door = await loadSubmit();
  return door.manifestText(manifest, log, door.submitWindow.screen, mask);
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

/** A profile of the workspace, or a definition from questions. Undefined if the user cancels. */
async function chooseDefinition(
  options: Submitting,
  file: Uri | undefined,
  asking: Asking,
): Promise<Choice | undefined> {
  const profiles = file === undefined ? await findProfiles() : [];
  if (profiles.length > 0) {
    const chosen = await pickProfile(options, profiles, asking);
    if (chosen === undefined) return undefined;
    if (chosen !== "another") return { kind: "profile", task: chosen };
  }
  const { askForProfile } = await options.loadSubmit();
  const profile = await askForProfile(options.askOptions, options.answers, { asking, file });
  return profile && { kind: "definition", definition: { type: taskType, ...profile } };
}

/**
 * A definition for a file of the workspace. If an earlier submission was accepted, its image, service account and conf
 * file are used without a question.
 */
async function defineProgram(
  options: Submitting,
  file: Uri,
  asking: Asking,
): Promise<DefinedProgram | undefined> {
  const { answers } = options;
  const known = profileOfMemory(
    file.fsPath,
    options.askOptions.targetNamespace(),
    (key) => answers.recall(key)[0],
    (image) => sparkVersionOfImage(image) !== undefined,
  );
  if (known !== undefined) {
    return { definition: { type: taskType, ...known }, accepted: () => Promise.resolve() };
  }
  const { askForProfile } = await options.loadSubmit();
  const asked = await askForProfile(options.askOptions, answers, { asking, program: file });
  return asked && { definition: { type: taskType, ...asked }, accepted: answers.submit() };
}

const isTask = (from: Task | TaskDefinition): from is Task => "definition" in from;

/** Repeats the last run; asks if there is none. */
async function submitAgain(options: Submitting): Promise<void> {
  const isRepeated = await repeat(options, lastRun(options.memory), undefined);
  if (!isRepeated) await submit(options, undefined);
}

/** Repeats a run, in the context unless it has its own. False if it no longer exists. */
async function repeat(
  options: Submitting,
  last: LastRun | undefined,
  context: string | undefined,
): Promise<boolean> {
  if (last?.kind === "definition") {
    const whole = await askSecrets(last.definition, l10n.t("Run Last Again"), secretsScreen);
    if (whole === undefined) return true;
    const definition = { ...(whole as object), type: last.definition.type };
    await runDefinition(options, inContext(definition, context));
    return true;
  }
  const task = last && (await profileNamed(last.name));
  if (task !== undefined) await runProfile(options, task, { context });
  return task !== undefined;
}

const profileNamed = async (wanted: string): Promise<Task | undefined> =>
  (await findProfiles()).find(({ name }) => name === wanted);

/** The profile or file whose runs to show: the target's, or that of the last run. Undefined (and reported) if none ran. */
async function recentTarget(
  { memory }: Submitting,
  target: TargetArgument,
): Promise<ProfileName | undefined> {
  if (isProfileName(target)) return target;
  const last = lastRun(memory);
  const task = last?.kind === "profile" ? await profileNamed(last.name) : undefined;
  if (task !== undefined) return nameOfTask(task);
  if (last?.kind === "definition") return nameOfDefinition(last.definition);
  void window.showInformationMessage(l10n.t("Nothing was submitted from this workspace."));
  return undefined;
}

const nameOfDefinition = (definition: TaskDefinition): ProfileName => ({
  kind: "profile",
  name: titleOf(definition),
  folder: folderOf(TaskScope.Workspace),
});

/** Asks for a submission and writes it to tasks.json. */
async function newProfile(options: Submitting): Promise<void> {
  const folder = await pickFolder();
  if (folder === undefined) return;
  const { askForProfile, insertProfile } = await options.loadSubmit();
  const profile = await askForProfile(options.askOptions, options.answers, {
    asking: "newProfile",
  });
  if (profile === undefined) return;
  const label = await window.showInputBox({
    title: translated(commandTitle("newProfile")),
    prompt: l10n.t("Profile name"),
    value: nameOfApplication(profile.application),
    validateInput: (text) => (text.trim() === "" ? l10n.t("Enter a name") : undefined),
  });
  if (label === undefined) return;
  await writeProfile(folder, { label, profile, inputs: [] }, insertProfile);
}

// ---- Tasks -------------------------------------------------------------------------------------

interface NewTask {
  readonly definition: TaskDefinition;
  readonly scope: Task["scope"];
  readonly name: string;
  readonly origin: LastRun;
  readonly how?: "submit" | "resubmit";
  /** The profile that the task runs, if its name differs. */
  readonly profile?: ProfileName;
  /** Removed from the definition, since VS Code stores the definitions of tasks that ran. */
  readonly held?: Pick<HeldDefinition<unknown>, "filled" | "written">;
  /** Called when the cluster has accepted the submission. */
  readonly accepted?: (() => Promise<void>) | undefined;
  readonly controlled?: ControlledRun | undefined;
}

const folderKey = (scope: Task["scope"]): string => folderOf(scope)?.toString() ?? "";

function makeTask(options: Submitting, task: NewTask): Task {
  const { definition, scope, name } = task;
  const execution = new CustomExecution((resolved) =>
    openTask(options, options.announced.take(task), resolved),
  );
  const made = runTask(definition, scope, name, "spark", execution);
  const { controlled } = task;
  return controlled?.refused === undefined
    ? made
    : reuseTerminal(made, controlled.isRepeated === true);
}

// VS Code keeps only the members that package.json declares, and no user writes this one.
const withShell = (
  resolved: TaskDefinition,
  { ["shell"]: shell }: TaskDefinition,
): TaskDefinition => (shell === undefined ? resolved : { ...resolved, shell: shell as unknown });

/** The terminal of a task. `resolved`: its definition after variable substitution. */
async function openTask(
  options: Submitting,
  { task, isRequested }: TaskStart<NewTask>,
  resolved: TaskDefinition,
): Promise<Pseudoterminal> {
  const {
    definition,
    scope,
    name,
    origin,
    how = "submit",
    held = { filled: [], written: [] },
    accepted,
    controlled,
  } = task;
  const { profile = { kind: "profile", name, folder: folderOf(scope) } } = task;
  const [{ openRun }, disk] = await Promise.all([options.loadSubmit(), options.loadDisk()]);
  const { profiles, clock, memory, log, sentHere } = options;
  const submitted = (driver: PodRecord): void => {
    options.submitted(driver);
    profiles.runs.submittedAs(name, driver);
    rememberRun(memory, driver, origin).then(undefined, log.error);
    accepted?.().catch(log.error);
  };
  const recorded = recordRun(profile, {
    history: options.history,
    definition,
    commit: () => options.commitOf(profile.folder),
    now: () => clock.now(),
    error: log.error,
  });
  return openRun({
    name,
    source: {
      kind: "profile",
      definition: putBackSecrets(withShell(resolved, definition), held.filled),
      written: putBackSecrets(definition, held.written),
    },
    resubmits: how === "resubmit",
    controlled,
    folder: profile.folder,
    mayStart: async () => {
      const may =
        isRequested ||
        (await (controlled?.request === undefined
          ? options.consent.mayStart({ name, scope }, resolved, "task")
          : // The label of a copy has the time of its start.
            options.consent.mayStart(
              { name: profile.name, scope },
              { ...resolved, label: profile.name },
              "session",
            )));
      if (!may) controlled?.refused?.(l10n.t("The run was not allowed."));
      return may;
    },
    events: {
      report: profiles.reportFor(profile),
      sent: (write) => {
        profiles.runs.submittedAs(name);
        sentHere.keep(memory, profile.name, clock.now(), write).catch(log.error);
      },
      began: recorded.began,
      ended: (outcome, exitCode, cause) => {
        profiles.runs.endedAs(name, outcome, cause);
        recorded.ended(outcome, exitCode, cause);
      },
    },
    workingDirectory: directoryOf(scope),
    services: { ...options, submitted },
    disk,
  });
}

interface ProfileStart extends Partial<LaunchedRun> {
  /** Used unless the profile has one. */
  readonly context?: string | undefined;
  /** Answered input variables. */
  readonly inputs?: ReadonlyMap<string, string> | undefined;
}

/** Runs the profile's task; a copy of it if a run is still active or the start differs from the profile. */
async function runProfile(
  options: Submitting,
  task: Task,
  { context, controlled, overrides = {}, inputs = new Map() }: ProfileStart = {},
): Promise<boolean> {
  const { name, scope } = task;
  const definition = inContext(withOverrides(task.definition, overrides), context);
  const isActive = tasks.taskExecutions.some((execution) => execution.task.name === name);
  const last = { kind: "profile", name } as const;
  const profile = nameOfTask(task);
  const before = dependenciesOf(name, profile.folder);
  // VS Code would resolve the task itself again, without the feature that controls the run.
  const isOwn = runsOwnTask({
    isChanged: definition !== task.definition || controlled !== undefined,
    isActive,
    isAnswered: inputs.size > 0,
    needsEditor: before === undefined,
  });
  if (isOwn) {
    await run(options, task, { definition, scope, name, origin: last }, last);
    return true;
  }
  // VS Code does not run the dependencies of a copy.
  if (before !== undefined && !(await runInOrder(before))) return false;
  const label = labelNow(options, name);
  options.profiles.runs.startedAs(label, name);
  const held = takeOutAnswers(taskWithoutSecrets({ ...definition, label }), inputs);
  const copy: NewTask = {
    definition: held.value,
    scope,
    name: label,
    origin: last,
    profile,
    held,
    controlled,
  };
  await runNew(options, copy, last);
  return true;
}

interface DefinitionRun extends Partial<Pick<NewTask, "accepted" | "controlled" | "scope">> {
  /** By default that of the definition. */
  readonly name?: string | undefined;
}

async function runDefinition(
  options: Submitting,
  definition: TaskDefinition,
  how: "submit" | "resubmit" = "submit",
  { accepted, controlled, scope = TaskScope.Workspace, name }: DefinitionRun = {},
): Promise<void> {
  const title = name ?? titleOf(definition);
  const label = labelNow(options, title);
  const profile = { kind: "profile", name: title, folder: folderOf(scope) } as const;
  const origin: LastRun = { kind: "definition", definition };
  const held = takeOutAnswers(taskWithoutSecrets({ ...definition, label }), new Map());
  const task: NewTask = {
    definition: held.value,
    scope,
    name: label,
    origin,
    how,
    profile,
    held,
    accepted,
    controlled,
  };
  await runNew(options, task, origin);
}

const labelNow = ({ clock }: SubmitOptions, name: string): string =>
  `${name} ${timeOfDay(clock.now(), "seconds")}`;

/** Runs a task that is not in tasks.json, or a copy of one that is. */
const runNew = (options: Submitting, task: NewTask, last: LastRun): Promise<void> =>
  run(options, makeTask(options, task), task, last);

/** Runs a task without confirmation, if the user requested the start: the workspace may have called the command. */
async function run(
  { memory, announced }: Submitting,
  task: Task,
  start: NewTask,
  last: LastRun,
): Promise<void> {
  await rememberLastRun(memory, last);
  const isRequested = start.controlled?.isRequested ?? !workspaceCallsCommands();
  announced.announce(start, isRequested);
  try {
    await tasks.executeTask(task);
  } catch (error) {
    announced.forget(start);
    throw error;
  }
}

interface ProfileItem extends QuickPickItem {
  readonly value: Task | "another";
}

async function pickProfile(
  { memory }: SubmitOptions,
  profiles: readonly Task[],
  asking: Asking,
): Promise<Task | "another" | undefined> {
  const last = lastRun(memory);
  const items: readonly ProfileItem[] = lastProfileFirst(profiles, last).map((task) => ({
    label: task.name,
    description: isLastProfile(last, task) ? l10n.t("last run") : "",
    detail: redactLine(String(task.definition["application"] ?? ""), defaultSecretRule),
    value: task,
  }));
  const another: ProfileItem = {
    label: l10n.t("Another Application…"),
    iconPath: new ThemeIcon("add"),
    // For Enter on a typed path.
    alwaysShow: true,
    value: "another",
  };
  const chosen = await window.showQuickPick([...items, another], {
    title: translated(commandTitle(asking)),
    placeHolder: l10n.t("Select a run profile"),
  });
  return chosen?.value;
}
