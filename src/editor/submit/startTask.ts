import type { Pseudoterminal, Task, TaskDefinition } from "vscode";
import { msg, type Message } from "../../base/message.ts";
import { withOverrides } from "../../spark/submit/debug/launchOverrides.ts";
import type { PodRecord } from "../../spark/pods/podRecord.ts";
import { takeOutAnswers } from "../../spark/submit/profile/heldAnswers.ts";
import { putBackSecrets } from "../../spark/submit/profile/heldSecrets.ts";
import { nameOfTask } from "../profiles/profileName.ts";
import type { TaskStart } from "./announcedStarts.ts";
import { askSecrets } from "./askSecrets.ts";
import type { LaunchedRun } from "./controlledRun.ts";
import { rememberLastRun, rememberRun, taskWithoutSecrets, type LastRun } from "./knownRuns.ts";
import { recordRun } from "./recordRun.ts";
import { inContext, labelAt, runsOwnTask, titleOf } from "./runDefinition.ts";
import type { Submitting } from "./submitting.ts";
import type { NewTask, TaskHost } from "./taskPorts.ts";

/** Makes a task of this extension, with its terminal. */
export function makeTask(options: Submitting, task: NewTask): Task {
  const { host, announced } = options;
  const { controlled } = task;
  const made = host.newTask(task, (resolved) => openTask(options, announced.take(task), resolved));
  return controlled?.refused === undefined
    ? made
    : host.reuseTerminal(made, controlled.isRepeated === true);
}

// VS Code keeps only the members that package.json declares. `shell` is not declared, so it is added again here.
const withShell = (
  resolved: TaskDefinition,
  { ["shell"]: shell }: TaskDefinition,
): TaskDefinition => (shell === undefined ? resolved : { ...resolved, shell: shell as unknown });

/** Returns the terminal of a task. `resolved`: its definition after variable substitution. */
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
  const { profiles, clock, memory, log, sentHere, consent, host, screen } = options;
  const { profile = { kind: "profile", name, folder: host.folderOf(scope) } } = task;
  const [{ openRun }, disk] = await Promise.all([options.loadSubmit(), options.loadDisk()]);
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
          ? consent.mayStart({ name, scope }, resolved, "task")
          : // Ask with the profile's name, because the label of a copy contains its start time.
            consent.mayStart(
              { name: profile.name, scope },
              { ...resolved, label: profile.name, startedAs: undefined },
              "session",
            )));
      if (!may) controlled?.refused?.(screen.translated(msg("The run was not allowed.")));
      return may;
    },
    events: {
      report: profiles.reportFor(profile),
      sent: (write) => {
        profiles.runs.submittedAs(name);
        sentHere.keep(memory, profile.name, clock.now(), write).catch(log.error);
      },
      began: recorded.began,
      ended: (outcome, exitCode, facts) => {
        profiles.runs.endedAs(name, outcome, facts?.cause);
        recorded.ended(outcome, exitCode, facts);
      },
    },
    workingDirectory: host.directoryOf(scope),
    services: { ...options, submitted },
    disk,
  });
}

interface ProfileStart extends Partial<LaunchedRun> {
  /** The context of the run, unless the profile has one. */
  readonly context?: string | undefined;
  /** The user's answers to input variables, by variable. */
  readonly inputs?: ReadonlyMap<string, string> | undefined;
}

/**
 * Runs the profile's task, or a copy if a run is still active or the start differs from the profile. False if a task
 * that the profile depends on failed.
 */
export async function runProfile(
  options: Submitting,
  task: Task,
  { context, controlled, overrides = {}, inputs = new Map() }: ProfileStart = {},
): Promise<boolean> {
  const { host } = options;
  const { name, scope } = task;
  const definition = inContext(withOverrides(task.definition, overrides), context);
  const last = { kind: "profile", name } as const;
  const profile = nameOfTask(task, host.folderOf);
  const before = host.dependenciesOf(name, profile.folder);
  // A controlled run needs a copy, because VS Code would resolve the profile's task without its controller.
  const isOwn = runsOwnTask({
    isChanged: definition !== task.definition || controlled !== undefined,
    isActive: host.isActive(name),
    isAnswered: inputs.size > 0,
    needsEditor: before === undefined,
  });
  if (isOwn) {
    await run(options, task, { definition, scope, name, origin: last }, last);
    return true;
  }
  // Run the dependencies here, because VS Code does not run them for a copy.
  if (before !== undefined && !(await host.runInOrder(before))) return false;
  const label = labelAt(name, options.clock.now());
  options.profiles.runs.startedAs(label, name);
  const held = takeOutAnswers(taskWithoutSecrets(distinct(host, label, definition)), inputs);
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
  /** The name of the run; by default derived from the definition by `titleOf`. */
  readonly name?: string | undefined;
}

export async function runDefinition(
  options: Submitting,
  definition: TaskDefinition,
  how: "submit" | "resubmit" = "submit",
  { accepted, controlled, scope = options.host.workspaceScope, name }: DefinitionRun = {},
): Promise<void> {
  const title = name ?? titleOf(definition);
  const label = labelAt(title, options.clock.now());
  const profile = { kind: "profile", name: title, folder: options.host.folderOf(scope) } as const;
  const origin: LastRun = { kind: "definition", definition };
  const whole = distinct(options.host, label, definition);
  const held = takeOutAnswers(taskWithoutSecrets(whole), new Map());
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

/**
 * Returns the definition of a run with its label. VS Code identifies a task by the members that package.json declares,
 * which exclude the label. VS Code reuses the terminal of an ended task with the same members. For an active one, it
 * asks whether to terminate it; `startedAs` makes the run distinct then.
 */
const distinct = (
  host: Pick<TaskHost, "isApplicationActive">,
  label: string,
  definition: TaskDefinition,
): TaskDefinition => ({
  ...definition,
  label,
  ...(host.isApplicationActive(definition["application"]) && { startedAs: label }),
});

/** Runs a task that tasks.json does not contain, such as a copy of a profile's task. */
const runNew = (options: Submitting, task: NewTask, last: LastRun): Promise<void> =>
  run(options, makeTask(options, task), task, last);

/**
 * Stores the task as the last run, registers its start with `AnnouncedStarts`, and executes it. If the workspace calls
 * commands of this extension, registers the start as not requested, so that the user must confirm it.
 */
async function run(
  { memory, announced, host }: Submitting,
  task: Task,
  start: NewTask,
  last: LastRun,
): Promise<void> {
  await rememberLastRun(memory, last);
  const isRequested = start.controlled?.isRequested ?? !host.workspaceCallsCommands();
  announced.announce(start, isRequested);
  try {
    await host.execute(task);
  } catch (error) {
    announced.forget(start);
    throw error;
  }
}

/**
 * Changes the members of a definition that is not in tasks.json. Returns undefined if a change cannot be expressed in
 * the definition.
 */
export type EditMembers = (
  members: Readonly<Record<string, unknown>>,
) => Readonly<Record<string, unknown>> | undefined;

interface RepeatStart {
  /** The title of the command's prompts. */
  readonly title: Message;
  readonly context?: string | undefined;
  readonly edit?: EditMembers | undefined;
}

/**
 * Repeats a run, in `context` unless the run has its own. False without a run, if its profile does not exist, or if the
 * edit cannot be written. True if the user cancels.
 */
export async function repeat(
  options: Submitting,
  last: LastRun | undefined,
  { title, context, edit = (members) => members }: RepeatStart,
): Promise<boolean> {
  if (last?.kind === "definition") {
    const { screen } = options;
    const whole = await askSecrets(last.definition, screen.translated(title), screen);
    if (whole === undefined) return true;
    const members = edit({ ...(whole as object) });
    if (members === undefined) return false;
    const definition = { ...members, type: last.definition.type };
    await runDefinition(options, inContext(definition, context));
    return true;
  }
  const task = last && (await profileNamed(options.host.savedProfiles, last.name));
  if (task !== undefined) await runProfile(options, task, { context });
  return task !== undefined;
}

export async function profileNamed(
  findProfiles: TaskHost["findProfiles"],
  wanted: string,
): Promise<Task | undefined> {
  return (await findProfiles()).find(({ name }) => name === wanted);
}
