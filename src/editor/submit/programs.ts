import type { DebugConfiguration, Task, TaskDefinition, TextDocument, Uri } from "vscode";
import { msg } from "../../base/message.ts";
import { sessionLine } from "../../spark/submit/code/sessionLine.ts";
import { withOverrides } from "../../spark/submit/debug/launchOverrides.ts";
import { jvmLanguageOf, sparkMainIn } from "../../spark/submit/jvm/mainClass.ts";
import type { CommandHandlers, TargetArgument } from "../commandArguments.ts";
import { commands, debugType } from "../ids.ts";
import { isProfileName, nameOfTask, type ProfileName } from "../profiles/profileName.ts";
import { commandTitle, type AskingCommand } from "./askingTitle.ts";
import type { ControlledRun, LaunchedRun } from "./controlledRun.ts";
import { fileOf, type DefinedProgram } from "./runDefinition.ts";
import type { SubmitScreen, TaskHost } from "./taskPorts.ts";

export interface ProgramOptions {
  readonly screen: SubmitScreen;
  /** Runs a profile. False if a task that the profile depends on failed. */
  readonly runProfile: (task: Task, launched?: LaunchedRun) => Promise<boolean>;
  /** `accepted` is called when the cluster has accepted the submission. */
  readonly run: (
    definition: TaskDefinition,
    accepted: () => Promise<void>,
    controlled?: ControlledRun,
  ) => Promise<void>;
  /**
   * Returns a definition for a file: of its last run, from previous answers, or from prompts if there are none.
   * Undefined if the user cancels. `accepted` of the result stores it for the next run.
   */
  readonly define: (file: Uri, asking: AskingCommand) => Promise<DefinedProgram | undefined>;
  readonly showSent: (choice: Task | TaskDefinition) => Promise<void>;
}

/** The parts of VS Code that the program commands use. */
export interface ProgramHost extends Pick<
  TaskHost,
  "findProfile" | "savedProfiles" | "folderOf" | "saveAll"
> {
  readonly activeFile: () => Uri | undefined;
  /** Returns the absolute path of a path relative to a folder. */
  readonly pathIn: (folder: Uri, path: string) => string;
  /** Starts a debug session in the workspace folder of a file. */
  readonly debug: (file: Uri | undefined, configuration: DebugConfiguration) => Promise<void>;
}

/** The commands that run programs in the workspace on the cluster. */
export interface Programs {
  readonly handlers: CommandHandlers<"runFile" | "debugFile" | "showSent">;
  /**
   * Runs a file's profile or its last definition. False if the target is no program, its profile does not exist, or the
   * user cancels.
   */
  readonly runFile: (target: TargetArgument, launched?: LaunchedRun) => Promise<boolean>;
  /** Prepares a file's profile or its last definition. Undefined if there is nothing to run, or the user cancels. */
  readonly prepare: (
    target: TargetArgument,
    asking: AskingCommand,
  ) => Promise<PreparedProgram | undefined>;
  /**
   * Returns the file of the target, or else of the active editor. Undefined (and reported) if it is no Python, Scala or
   * Java file and no jar.
   */
  readonly fileFor: (target: TargetArgument) => Uri | undefined;
  /** True if Debug on Cluster started the session. */
  readonly isOwnSession: (configuration: DebugConfiguration) => boolean;
}

/** A program that can run several times without another prompt. */
export interface PreparedProgram {
  readonly name: string;
  /** Undefined for a file without a profile. */
  readonly profile: ProfileName | undefined;
  /** The definition before variable substitution. */
  readonly definition: TaskDefinition;
  /** Runs the program, or the current version of its profile, with the files on disk. */
  readonly run: (launched?: LaunchedRun) => Promise<"started" | "notStarted" | "unknownProfile">;
}

export function programCommands(options: ProgramOptions, host: ProgramHost): Programs {
  const { screen } = options;
  // Identifies sessions that this extension starts, because VS Code does not report who starts one. A workspace cannot
  // guess this random text.
  const ownSessions = globalThis.crypto.randomUUID();
  const prepare: Programs["prepare"] = async (target, asking) => {
    const program = await programOf(target, screen, host);
    if (program === undefined) return undefined;
    if (program.kind === "profile") return preparedProfile(program.task, options, host);
    const { uri } = program;
    const defined = await options.define(uri, asking);
    return defined && preparedFile(uri, defined, options);
  };
  const runFile: Programs["runFile"] = async (target, launched) => {
    const program = await prepare(target, launched === undefined ? "runFile" : "debugFile");
    if (program === undefined) return false;
    await host.saveAll();
    return (await program.run(launched)) !== "unknownProfile";
  };
  return {
    runFile,
    prepare,
    fileFor: (target) => fileFor(target, screen, host),
    isOwnSession: (configuration) => configuration[startedByMember] === ownSessions,
    handlers: {
      runFile: async (target) => {
        await runFile(target);
      },
      debugFile: async (target) => {
        const program = await programOf(target, screen, host);
        if (program === undefined) return;
        const isFile = program.kind === "file";
        await host.debug(isFile ? program.uri : host.folderOf(program.task.scope), {
          type: debugType,
          request: "launch",
          name: screen.translated(commandTitle("debugFile")),
          ...(isFile ? { program: program.uri.fsPath } : { profile: program.task.name }),
          target: "driver",
          [startedByMember]: ownSessions,
        });
      },
      showSent: async (target) => {
        const program = await programOf(target, screen, host);
        if (program === undefined) return;
        if (program.kind === "profile") return options.showSent(program.task);
        const defined = await options.define(program.uri, "showSent");
        if (defined !== undefined) await options.showSent(defined.definition);
      },
    },
  };
}

// The name cannot collide with a member of the debug type: no member in its schema starts with "__".
const startedByMember = "__sparkStartedBy";

type ProgramText = Pick<TextDocument, "languageId" | "getText" | "uri">;

export const isProgram = (document: ProgramText): boolean =>
  document.uri.scheme === "file" && programLine(document) !== undefined;

/** Returns the line, from 0, of a program's session or main method; undefined if the program has neither. */
export function programLine(document: ProgramText): number | undefined {
  // Use the file's suffix, because VS Code does not know Scala without an extension.
  const language = jvmLanguageOf(document.uri.path);
  if (language !== undefined) return sparkMainIn(document.getText(), language)?.line;
  return document.languageId === "python" ? sessionLine(document.getText()) : undefined;
}

/** Returns the CodeLens commands of a program, each with the key of its title. */
export const programLenses = ({ languageId }: ProgramText): readonly ProgramLens[] => [
  { asking: "runFile", command: commands.runFile },
  ...(languageId === "python"
    ? [{ asking: "runOnSave", command: commands.runOnSave } as const]
    : []),
  { asking: "debugFile", command: commands.debugFile },
  { asking: "showSent", command: commands.showSent },
];

interface ProgramLens {
  readonly asking: AskingCommand;
  readonly command: string;
}

type Program =
  { readonly kind: "profile"; readonly task: Task } | { readonly kind: "file"; readonly uri: Uri };

/**
 * Returns the target's profile, else the profile of its file, else the file. Undefined if the named profile does not
 * exist, or (reported) if the file is no program.
 */
async function programOf(
  target: TargetArgument,
  screen: SubmitScreen,
  host: ProgramHost,
): Promise<Program | undefined> {
  if (isProfileName(target)) {
    const named = await host.findProfile(target);
    return named && { kind: "profile", task: named };
  }
  const uri = fileFor(target, screen, host);
  if (uri === undefined) return undefined;
  const task = (await host.savedProfiles()).find((profile) => runsFile(profile, uri, host));
  return task === undefined ? { kind: "file", uri } : { kind: "profile", task };
}

function fileFor(
  target: TargetArgument,
  screen: SubmitScreen,
  { activeFile }: Pick<ProgramHost, "activeFile">,
): Uri | undefined {
  const uri = fileOf(target) ?? activeFile();
  if (uri?.scheme === "file" && /\.(?:py|jar|scala|java)$/i.test(uri.path)) return uri;
  void screen.showInformationMessage(
    msg("Open a Python, Scala or Java file to run it on the cluster."),
  );
  return undefined;
}

function preparedProfile(
  task: Task,
  { runProfile }: ProgramOptions,
  host: ProgramHost,
): PreparedProgram {
  const profile = nameOfTask(task, host.folderOf);
  return {
    name: task.name,
    profile,
    definition: task.definition,
    run: async (launched) => {
      const now = await host.findProfile(profile);
      if (now === undefined) return "unknownProfile";
      return (await runProfile(now, launched)) ? "started" : "notStarted";
    },
  };
}

function preparedFile(
  uri: Uri,
  { definition, accepted }: DefinedProgram,
  { run }: ProgramOptions,
): PreparedProgram {
  return {
    name: uri.path.slice(uri.path.lastIndexOf("/") + 1),
    profile: undefined,
    definition,
    run: async (launched) => {
      const changed = withOverrides(definition, launched?.overrides ?? {});
      await run(changed, accepted, launched?.controlled);
      return "started";
    },
  };
}

/**
 * True if a profile's application is the file. Replaces only `${workspaceFolder}`, because the profile's variables are
 * not resolved yet.
 */
function runsFile(
  { definition, scope }: Task,
  uri: Uri,
  { folderOf, pathIn }: ProgramHost,
): boolean {
  const application: unknown = definition["application"];
  const folder = folderOf(scope);
  if (typeof application !== "string" || folder === undefined) return false;
  const path = application.replace(/\$\{workspaceFolder(?::[^}]*)?\}/, folder.fsPath);
  return path === uri.fsPath || pathIn(folder, path) === uri.fsPath;
}
