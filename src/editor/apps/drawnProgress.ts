import { inEnglish, type Message } from "../../base/message.ts";
import { describeBriefly } from "../../spark/progress/describeProgress.ts";
import type { ApplicationProgress } from "../../spark/progress/progress.ts";

interface Drawn {
  hasRow: boolean;
  text: string;
  /** The active stages in `text`. */
  stages: string;
  /** The estimates in `text`; undefined before the row is drawn. */
  left: ApplicationProgress["left"] | undefined;
  at: number;
}

// Redrawing an application's row also redraws its pods, and an open context menu of a pod then has no target.
const minIntervalMs = 15_000;

/** The texts and rows that the tree shows of the running work of applications. */
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

  /** The text in the row of the application, which is drawn now. */
  drawText(key: string): Message | undefined {
    const progress = this.#progressOf(key);
    const drawn = this.#of(key);
    const text = progress && describeBriefly(progress);
    drawn.text = inEnglish(text) ?? "";
    drawn.stages = stagesOf(progress);
    drawn.left = progress?.left;
    return text;
  }

  /** The progress for the rows below the application, with the estimates that its own row shows. */
  progressOf(key: string): ApplicationProgress | undefined {
    const progress = this.#progressOf(key);
    return progress && { ...progress, left: this.#of(key).left ?? progress.left };
  }

  /**
   * True if the application's row must be drawn again: its row of running work appears or ends, other stages are
   * active, or its text is outdated and older than 15 s. `now`: epoch milliseconds.
   */
  isApplicationDue(key: string, now: number): boolean {
    const progress = this.#progressOf(key);
    const drawn = this.#of(key);
    const text = inEnglish(progress && describeBriefly(progress)) ?? "";
    const isFresh = now - drawn.at < minIntervalMs;
    const isOther = stagesOf(progress) !== drawn.stages && now - drawn.at >= minStageMs;
    const isDue =
      drawn.hasRow !== (progress !== undefined) || isOther || (!isFresh && text !== drawn.text);
    if (!isDue) return false;
    // A collapsed application asks for its rows later.
    Object.assign(drawn, { at: now, hasRow: progress !== undefined });
    return true;
  }

  keep(isThere: (key: string) => boolean): void {
    for (const key of this.#drawn.keys()) if (!isThere(key)) this.#drawn.delete(key);
  }

  #of(key: string): Drawn {
    const drawn = this.#drawn.get(key) ?? {
      ...{ hasRow: false, text: "", stages: "", left: undefined, at: -Infinity },
    };
    this.#drawn.set(key, drawn);
    return drawn;
  }
}

// Short stages follow each other quickly.
const minStageMs = 5_000;

const stagesOf = (progress: ApplicationProgress | undefined): string =>
  (progress?.stages ?? []).map(({ stageId }) => stageId).join();
