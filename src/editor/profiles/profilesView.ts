import {
  EventEmitter,
  l10n,
  MarkdownString,
  tasks,
  ThemeColor,
  ThemeIcon,
  TreeItem,
  window,
  workspace,
  type Memento,
  type Task,
  type TreeDataProvider,
} from "vscode";
import { assertNever } from "../../base/assertNever.ts";
import { DisposableStore, type Disposable } from "../../base/disposable.ts";
import { contextValues, profilesViewId, taskType } from "../ids.ts";
import { findProfiles, folderOf, nameOfTask, type ProfileName } from "./profileTasks.ts";

/** How the last run of a profile came out. */
type Outcome =
  | { readonly kind: "running"; readonly at: number }
  | { readonly kind: "ended"; readonly at: number; readonly exitCode: number | undefined };

export interface ProfileRow extends ProfileName {
  readonly application: string;
  readonly follows: boolean;
}

const memoryKey = "profiles.outcomes";

/** The run profiles of the workspace, each with how its last run came out. */
export class ProfilesView implements TreeDataProvider<ProfileRow>, Disposable {
  readonly #owned = new DisposableStore();
  readonly #changes = this.#owned.add(new EventEmitter<undefined>());
  readonly onDidChangeTreeData = this.#changes.event;
  readonly #memory: Memento;
  readonly #now: () => number;
  /** Runs beside another one have names of their own. */
  readonly #copies = new Map<string, string>();
  #outcomes: ReadonlyMap<string, Outcome>;

  constructor(memory: Memento, now: () => number) {
    this.#memory = memory;
    this.#now = now;
    const kept = memory.get<readonly (readonly [string, Outcome])[]>(memoryKey, []);
    // What ran when the window was closed is not followed any more.
    this.#outcomes = new Map(kept.filter(([, { kind }]) => kind === "ended"));
    this.#owned.add(window.createTreeView(profilesViewId, { treeDataProvider: this }));
    this.#owned.add(
      workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration("tasks")) this.#changes.fire(undefined);
      }),
    );
    this.#owned.add(
      tasks.onDidStartTask(({ execution: { task } }) => {
        this.#note(task, { kind: "running", at: this.#now() });
      }),
    );
    this.#owned.add(
      tasks.onDidEndTaskProcess(({ execution: { task }, exitCode }) => {
        this.#note(task, { kind: "ended", at: this.#now(), exitCode });
      }),
    );
  }

  /** From now on a task of the one name counts as a run of the other's profile. */
  startedAs(copy: string, name: string): void {
    this.#copies.set(copy, name);
  }

  async getChildren(parent?: ProfileRow): Promise<ProfileRow[]> {
    if (parent !== undefined) return [];
    return (await findProfiles()).map((task) => ({
      ...nameOfTask(task),
      application: String(task.definition["application"] ?? ""),
      follows: task.definition["follow"] !== "none",
    }));
  }

  getTreeItem(row: ProfileRow): TreeItem {
    const outcome = this.#outcomes.get(keyOf(row.name, row.folder?.toString()));
    const item = new TreeItem(row.name);
    item.contextValue = contextValues.profile;
    const state = outcome === undefined ? l10n.t("not run yet") : stateWords(outcome, row);
    item.description =
      outcome === undefined ? state : l10n.t("{0} · {1}", state, timeWords(outcome, this.#now()));
    item.iconPath = iconOf(outcome);
    const tooltip = new MarkdownString();
    tooltip.appendText(`${row.name}: ${item.description}\n${row.application}`);
    item.tooltip = tooltip;
    item.accessibilityInformation = { label: `${row.name}, ${item.description}` };
    return item;
  }

  dispose(): void {
    this.#owned.dispose();
  }

  #note(task: Task, outcome: Outcome): void {
    if (task.definition.type !== taskType) return;
    const name = this.#copies.get(task.name) ?? task.name;
    const key = keyOf(name, folderOf(task.scope)?.toString());
    const others = [...this.#outcomes].filter(([other]) => other !== key);
    this.#outcomes = new Map([...others.slice(1 - outcomesKept), [key, outcome]]);
    void this.#memory.update(memoryKey, [...this.#outcomes]);
    this.#changes.fire(undefined);
  }
}

// More profiles than anybody has, so that renamed ones do not add up.
const outcomesKept = 200;

const keyOf = (name: string, folder: string | undefined): string => `${folder ?? ""} ${name}`;

function stateWords(outcome: Outcome, { follows }: ProfileRow): string {
  switch (outcome.kind) {
    case "running":
      return l10n.t("running");
    case "ended":
      if (outcome.exitCode === 0) return follows ? l10n.t("succeeded") : l10n.t("submitted");
      // What a shell gives for Ctrl+C, and what a closed terminal leaves.
      if (outcome.exitCode === 130 || outcome.exitCode === undefined) {
        return l10n.t("no longer followed");
      }
      return l10n.t("failed: exit code {0}", outcome.exitCode);
    default:
      return assertNever(outcome);
  }
}

function timeWords({ at }: Outcome, now: number): string {
  const isToday = new Date(at).toDateString() === new Date(now).toDateString();
  const date = new Date(at);
  return isToday
    ? date.toLocaleTimeString(undefined, { timeStyle: "short" })
    : date.toLocaleString(undefined, { dateStyle: "short", timeStyle: "short" });
}

function iconOf(outcome: Outcome | undefined): ThemeIcon {
  if (outcome === undefined) return new ThemeIcon("circle-outline");
  if (outcome.kind === "running") {
    return new ThemeIcon("play-circle", new ThemeColor("charts.green"));
  }
  if (outcome.exitCode === 0) return new ThemeIcon("pass", new ThemeColor("charts.green"));
  if (outcome.exitCode === 130 || outcome.exitCode === undefined) {
    return new ThemeIcon("circle-slash");
  }
  return new ThemeIcon("error", new ThemeColor("charts.red"));
}
