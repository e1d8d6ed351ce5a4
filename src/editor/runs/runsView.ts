import { l10n, ThemeColor, ThemeIcon, TreeItem, EventEmitter, type TreeDataProvider } from "vscode";
import { assertNever } from "../../base/assertNever.ts";
import { DisposableStore, type Disposable } from "../../base/disposable.ts";
import type { ListedRun } from "../../spark/history/runRecord.ts";
import { contextValues, runsViewId } from "../ids.ts";
import type { Log } from "../log.ts";
import { translated } from "../ui/translated.ts";
import { markdownOfText } from "../ui/markdown.ts";
import type { PlainTreeView } from "../ui/treeView.ts";
import { window } from "../ui/window.ts";
import type { RunHistory } from "./runHistory.ts";
import type { RunNode } from "./runNode.ts";
import { isInProgress, runOutcomeWords, runRowWords } from "./runWords.ts";

/** The Runs view: the kept runs of this workspace, the newest first. */
export class RunsView implements TreeDataProvider<RunNode>, Disposable {
  readonly #owned = new DisposableStore();
  readonly #changes = this.#owned.add(new EventEmitter<undefined>());
  readonly #history: RunHistory;
  readonly #now: () => number;
  readonly #view: PlainTreeView<RunNode>;
  readonly #nodes = new Map<string, RunNode>();
  #records: ReadonlyMap<string, ListedRun> = new Map();
  readonly onDidChangeTreeData = this.#changes.event;

  constructor(history: RunHistory, now: () => number, log: Log) {
    this.#history = history;
    this.#now = now;
    this.#view = this.#owned.add(
      window.createTreeView<RunNode>(runsViewId, { treeDataProvider: this, canSelectMany: true }),
    );
    this.#owned.add(
      history.onDidChange(() => {
        if (this.#view.visible) this.#changes.fire(undefined);
      }),
    );
    this.#owned.add(
      this.#view.onDidChangeVisibility(() => {
        if (this.#view.visible) this.#changes.fire(undefined);
      }),
    );
    log.debug("the runs of this workspace are listed when their view is visible");
  }

  get selection(): readonly RunNode[] {
    return this.#view.selection;
  }

  async getChildren(parent?: RunNode): Promise<RunNode[]> {
    if (parent !== undefined) return [];
    this.#records = new Map((await this.#history.list()).map((run) => [run.id, run]));
    for (const id of this.#nodes.keys()) if (!this.#records.has(id)) this.#nodes.delete(id);
    return [...this.#records.keys()].map((id) => {
      const node = this.#nodes.get(id) ?? { kind: "run", id };
      this.#nodes.set(id, node);
      return node;
    });
  }

  getTreeItem({ id }: RunNode): TreeItem {
    const run = this.#records.get(id);
    const item = new TreeItem(run?.name ?? l10n.t("deleted"));
    item.id = `run:${id}`;
    if (run === undefined) return item;
    const outcome = translated(runOutcomeWords(run));
    item.contextValue =
      run.definition === undefined ? contextValues.run : contextValues.repeatableRun;
    item.description = runRowWords(run, this.#now(), translated);
    item.iconPath = iconOf(run);
    item.tooltip = markdownOfText(
      [
        `${run.name}: ${outcome}`,
        run.cause,
        `${run.context} · ${run.namespace} · ${run.applicationId}`,
      ]
        .filter(isText)
        .join("\n"),
    );
    // Screen readers do not read the icon, so put a failure into the label.
    const spoken = [run.outcome === "failed" ? outcome : undefined, item.description].filter(
      isText,
    );
    item.accessibilityInformation = { label: `${run.name}, ${spoken.join(" · ")}` };
    item.command = {
      command: "sparkK8s.run.open",
      title: l10n.t("Open Run"),
      arguments: [{ kind: "run", id }],
    };
    return item;
  }

  dispose(): void {
    this.#owned.dispose();
  }
}

const isText = (text: string | undefined): text is string => text !== undefined && text !== "";

function iconOf(run: ListedRun): ThemeIcon {
  const { cause, outcome } = run;
  if (isInProgress(run) && cause !== undefined) {
    return new ThemeIcon("warning", new ThemeColor("charts.yellow"));
  }
  switch (outcome) {
    case "submitted":
    case "detached":
      return new ThemeIcon("play-circle", new ThemeColor("charts.green"));
    case "succeeded":
      return new ThemeIcon("pass", new ThemeColor("charts.green"));
    case "failed":
      return new ThemeIcon("error", new ThemeColor("charts.red"));
    case "stopped":
    case "notSubmitted":
      return new ThemeIcon("circle-slash");
    default:
      return assertNever(outcome);
  }
}
