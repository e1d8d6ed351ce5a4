import { l10n, type Task, type TaskDefinition } from "vscode";
import { folderOf } from "../profiles/profileTasks.ts";
import { textRules } from "../ui/plainText.ts";
import { window } from "../ui/window.ts";

/** The origin of a start that the user did not request with a command of this extension. */
export type StartOrigin = "task" | "session";

/** Starts that the user confirmed; one instance per window. */
export class StartConsent {
  readonly #agreed = new Set<string>();

  /**
   * True if the task may submit. Asks once per window, task and definition.
   * `resolved`: the definition after variable substitution.
   */
  async mayStart(
    task: Pick<Task, "name" | "scope">,
    resolved: TaskDefinition,
    origin: StartOrigin,
  ): Promise<boolean> {
    const key = keyOf(task, resolved);
    if (this.#agreed.has(key)) return true;
    if (!(await confirmStart(task.name, resolved, origin))) return false;
    this.#agreed.add(key);
    return true;
  }
}

/** Asks the user to confirm a start that no command announced. `definition` is shown in the question. */
export async function confirmStart(
  name: string,
  definition: TaskDefinition,
  origin: StartOrigin = "task",
): Promise<boolean> {
  const { context } = definition;
  const application = textOf(definition["application"]) ?? "";
  const button = l10n.t("Submit");
  const lines = [
    l10n.t("Application: {0}", oneLine(application)),
    l10n.t("Context: {0}", oneLine(textOf(context) ?? l10n.t("current"))),
    ...destinationLines(definition),
    "",
    origin === "task"
      ? l10n.t(
          "You did not start this task with a command of this extension. A workspace can start tasks when its folder opens. You are asked once per window and task.",
        )
      : l10n.t(
          "The tasks or launch configurations of this workspace run commands, which can start a debug session without you. You are asked once per window and configuration.",
        ),
  ];
  const chosen = await window.showWarningMessage(
    origin === "task"
      ? l10n.t('Allow a task to submit "{0}"?', name === "" ? application : name)
      : l10n.t('Allow a debug session to submit "{0}"?', name === "" ? application : name),
    { modal: true, detail: lines.join("\n") },
    button,
  );
  return chosen === button;
}

/** Profile members that set the destination of the submission or its files. */
function destinationLines(definition: TaskDefinition): readonly string[] {
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
    ...(master === undefined ? [] : [l10n.t("Server: {0}", oneLine(master))]),
    ...(namespace === undefined ? [] : [l10n.t("Namespace: {0}", oneLine(namespace))]),
    ...(upload === undefined ? [] : [l10n.t("Uploads to: {0}", oneLine(upload))]),
  ];
}

// A line break in workspace text must not forge a line of the question.
const oneLine = textRules.title;

const keyOf = ({ name, scope }: Pick<Task, "name" | "scope">, definition: TaskDefinition): string =>
  JSON.stringify([textRules.name(name), folderOf(scope)?.toString() ?? "", inOrder(definition)]);

/** Normalizes a value: sorts its members and removes VS Code's own `_key`. */
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
