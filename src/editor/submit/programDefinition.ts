// The definitions of programs that are run without a run profile.
import type { Memento, TaskDefinition, Uri } from "vscode";
import { textOf } from "../../base/json.ts";
import { msg } from "../../base/message.ts";
import { fileName } from "../../spark/fileName.ts";
import type { AnswerMemory } from "./answerMemory.ts";
import { askSecrets } from "./askSecrets.ts";
import { commandTitle, type AskingCommand } from "./askingTitle.ts";
import { fileRun, rememberFileRun } from "./fileRuns.ts";
import type { DefinedProgram } from "./runDefinition.ts";
import { namesLocalFile, profileOfMemory } from "./submissionAnswers.ts";
import type { SubmitScreen } from "./taskPorts.ts";
import type { RunProfile } from "../../spark/submit/profile/runProfile.ts";
import { taskType } from "../ids.ts";
import { sparkVersionOfImage } from "../../spark/submit/conf/sparkVersion.ts";

/** The sources for the members of a definition: earlier answers, the watched namespaces and prompts. */
export interface ProgramAnswers {
  readonly answers: AnswerMemory;
  readonly memory: Memento;
  readonly screen: Pick<SubmitScreen, "showInformationMessage" | "showInputBox" | "translated">;
  /** Returns the namespaces that the Applications view shows. Empty if it shows all. */
  readonly namespaces: () => readonly string[];
  /** Prompts for the settings of a submission. Undefined if the user cancels. */
  readonly ask: (asked: {
    readonly asking: AskingCommand;
    readonly program: Uri;
  }) => Promise<RunProfile | undefined>;
}

/**
 * Returns the definition of the file's last run, or a new one. Undefined if the user cancels. `accepted` stores the
 * definition for the next run.
 */
export async function definitionOfFile(
  options: ProgramAnswers,
  file: Uri,
  asking: AskingCommand,
): Promise<DefinedProgram | undefined> {
  const last = fileRun(options.memory, file.fsPath);
  const defined =
    last === undefined
      ? await newDefinition(options, file, asking)
      : await repeatedDefinition(options, last, { file, asking });
  return (
    defined && {
      ...defined,
      accepted: async () => {
        await defined.accepted();
        await rememberFileRun(options.memory, file.fsPath, defined.definition);
      },
    }
  );
}

async function repeatedDefinition(
  options: ProgramAnswers,
  last: TaskDefinition,
  { file, asking }: { readonly file: Uri; readonly asking: AskingCommand },
): Promise<DefinedProgram | undefined> {
  const { answers, screen } = options;
  const placed = await placedDefinition(options, last, fileName(file.path));
  if (placed === undefined) return undefined;
  const whole = await askSecrets(placed, screen.translated(commandTitle(asking)), screen);
  if (whole === undefined) return undefined;
  const definition = { ...(whole as object), type: placed.type };
  return { definition, accepted: () => suggestAnswers(answers, definition) };
}

/** Stores the definition for its local program, so that the next Run on Cluster of the program repeats it. */
export async function rememberProgram(memory: Memento, definition: TaskDefinition): Promise<void> {
  const program = textOf(definition["application"]) ?? "";
  if (program !== "" && namesLocalFile(program)) {
    await rememberFileRun(memory, program, definition);
  }
}

/**
 * Returns a definition for a file in the workspace. Reuses the image, service account, Spark version and conf file of
 * earlier accepted submissions without a prompt. Otherwise shows prompts; undefined if the user cancels.
 */
export async function newDefinition(
  options: ProgramAnswers,
  file: Uri,
  asking: AskingCommand,
): Promise<DefinedProgram | undefined> {
  const { answers, ask, namespaces } = options;
  const known = profileOfMemory(
    file.fsPath,
    namespaces()[0],
    (key) => answers.accepted(key)[0],
    (image) => sparkVersionOfImage(image) !== undefined,
  );
  if (known !== undefined) {
    return { definition: { type: taskType, ...known }, accepted: () => Promise.resolve() };
  }
  const asked = await ask({ asking, program: file });
  return asked && { definition: { type: taskType, ...asked }, accepted: answers.submit() };
}

/**
 * Asks for the namespace if the Applications view does not show the namespace of the last run. Undefined if the user
 * cancels. `file`: the name of the program.
 */
async function placedDefinition(
  { namespaces, screen }: Pick<ProgramAnswers, "namespaces" | "screen">,
  definition: TaskDefinition,
  file: string,
): Promise<TaskDefinition | undefined> {
  const watched = namespaces();
  const last = textOf(definition["namespace"]);
  const [shown] = watched;
  if (shown === undefined || last === undefined || watched.includes(last)) return definition;
  const inShown = msg`Run in "${shown}"`;
  const inLast = msg`Run in "${last}"`;
  const detail = msg`Its last run was in the namespace "${last}". The Applications view shows "${shown}".`;
  const chosen = await screen.showInformationMessage(
    msg`Which namespace does "${file}" run in?`,
    { modal: true, detail },
    inShown,
    inLast,
  );
  if (chosen === undefined) return undefined;
  return chosen === inShown ? { ...definition, namespace: shown } : definition;
}

/** Makes the settings of an accepted definition the first suggestions of later prompts. */
async function suggestAnswers(answers: AnswerMemory, definition: TaskDefinition): Promise<void> {
  const keys = ["image", "serviceAccount", "sparkVersion", "propertiesFile"] as const;
  answers.hold(
    new Map(
      keys.flatMap((key) => {
        const answer = textOf(definition[key]);
        return answer === undefined ? [] : [[key, answer] as const];
      }),
    ),
  );
  await answers.submit()();
}
