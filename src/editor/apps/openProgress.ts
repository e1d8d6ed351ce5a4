import type { ProgressFocus } from "../../engine/driver/driverProgress.ts";
import type { ProgressNode } from "./treeNode.ts";

/** The expanded progress rows: those of applications, and those of their queries, jobs and stages below. */
export class OpenProgress {
  /** Nodes by id. Collapsed and ended rows are removed. */
  readonly #open = new Map<string, ProgressNode>();

  /** Adds an expanded row. Returns true if it was not expanded before. */
  expand(node: ProgressNode): boolean {
    const isNew = !this.#open.has(node.id);
    this.#open.set(node.id, node);
    return isNew;
  }

  /** Removes the row and all rows below it. VS Code requests these again when the row is expanded. */
  collapse(node: ProgressNode): void {
    for (const [id, other] of this.#open) {
      if (id === node.id || isBelow(other, node.id)) this.#open.delete(id);
    }
  }

  /** Removes the rows for which `isThere` returns false. */
  keep(isThere: (node: ProgressNode) => boolean): void {
    for (const [id, node] of this.#open) if (!isThere(node)) this.#open.delete(id);
  }

  /** Returns the applications with expanded progress rows, by key, each with its expanded stages. */
  focuses(): ReadonlyMap<string, ProgressFocus> {
    const stages = new Map<string, Set<string>>();
    for (const { applicationKey, part } of this.#open.values()) {
      const own = stages.get(applicationKey) ?? new Set();
      stages.set(applicationKey, own);
      if (part?.kind === "stage") own.add(part.stageKey);
    }
    return new Map([...stages].map(([key, own]) => [key, { isOpen: true, stages: own }]));
  }
}

const isBelow = (node: ProgressNode, id: string): boolean =>
  node.above !== undefined && (node.above.id === id || isBelow(node.above, id));
