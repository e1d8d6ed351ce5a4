import {
  CodeLens,
  l10n,
  Range,
  Uri,
  workspace,
  type DebugConfiguration,
  type Memento,
  type Task,
  type TaskDefinition,
  type TextDocument,
} from "vscode";
import { DisposableStore, type Disposable } from "../../base/disposable.ts";
import { sessionLine } from "../../spark/submit/code/sessionLine.ts";
import { jvmLanguageOf, sparkMainIn } from "../../spark/submit/jvm/mainClass.ts";
import { withOverrides } from "../../spark/submit/debug/launchOverrides.ts";
import type { CommandHandlers, TargetArgument } from "../commandArguments.ts";
import { commands, debugType, programsKey } from "../ids.ts";
import { findProfile, findProfiles, folderOf, nameOfTask } from "../profiles/profileTasks.ts";
import { isProfileName, type ProfileName } from "../profiles/profileName.ts";
import { languages } from "../ui/languages.ts";
import { debugging } from "../ui/debugging.ts";
import { window } from "../ui/window.ts";
import { translated } from "../ui/translated.ts";
import { commandTitle, type Asking } from "./askingTitle.ts";
import { askSecrets } from "./askSecrets.ts";
import { secretsScreen } from "./secretsScreen.ts";
import type { ControlledRun, LaunchedRun } from "./controlledRun.ts";
import { fileRun, rememberFileRun } from "./fileRuns.ts";
import { notePaths } from "./notePaths.ts";

export interface ProgramOptions {
  readonly memory: Memento;
  /** False if a task that it depends on failed. */
  readonly runProfile: (task: Task, launched?: LaunchedRun) => Promise<boolean>;
  /** `accepted` is called when the cluster has accepted the submission. */
  readonly run: (
    definition: TaskDefinition,
    accepted: () => Promise<void>,
    controlled?: ControlledRun,
  ) => Promise<void>;
  /**
   * A definition for a file: from previous answers, or from questions if there are none. Undefined if the user cancels.
   */
  readonly define: (file: Uri, asking: Asking) => Promise<DefinedProgram | undefined>;
  readonly showSent: (choice: Task | TaskDefinition) => Promise<void>;
}

export interface DefinedProgram {
  readonly definition: TaskDefinition;
  readonly accepted: () => Promise<void>;
}

export interface Programs extends Disposable {
  readonly handlers: CommandHandlers<"runFile" | "debugFile" | "showSent">;
  /** Runs a file's profile or its last definition. False if there is nothing to run, or the user cancels. */
  readonly runFile: (target: TargetArgument, launched?: LaunchedRun) => Promise<boolean>;
  /** A file's profile or its last definition. Undefined if there is nothing to run, or the user cancels. */
  readonly prepare: (
    target: TargetArgument,
    asking: Asking,
  ) => Promise<PreparedProgram | undefined>;
  /** True if Debug on Cluster started the session. */
  readonly isOwnSession: (configuration: DebugConfiguration) => boolean;
}

/** A program that can run several times without another question. */
export interface PreparedProgram {
  readonly name: string;
  /** Undefined for a file without a profile. */
  readonly profile: ProfileName | undefined;
  /** Before variable substitution. */
  readonly definition: TaskDefinition;
  /** Runs the program, or the current version of its profile, with the files on disk. */
  readonly run: (launched?: LaunchedRun) => Promise<"started" | "notStarted" | "unknownProfile">;
}

/** Runs Python programs of the workspace on the cluster: their commands, CodeLens and context key. */
export function registerPrograms(options: ProgramOptions): Programs {
  const owned = new DisposableStore();
  // VS Code does not report who starts a session. No workspace knows this text.
  const ownSessions = globalThis.crypto.randomUUID();
  owned.add(notePaths(programsKey, isProgram));
  owned.add(
    languages.registerCodeLensProvider(
      [
        { language: "python", scheme: "file" },
        { pattern: "**/*.{scala,java}", scheme: "file" },
      ],
      { provideCodeLenses: lensesOf },
    ),
  );
  const prepare: Programs["prepare"] = async (target, asking) => {
    const program = await programOf(target);
    if (program === undefined) return undefined;
    if (program.kind === "profile") return preparedProfile(program.task, options);
    const { uri } = program;
    const defined = await definitionOf(uri, asking, options);
    return defined && preparedFile(uri, defined, options);
  };
  const runFile: Programs["runFile"] = async (target, launched) => {
    const program = await prepare(target, launched === undefined ? "runFile" : "debugFile");
    if (program === undefined) return false;
    await workspace.saveAll(false);
    return (await program.run(launched)) !== "unknownProfile";
  };
  return {
    runFile,
    prepare,
    isOwnSession: (configuration) => configuration[startedByMember] === ownSessions,
    handlers: {
      runFile: async (target) => {
        await runFile(target);
      },
      debugFile: async (target) => {
        const program = await programOf(target);
        if (program === undefined) return;
        const isFile = program.kind === "file";
        const folder = isFile ? program.uri : folderOf(program.task.scope);
        await debugging.start(folder && workspace.getWorkspaceFolder(folder), {
          type: debugType,
          request: "launch",
          name: l10n.t("Debug on Cluster"),
          ...(isFile ? { program: program.uri.fsPath } : { profile: program.task.name }),
          target: "driver",
          [startedByMember]: ownSessions,
        });
      },
      showSent: async (target) => {
        const program = await programOf(target);
        if (program === undefined) return;
        if (program.kind === "profile") return options.showSent(program.task);
        const defined = await definitionOf(program.uri, "showSent", options);
        if (defined !== undefined) await options.showSent(defined.definition);
      },
    },
    dispose: () => {
      owned.dispose();
    },
  };
}

// The type's schema has no members that start with "__".
const startedByMember = "__sparkStartedBy";

const isProgram = (document: TextDocument): boolean =>
  document.uri.scheme === "file" && programLine(document) !== undefined;

/** The line of a program at which it can be run: that of its session, or of its main method. */
function programLine(document: TextDocument): number | undefined {
  // The language of a Scala file is unknown without an extension for Scala.
  const language = jvmLanguageOf(document.uri.path);
  if (language !== undefined) return sparkMainIn(document.getText(), language)?.line;
  return document.languageId === "python" ? sessionLine(document.getText()) : undefined;
}

function lensesOf(document: TextDocument): CodeLens[] {
  if (!workspace.isTrusted) return [];
  const line = programLine(document);
  if (line === undefined) return [];
  const isPython = document.languageId === "python";
  const range = new Range(line, 0, line, 0);
  return [
    new CodeLens(range, {
      title: l10n.t("Run on Cluster"),
      command: commands.runFile,
      arguments: [document.uri],
    }),
    ...(isPython ? [runOnSaveLens(range, document)] : []),
    new CodeLens(range, {
      title: l10n.t("Debug on Cluster"),
      command: commands.debugFile,
      arguments: [document.uri],
    }),
    new CodeLens(range, {
      title: l10n.t("Show What Is Sent"),
      command: commands.showSent,
      arguments: [document.uri],
    }),
  ];
}

const runOnSaveLens = (range: Range, { uri }: TextDocument): CodeLens =>
  new CodeLens(range, {
    title: l10n.t("Run on Save"),
    command: commands.runOnSave,
    arguments: [uri],
  });

type Program =
  { readonly kind: "profile"; readonly task: Task } | { readonly kind: "file"; readonly uri: Uri };

/** The target's profile, or the profile of its file, or the file. Undefined (and reported) if it is neither. */
async function programOf(target: TargetArgument): Promise<Program | undefined> {
  if (isProfileName(target)) {
    const named = await findProfile(target);
    return named && { kind: "profile", task: named };
  }
  const uri = target instanceof Uri ? target : window.activeTextEditor?.document.uri;
  if (uri?.scheme !== "file" || !/\.(?:py|jar|scala|java)$/i.test(uri.path)) {
    void window.showInformationMessage(
      l10n.t("Open a Python, Scala or Java file to run it on the cluster."),
    );
    return undefined;
  }
  const task = (await findProfiles()).find((profile) => runsFile(profile, uri));
  return task === undefined ? { kind: "file", uri } : { kind: "profile", task };
}

function preparedProfile(task: Task, { runProfile }: ProgramOptions): PreparedProgram {
  const profile = nameOfTask(task);
  return {
    name: task.name,
    profile,
    definition: task.definition,
    run: async (launched) => {
      const now = await findProfile(profile);
      if (now === undefined) return "unknownProfile";
      return (await runProfile(now, launched)) ? "started" : "notStarted";
    },
  };
}

function preparedFile(
  uri: Uri,
  { definition, accepted }: DefinedProgram,
  { run, memory }: ProgramOptions,
): PreparedProgram {
  const remember = async (): Promise<void> => {
    await accepted();
    await rememberFileRun(memory, uri.fsPath, definition);
  };
  return {
    name: uri.path.slice(uri.path.lastIndexOf("/") + 1),
    profile: undefined,
    definition,
    run: async (launched) => {
      const changed = withOverrides(definition, launched?.overrides ?? {});
      await run(changed, remember, launched?.controlled);
      return "started";
    },
  };
}

/** True if a profile's application is the file. VS Code has not resolved its variables yet. */
function runsFile({ definition, scope }: Task, uri: Uri): boolean {
  const application: unknown = definition["application"];
  const folder = folderOf(scope);
  if (typeof application !== "string" || folder === undefined) return false;
  const path = application.replace(/\$\{workspaceFolder(?::[^}]*)?\}/, folder.fsPath);
  return path === uri.fsPath || Uri.joinPath(folder, path).fsPath === uri.fsPath;
}

/** The definition of the file's last run, else a new one. */
async function definitionOf(
  uri: Uri,
  asking: Asking,
  options: ProgramOptions,
): Promise<DefinedProgram | undefined> {
  const last = fileRun(options.memory, uri.fsPath);
  if (last === undefined) return options.define(uri, asking);
  const whole = await askSecrets(last, translated(commandTitle(asking)), secretsScreen);
  if (whole === undefined) return undefined;
  const definition = { ...(whole as object), type: last.type };
  return { definition, accepted: () => Promise.resolve() };
}
