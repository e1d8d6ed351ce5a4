import type { DebugConfiguration, Task, TaskDefinition } from "vscode";
import { msg, type Message } from "../../base/message.ts";
import type { Application } from "../../spark/pods/application.ts";
import type { LaunchSource } from "../../spark/submit/debug/launchConfiguration.ts";
import type { CommandHandlers, TargetArgument } from "../commandArguments.ts";
import type { CommandOf } from "../commandTable.ts";
import { documentScheme, tableLanguage, taskType } from "../ids.ts";
import { isProfileName } from "../profiles/profileName.ts";
import type { AskingCommand } from "./askingTitle.ts";
import type { SettingsStart } from "./chooseSettings.ts";
import type { DebuggedRun } from "./controlledRun.ts";
import { knownRun, lastRun } from "./knownRuns.ts";
import type { ProgramAnswers } from "./programDefinition.ts";
import type { ProgramOptions, Programs } from "./programs.ts";
import type { Manifests } from "./registerManifests.ts";
import { profileNamed, repeat, runDefinition, runProfile, type EditMembers } from "./startTask.ts";
import { fileOf, type SubmissionChoice } from "./runDefinition.ts";
import {
  chooseDefinition,
  chooseTarget,
  newProfile,
  recentTarget,
  submitChoice,
} from "./submissionChoice.ts";
import type { Submitting } from "./submitting.ts";

/** The commands that submit, for `registerSubmit` and other features. */
export interface SubmitCommands {
  readonly handlers: CommandHandlers<
    Exclude<CommandOf<"submit">, keyof (Manifests & Programs)["handlers"] | ElsewhereServed>
  >;
  /** Runs a definition that is not in tasks.json. `name`: the name of the run; by default the definition's name. */
  readonly run: (definition: TaskDefinition, name?: string) => Promise<void>;
  /**
   * Runs an application for a debug session. False if the program or profile is not found, if the user cancels, or if a
   * task that a profile chosen by name depends on fails.
   */
  readonly debug: (source: LaunchSource, debugged: DebuggedRun) => Promise<boolean>;
  /**
   * True if the workspace's tasks and launch configurations could not have started the debug session, so that the user
   * requested it.
   */
  readonly isRequestedSession: (configuration: DebugConfiguration) => boolean;
  /** True if this workspace submitted the application. */
  readonly wasSubmittedHere: (application: Application) => boolean;
  /**
   * True if `resubmit` can repeat the application's submission: this workspace submitted it, and its profile, if it has
   * one, still exists.
   */
  readonly canResubmit: (application: Application) => Promise<boolean>;
  /**
   * Repeats the application's submission. False if `canResubmit` is false, or if `edit` returns undefined. `context`:
   * used unless the definition has one. `edit`: changes a submission without a profile.
   */
  readonly resubmit: (
    application: Application,
    context: string | undefined,
    edit?: EditMembers,
  ) => Promise<boolean>;
}

type ElsewhereServed = "convert" | "submitPasted" | "runOnSave" | "stopRunOnSave";

/** Returns the functions that the program commands use to define, run and show a program. */
export const programOptions = (options: Submitting): ProgramOptions => ({
  screen: options.screen,
  runProfile: (task, launched) => runProfile(options, task, launched),
  run: (definition, accepted, controlled) =>
    runDefinition(options, definition, "submit", { accepted, controlled }),
  define: async (file, asking) => {
    const door = await options.loadSubmit();
    return door.definitionOfFile(programAnswers(options, door), file, asking);
  },
  showSent: async (from) => {
    const choice: SubmissionChoice = isTask(from)
      ? { kind: "profile", task: from }
      : { kind: "definition", definition: from };
    const { runPreviewText } = await options.loadSubmit();
    const text = await runPreviewText(options, choice, "describeSent");
    if (text !== undefined) await options.documents.show("/sent.txt", text, tableLanguage);
  },
});

const programAnswers = (
  { answers, askOptions, memory, screen }: Submitting,
  { askForProfile }: Awaited<ReturnType<Submitting["loadSubmit"]>>,
): ProgramAnswers => ({
  ...{ answers, memory, screen },
  namespaces: askOptions.namespaces,
  ask: (asked) => askForProfile(askOptions, answers, asked),
});

const noSuchProfile = (name: string): Message => msg`There is no run profile "${name}".`;

const isTask = (from: Task | TaskDefinition): from is Task => "definition" in from;

export function submitCommands(
  options: Submitting,
  manifests: Omit<Manifests, "handlers" | "dispose">,
  programs: Pick<Programs, "fileFor" | "runFile" | "isOwnSession">,
): SubmitCommands {
  const { documents, host, memory, screen } = options;
  let previewed: SubmissionChoice | undefined;
  const showPreview = async (choice: SubmissionChoice): Promise<void> => {
    const { runPreviewText } = await options.loadSubmit();
    const text = await runPreviewText(options, choice, "previewSubmission");
    if (text !== undefined) await documents.show("/preview.yaml", text);
  };
  const preview = async (from: TargetArgument): Promise<void> => {
    previewed = (await chooseTarget(options, from, "preview")) ?? previewed;
    if (previewed === undefined) return;
    const { manifestOf } = await options.loadSubmit();
    const manifest = await manifestOf(options, previewed);
    if (manifest === undefined) return;
    if (manifest !== "another") return manifests.previewChosen(manifest);
    await showPreview(previewed);
  };
  const check = async (from: TargetArgument): Promise<void> => {
    const choice = await chooseTarget(options, from, "check");
    if (choice === undefined) return;
    const { checkChoice, manifestOf } = await options.loadSubmit();
    const manifest = await manifestOf(options, choice);
    if (manifest === undefined) return;
    const submitWith = (answers: ReadonlyMap<string, string>): Promise<void> =>
      submitChoice(options, choice, answers);
    if (manifest === "another") return checkChoice(options, choice, submitWith);
    await manifests.checkChosen(manifest, () => submitWith(manifest.answers));
  };
  const submit = async (from: TargetArgument, asking: AskingCommand = "submit"): Promise<void> => {
    const choice = await chooseDefinition(options, fileOf(from), asking);
    if (choice !== undefined) await submitChoice(options, choice);
  };
  const settingsStart: SettingsStart = {
    lastImage: () => options.answers.accepted("image")[0],
    define: async (asking) => {
      const door = await options.loadSubmit();
      return door.newDefinition(programAnswers(options, door), options.sessionProgram, asking);
    },
    run: (definition, how) => runDefinition(options, definition, "submit", how),
    preview: (definition) => {
      previewed = { kind: "definition", definition };
      return showPreview(previewed);
    },
  };
  return {
    handlers: {
      submit: async (file) => {
        if (!(await manifests.submit(file))) await submit(file);
      },
      runFileWith: async (target) => {
        const file = programs.fileFor(target);
        if (file === undefined) return;
        await host.saveAll();
        await submit(file, "runFile");
      },
      recentRuns: async (target) => {
        const profile = await recentTarget(options, target);
        if (profile === undefined) return;
        const { showRecentRuns, submitWindow } = await options.loadSubmit();
        await showRecentRuns(profile, options, submitWindow.screen);
      },
      submitAgain: async () => {
        await host.saveAll();
        const isRepeated = await repeat(options, lastRun(memory), { title: msg("Run Last Again") });
        if (!isRepeated) await submit(undefined);
      },
      startSession: async () => {
        const { startSession, submitWindow } = await options.loadSubmit();
        await startSession({ program: options.sessionProgram, ...settingsStart }, submitWindow);
      },
      openShell: async (target) => {
        const profile = isProfileName(target) ? await host.findProfile(target) : undefined;
        if (profile === undefined && isProfileName(target)) {
          void screen.showErrorMessage(noSuchProfile(target.name));
          return;
        }
        const { startShell, submitWindow } = await options.loadSubmit();
        await startShell(settingsStart, profile, submitWindow);
      },
      newProfile: () => newProfile(options),
      preview: async (file) => {
        if (!(await manifests.preview(file))) await preview(file);
      },
      previewProfile: preview,
      check: async (file) => {
        if (!(await manifests.check(file))) await check(file);
      },
      checkProfile: check,
      compareSubmission: async (from) => {
        // The button in a preview passes the URI of its document, so use the previewed choice.
        const isPreview = fileOf(from)?.scheme === documentScheme;
        const choice = isPreview ? previewed : await chooseTarget(options, from, "compare");
        if (choice === undefined) return;
        const { compareWithLast } = await options.loadSubmit();
        await compareWithLast(options, choice);
      },
      runProfile: async (from) => {
        const task = from && (await host.findProfile(from));
        if (task !== undefined) await runProfile(options, task, { context: from?.context });
        else if (from !== undefined) void screen.showErrorMessage(noSuchProfile(from.name));
      },
    },
    run: (definition, name) => runDefinition(options, definition, "submit", { name }),
    debug: async (source, debugged) => {
      if (source.kind === "definition") {
        await host.saveAll();
        const definition = { ...source.members, type: taskType };
        await runDefinition(options, definition, "submit", { controlled: debugged });
        return true;
      }
      const launched = { controlled: debugged, overrides: source.overrides };
      if (source.kind === "file") return programs.runFile(host.file(source.path), launched);
      await host.saveAll();
      const task = await profileNamed(host.savedProfiles, source.name);
      if (task === undefined) {
        void screen.showErrorMessage(noSuchProfile(source.name));
        return false;
      }
      return runProfile(options, task, launched);
    },
    isRequestedSession: (configuration) =>
      programs.isOwnSession(configuration)
        ? !host.workspaceCallsCommands()
        : !host.workspaceStartsSessions(),
    wasSubmittedHere: (application) => knownRun(memory, application) !== undefined,
    canResubmit: async (application) => {
      const known = knownRun(memory, application);
      return known?.kind === "profile"
        ? (await profileNamed(host.findProfiles, known.name)) !== undefined
        : known !== undefined;
    },
    resubmit: (application, context, edit) =>
      repeat(options, knownRun(memory, application), {
        title: msg("Restart Application"),
        context,
        edit,
      }),
  };
}
