import { inEnglish, type Message } from "../../base/message.ts";
import { describeBriefly } from "../../spark/progress/describeProgress.ts";
import type { ApplicationProgress } from "../../spark/progress/progress.ts";

interface Drawn {
  hasRow: boolean;
  text: string;
  isCollapsed: boolean;
}

/**
 * Records the progress that the tree last rendered for each application. Only one row shows it: the progress row if the
 * application is expanded, else the application's row. So no two visible rows show values of different polls.
 */
export class DrawnProgress {
  readonly #progressOf: (key: string) => ApplicationProgress | undefined;
  readonly #drawn = new Map<string, Drawn>();

  constructor(progressOf: (key: string) => ApplicationProgress | undefined) {
    this.#progressOf = progressOf;
  }

  /** Call it when VS Code requests the rows below an application. Records whether they include a progress row. */
  drawRows(key: string): void {
    this.#of(key).hasRow = this.#progressOf(key) !== undefined;
  }

  collapse(key: string, isCollapsed: boolean): void {
    this.#of(key).isCollapsed = isCollapsed;
  }

  /**
   * Returns the progress text for the application's row and records it as rendered. Undefined without progress, or
   * while the row is expanded.
   */
  drawText(key: string): Message | undefined {
    const text = this.#textOf(key);
    this.#of(key).text = inEnglish(text) ?? "";
    return text;
  }

  /**
   * True if the application's row must be redrawn: its progress row appears or disappears, or its text is outdated. Do
   * not redraw it otherwise, because its pods are redrawn too, and an open context menu then loses its target.
   */
  isApplicationDue(key: string): boolean {
    const hasRow = this.#progressOf(key) !== undefined;
    const drawn = this.#of(key);
    const isDue = drawn.hasRow !== hasRow || (inEnglish(this.#textOf(key)) ?? "") !== drawn.text;
    // Record the state here, because VS Code requests the rows below a collapsed application only when it is expanded.
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
