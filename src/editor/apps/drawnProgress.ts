import { inEnglish, type Message } from "../../base/message.ts";
import { describeBriefly } from "../../spark/progress/describeProgress.ts";
import type { ApplicationProgress } from "../../spark/progress/progress.ts";

interface Drawn {
  hasRow: boolean;
  text: string;
  isCollapsed: boolean;
}

/**
 * The progress of each application as its rows last showed it. Only one row shows the progress: the row of the running
 * work if the application is expanded, else its own row. So no two visible rows show values of different polls.
 */
export class DrawnProgress {
  readonly #progressOf: (key: string) => ApplicationProgress | undefined;
  readonly #drawn = new Map<string, Drawn>();

  constructor(progressOf: (key: string) => ApplicationProgress | undefined) {
    this.#progressOf = progressOf;
  }

  /** Records that the rows below an application are drawn now. */
  drawRows(key: string): void {
    this.#of(key).hasRow = this.#progressOf(key) !== undefined;
  }

  collapse(key: string, isCollapsed: boolean): void {
    this.#of(key).isCollapsed = isCollapsed;
  }

  /**
   * Returns the running work for the application's row and records it as drawn. Undefined while the row is expanded.
   */
  drawText(key: string): Message | undefined {
    const text = this.#textOf(key);
    this.#of(key).text = inEnglish(text) ?? "";
    return text;
  }

  /**
   * True if the application's row must be redrawn: its row of running work appears or ends, or its text is outdated.
   * Do not redraw it otherwise, because its pods are redrawn too, and an open context menu then loses its target.
   */
  isApplicationDue(key: string): boolean {
    const hasRow = this.#progressOf(key) !== undefined;
    const drawn = this.#of(key);
    const isDue = drawn.hasRow !== hasRow || (inEnglish(this.#textOf(key)) ?? "") !== drawn.text;
    // VS Code requests the rows of a collapsed application later, so record the state here.
    drawn.hasRow = hasRow;
    return isDue;
  }

  keep(isThere: (key: string) => boolean): void {
    for (const key of this.#drawn.keys()) if (!isThere(key)) this.#drawn.delete(key);
  }

  #textOf(key: string): Message | undefined {
    const progress = this.#of(key).isCollapsed ? this.#progressOf(key) : undefined;
    return progress && describeBriefly(progress);
  }

  #of(key: string): Drawn {
    const drawn = this.#drawn.get(key) ?? { hasRow: false, text: "", isCollapsed: false };
    this.#drawn.set(key, drawn);
    return drawn;
  }
}
