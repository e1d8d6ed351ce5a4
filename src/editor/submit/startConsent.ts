import { l10n, workspace, type Task, type Uri } from "vscode";
import type { Clock } from "../../engine/ports/clock.ts";
import { settingsSection } from "../ids.ts";
import { folderOf } from "../profiles/profileTasks.ts";
import { textRules } from "../ui/plainText.ts";
import { window } from "../ui/window.ts";

/** A run profile's task, before variable substitution. */
export type ProfileTask = Pick<Task, "definition" | "name" | "scope">;

/**
 * Task starts that the user requested or confirmed; one instance per window.
 *
 * VS Code does not report who starts a task: the user, an opened folder, another task or another extension. This
 * extension's commands announce their starts; all others are confirmed. An announcement is valid for one start
 * within `announcedMs`, since VS Code does not report a start that is cancelled at a prompt. It is ignored in a
 * workspace whose tasks can call these commands.
 */
export class StartConsent {
  readonly #clock: Pick<Clock, "now">;
  #expected: { readonly key: string; readonly until: number } | undefined;
  readonly #agreed = new Set<string>();

  constructor(clock: Pick<Clock, "now">) {
    this.#clock = clock;
  }

  /** Announces a start that the user requested. Call it directly before executing the task. */
  expect(task: ProfileTask): void {
    if (tasksCallCommands(workspace.workspaceFolders?.map(({ uri }) => uri) ?? [])) return;
    const until = this.#clock.now() + announcedMs;
    this.#expected = { key: keyOf(task, task.definition), until };
  }

  /** Withdraws the announcement, if executing the task failed. */
  forget(): void {
    this.#expected = undefined;
  }

  /**
   * True if the task may submit. Asks once per window, task and definition.
   * `resolved`: the definition after variable substitution.
   */
  async mayStart(task: ProfileTask, resolved: ProfileTask["definition"]): Promise<boolean> {
    const expected = this.#expected;
    if (expected?.key === keyOf(task, task.definition)) {
      this.#expected = undefined;
      if (this.#clock.now() <= expected.until) return true;
    }
    const key = keyOf(task, resolved);
    if (this.#agreed.has(key)) return true;
    if (!(await confirmStart(task.name, resolved))) return false;
    this.#agreed.add(key);
    return true;
  }
}

// Long enough to answer the prompts of a profile.
const announcedMs = 120_000;

/** True if the workspace's tasks or launch configurations refer to a command of this extension. */
function tasksCallCommands(folders: readonly Uri[]): boolean {
  return [undefined, ...folders].some((folder) =>
    ["tasks", "launch"].some((section) => {
      const all = workspace.getConfiguration(undefined, folder).inspect(section);
      const own = [all?.workspaceValue, all?.workspaceFolderValue];
      return JSON.stringify(own).includes(`${settingsSection}.`);
    }),
  );
}

/** Asks the user to confirm a start that no command announced. `definition` is shown in the question. */
export async function confirmStart(
  name: string,
  definition: ProfileTask["definition"],
): Promise<boolean> {
  const { context } = definition;
  const application = textOf(definition["application"]) ?? "";
  const button = l10n.t("Submit");
  const lines = [
    l10n.t("Application: {0}", oneLine(application)),
    l10n.t("Context: {0}", oneLine(textOf(context) ?? l10n.t("current"))),
    ...destinationLines(definition),
    "",
    l10n.t(
      "You did not start this task with a command of this extension. A workspace can start tasks when its folder opens. You are asked once per window and task.",
    ),
  ];
  const chosen = await window.showWarningMessage(
    l10n.t('Allow a task to submit "{0}"?', name === "" ? application : name),
    { modal: true, detail: lines.join("\n") },
    button,
  );
  return chosen === button;
}

/** Profile members that set the destination of the submission or its files. */
function destinationLines(definition: ProfileTask["definition"]): readonly string[] {
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

const keyOf = ({ name, scope }: ProfileTask, definition: ProfileTask["definition"]): string =>
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
