import type { Task, TaskDefinition } from "vscode";
import { lines, msg, verbatim, type Message } from "../../base/message.ts";
import type { Screen } from "../screen.ts";
import type { RunClusters } from "./prepareRun.ts";
import { textRules } from "../ui/plainText.ts";

export interface ConsentWindow {
  readonly screen: Pick<Screen, "showWarningMessage">;
  /** Returns the context of a submission that specifies none; undefined if the kubeconfig cannot be read. */
  readonly currentContext: () => Promise<string | undefined>;
}

export const consentWindow = (
  screen: ConsentWindow["screen"],
  clusters: Pick<RunClusters, "target">,
): ConsentWindow => ({
  screen,
  currentContext: async () => {
    const target = await clusters.target(undefined, new AbortController().signal);
    return target.ok ? target.value.context : undefined;
  },
});

/** The origin of a start that the user did not request with a command of this extension. */
export type StartOrigin = "task" | "session";

/** Returns a key for the folder of a task. */
type FolderKey = (scope: Task["scope"]) => string;

/** Starts that the user confirmed; one instance per window. */
export class StartConsent {
  readonly #agreed = new Set<string>();
  readonly #window: ConsentWindow;
  readonly #folderOf: FolderKey;

  constructor(window: ConsentWindow, folderOf: FolderKey) {
    this.#window = window;
    this.#folderOf = folderOf;
  }

  /**
   * True if the task may submit. Shows a confirmation, unless the user has agreed to this task and definition in this
   * window. `resolved`: the definition after variable substitution.
   */
  async mayStart(
    task: Pick<Task, "name" | "scope">,
    resolved: TaskDefinition,
    origin: StartOrigin,
  ): Promise<boolean> {
    const name = textRules.name(task.name);
    const key = JSON.stringify([name, this.#folderOf(task.scope), inOrder(resolved)]);
    if (this.#agreed.has(key)) return true;
    if (!(await confirmStart(task.name, resolved, this.#window, origin))) return false;
    this.#agreed.add(key);
    return true;
  }
}

/**
 * Shows a confirmation for a start that the user did not request with a command. It shows the application, the context
 * and the destination from `definition`.
 */
export async function confirmStart(
  name: string,
  definition: TaskDefinition,
  { screen, currentContext }: ConsentWindow,
  origin: StartOrigin = "task",
): Promise<boolean> {
  const context = textOf(definition["context"]) ?? (await currentContext());
  const application = textOf(definition["application"]) ?? "";
  const button = msg("Submit");
  const detail = lines([
    msg`Application: ${oneLine(application)}`,
    ...(context === undefined ? [] : [msg`Context: ${oneLine(context)}`]),
    ...destinationLines(definition),
    verbatim(""),
    origin === "task"
      ? msg(
          "You did not start this task with a command of this extension. A workspace can start tasks when its folder opens. You are asked once per window and task.",
        )
      : msg(
          "The tasks or launch configurations of this workspace run commands, which can start a debug session without you. You are asked once per window and configuration.",
        ),
  ]);
  const chosen = await screen.showWarningMessage(
    origin === "task"
      ? msg`Allow a task to submit "${name === "" ? application : name}"?`
      : msg`Allow a debug session to submit "${name === "" ? application : name}"?`,
    { modal: true, detail },
    button,
  );
  return chosen === button;
}

/** Returns a line for each profile member that sets the destination of the submission or its files. */
function destinationLines(definition: TaskDefinition): readonly Message[] {
  const conf: unknown = definition["conf"];
  const uploadPath: unknown =
    typeof conf === "object" && conf !== null
      ? Object.entries(conf).find(([key]) => key === "spark.kubernetes.file.upload.path")?.[1]
      : undefined;
  const [master, namespace, upload] = [
    definition["master"],
    definition["namespace"],
    uploadPath,
  ].map(textOf);
  return [
    ...(master === undefined ? [] : [msg`Server: ${oneLine(master)}`]),
    ...(namespace === undefined ? [] : [msg`Namespace: ${oneLine(namespace)}`]),
    ...(upload === undefined ? [] : [msg`Uploads to: ${oneLine(upload)}`]),
  ];
}

// A line break in text from the workspace must not forge a line of the confirmation.
const oneLine = textRules.title;

/**
 * Normalizes a value for comparison: replaces each object by its members, sorted by key, without VS Code's own `_key`.
 */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== "object" || value === null) return value;
  return Object.entries(value)
    .filter(([key]) => key !== "_key")
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, member]) => [key, inOrder(member)]);
}

const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;
