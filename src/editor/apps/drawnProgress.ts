import { inEnglish, type Message } from "../../base/message.ts";
import { describeBriefly } from "../../spark/progress/describeProgress.ts";
import type { ApplicationProgress } from "../../spark/progress/progress.ts";

interface Drawn {
  hasRow: boolean;
  text: string;
  isCollapsed: boolean;
}

/**
 * The rows of applications as drawn. The row of running work shows the numbers; a collapsed application, which hides
 * it, shows them in its own row. So no two visible rows have numbers from different readings.
 */
export class DrawnProgress {
  readonly #progressOf: (key: string) => ApplicationProgress | undefined;
  readonly #drawn = new Map<string, Drawn>();

  constructor(progressOf: (key: string) => ApplicationProgress | undefined) {
    this.#progressOf = progressOf;
  }

  /** The rows below an application are drawn now. */
  drawRows(key: string): void {
    this.#of(key).hasRow = this.#progressOf(key) !== undefined;
  }

  collapse(key: string, isCollapsed: boolean): void {
    this.#of(key).isCollapsed = isCollapsed;
  }

  /** The running work for the row of the application, which is drawn now; undefined while it is expanded. */
  drawText(key: string): Message | undefined {
    const text = this.#textOf(key);
    this.#of(key).text = inEnglish(text) ?? "";
    return text;
  }

  /**
   * True if the application's row must be drawn again: its row of running work appears or ends, or its text is
   * outdated. Redrawing it also redraws its pods, and an open context menu of a pod then has no target.
   */
  isApplicationDue(key: string): boolean {
    const hasRow = this.#progressOf(key) !== undefined;
    const drawn = this.#of(key);
    const isDue = drawn.hasRow !== hasRow || (inEnglish(this.#textOf(key)) ?? "") !== drawn.text;
    // A collapsed application asks for its rows later.
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
