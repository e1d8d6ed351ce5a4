import type { Clock } from "../../engine/ports.ts";
import type { MergedRecord } from "../../spark/logs/mergeWindow.ts";
import {
  isWanted,
  renderRecord,
  TraceCounts,
  wholeView,
  type ShownRecord,
  type SourceLabel,
  type ViewChoice,
  type ViewWords,
} from "../../spark/logs/logView.ts";
import { terminalText } from "../../spark/logs/terminalText.ts";

export interface ScreenOptions {
  readonly write: (text: string) => void;
  readonly clock: Clock;
  readonly words: ViewWords;
  readonly labelOf: (source: string) => SourceLabel;
}

type Entry =
  | { readonly kind: "record"; readonly shown: ShownRecord; readonly size: number }
  | { readonly kind: "note"; readonly text: string; readonly size: number };

// A terminal takes any amount at once and stalls the window later, so a flood is held to this rate: ten million
// characters a second, in pieces that are formatted within a frame.
const pieceCharacters = 1 << 18;
const piecePauseMs = 25;
/** What is kept to be shown anew when the reader chooses otherwise. */
const keptCharacters = 12 << 20;
const keptEntries = 100_000;
/** What may wait to be shown before the logs have to wait. */
const waitingCharacters = 2 << 20;

/**
 * What a terminal shows of logs. All that came is kept, within bounds, whatever is filtered, so that another
 * choice shows it anew; while the reader pauses, the logs wait where they are.
 */
export class LogScreen {
  readonly #options: ScreenOptions;
  readonly #stop: AbortSignal;
  readonly #traces = new TraceCounts();
  readonly #open = new Set<number>();
  readonly #entries: Entry[] = [];
  /** The first entry that has not been shown yet. */
  #next = 0;
  #number = 0;
  #kept = 0;
  #waiting = 0;
  #isPaused = false;
  #isDropped = false;
  #choice = wholeView;
  #isPrinting = false;
  #release: (() => void)[] = [];

  /** Shows nothing more after `stop` has aborted. */
  constructor(options: ScreenOptions, stop: AbortSignal) {
    this.#options = options;
    this.#stop = stop;
    stop.addEventListener("abort", () => {
      this.#releaseAll();
    });
  }

  get choice(): ViewChoice {
    return this.#choice;
  }

  get isPaused(): boolean {
    return this.#isPaused;
  }

  /** Whether the oldest of what came is not kept any more. */
  get hasDropped(): boolean {
    return this.#isDropped;
  }

  /** What is kept, the oldest first. */
  get records(): readonly ShownRecord[] {
    return this.#entries.flatMap((entry) => (entry.kind === "record" ? [entry.shown] : []));
  }

  /** Traces that are folded now, the newest first. */
  get foldedTraces(): readonly ShownRecord[] {
    return this.records
      .filter(({ number, record }) => record.rest.length > 2 && !this.#open.has(number))
      .reverse();
  }

  /** The records as they are kept now. More may be added at once when nothing is returned. */
  add(records: readonly MergedRecord[]): readonly ShownRecord[] {
    const shown = records.map((merged) => {
      this.#number += 1;
      return {
        ...merged,
        number: this.#number,
        same: this.#traces.count(this.#number, merged.record),
      };
    });
    for (const one of shown) {
      this.#keep({ kind: "record", shown: one, size: one.record.size + overhead });
    }
    this.#print();
    return shown;
  }

  /** Settles when more may be added. */
  room(): Promise<void> | undefined {
    if (this.#waiting <= waitingCharacters || this.#stop.aborted) return undefined;
    return new Promise((resolve) => {
      this.#release.push(resolve);
    });
  }

  /** A sentence of ours, dimmed and in dashes, so that it is not taken for a line of a log. */
  note(words: string): void {
    this.#keep({ kind: "note", text: words, size: words.length });
    this.#print();
  }

  pause(): void {
    this.#isPaused = true;
  }

  goOn(): void {
    this.#isPaused = false;
    this.#print();
  }

  /** Shows all that is kept anew, as chosen. */
  choose(choice: Partial<ViewChoice>): void {
    this.#choice = { ...this.#choice, ...choice };
    this.showAnew();
  }

  /** Opens or closes a trace. */
  turn(number: number): void {
    if (!this.#open.delete(number)) this.#open.add(number);
    this.showAnew();
  }

  showAnew(): void {
    this.#options.write("\u001b[2J\u001b[3J\u001b[H");
    this.#next = 0;
    this.#waiting = this.#kept;
    this.#print();
  }

  #keep(entry: Entry): void {
    this.#entries.push(entry);
    this.#kept += entry.size;
    this.#waiting += entry.size;
    let drop = 0;
    let size = 0;
    while (
      drop < this.#next &&
      (this.#kept - size > keptCharacters || this.#entries.length - drop > keptEntries)
    ) {
      size += this.#entries[drop]?.size ?? 0;
      drop += 1;
    }
    // Many at once, as each move of the rest costs as much as its length.
    if (drop < Math.min(this.#next, dropAtOnce)) return;
    if (drop === 0) return;
    this.#entries.splice(0, drop);
    this.#next -= drop;
    this.#kept -= size;
    this.#isDropped = true;
  }

  /** Shows what waits, the first piece of it at once; the rest follows at a pace that the window bears. */
  #print(): void {
    if (this.#isPrinting) return;
    while (!this.#isPaused && !this.#stop.aborted && this.#next < this.#entries.length) {
      const isFull = this.#printPiece();
      if (this.#waiting <= waitingCharacters) this.#releaseAll();
      if (isFull) {
        this.#printLater();
        return;
      }
    }
  }

  #printLater(): void {
    this.#isPrinting = true;
    const goOn = (): void => {
      this.#isPrinting = false;
      this.#print();
    };
    // Rejects when the view is closed, and then nothing is shown any more.
    this.#options.clock.sleep(piecePauseMs, this.#stop).then(goOn, goOn);
  }

  #printPiece(): boolean {
    let text = "";
    for (; this.#next < this.#entries.length; this.#next += 1) {
      if (text.length >= pieceCharacters) break;
      const entry = this.#entries[this.#next];
      if (entry === undefined) break;
      this.#waiting -= entry.size;
      text += this.#render(entry);
    }
    if (text !== "") this.#options.write(text);
    return text.length >= pieceCharacters;
  }

  #render(entry: Entry): string {
    if (entry.kind === "note") return `\u001b[2m-- ${terminalText(entry.text)} --\u001b[0m\r\n`;
    const { shown } = entry;
    if (!isWanted(shown, this.#choice)) return "";
    const { labelOf, words } = this.#options;
    const isOpen = this.#open.has(shown.number);
    return renderRecord(shown, labelOf(shown.source), this.#choice, isOpen, words);
  }

  #releaseAll(): void {
    const waiting = this.#release;
    this.#release = [];
    for (const release of waiting) release();
  }
}

/** What a record costs beside its text. */
const overhead = 120;
const dropAtOnce = 2_000;
