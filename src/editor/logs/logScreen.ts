import type { Clock } from "../../engine/ports/clock.ts";
import type { LogRecord } from "../../spark/logs/logRecord.ts";
import type { MergedRecord } from "../../spark/logs/mergeWindow.ts";
import {
  isFilteredView,
  isFoldable,
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

export interface ScreenWords extends ViewWords {
  readonly paused: string;
  notKept(lines: number): string;
  /** Returns the note that the terminal's scrollback holds only the last `rows` rows of the redrawn log. */
  outOfReach(rows: number): string;
  /** Returns the note that names the active filters and the numbers of shown and hidden entries. */
  filtered(choice: ViewChoice, counts: FilterCounts): string;
}

export interface FilterCounts {
  readonly shown: number;
  readonly hidden: number;
}

export interface ScreenOptions {
  readonly write: (text: string) => void;
  readonly clock: Clock;
  readonly words: ScreenWords;
  readonly labelOf: (source: string) => SourceLabel;
  /** Returns the scrollback of the terminal, in rows. */
  readonly heldRows: () => number;
}

type Entry =
  | {
      readonly kind: "record";
      readonly shown: ShownRecord;
      readonly size: number;
      /** True if the view choice hid the record when the record was rendered. */
      isHidden: boolean;
    }
  /** A rendered row that is not a log record, such as a note. */
  | { readonly kind: "row"; readonly row: string; readonly size: number };

// A terminal accepts any amount of output at once, but stalls the window later. So the output is limited to about ten
// million characters per second in ten writes, and is formatted in slices that fit into one frame.
const maxWriteCharacters = 1 << 20;
const writeIntervalMs = 100;
const sliceCharacters = 1 << 18;
/** The maximum size of the entries, rendered or hidden, that one slice processes, in characters. */
const sliceSize = 4 << 20;
/** The maximum number of characters kept for redraws. `overhead`: added to the size of each entry. */
const keptCharacters = 12 << 20;
const overhead = 120;
// Drop an eighth at once, because each drop visits all kept entries.
const keptAfterDrop = keptCharacters - (keptCharacters >> 3);
/** High-water mark of pending characters. Above it, `room` returns a promise. */
const waitingCharacters = 2 << 20;

/**
 * The contents of a log terminal. Keeps shown and hidden records up to a size limit, and redraws them when the view
 * choice changes. Neither shown nor hidden records displace the others from more than half of this space. While paused,
 * records are accepted only up to the high-water mark.
 */
export class LogScreen {
  readonly #options: ScreenOptions;
  readonly #stop: AbortSignal;
  readonly #traces = new TraceCounts();
  readonly #open = new Set<number>();
  #entries: Entry[] = [];
  /** Index of the first entry that is not rendered yet. */
  #next = 0;
  #number = 0;
  #kept = 0;
  /** The size, in characters, of kept records that were hidden when they were rendered. */
  #hidden = 0;
  #waiting = 0;
  /** The number of lines dropped because of the size limit. */
  #dropped = 0;
  /** While paused: the index of the first entry that is not printed. */
  #pausedAt: number | undefined;
  #isPauseNoted = false;
  #choice = wholeView;
  /** Formatted text that is not yet written to the terminal. */
  #text = "";
  #isResting = false;
  /** During a redraw: the index after its last entry, and the counts so far. */
  #redraw: { end: number; rows: number; shown: number; hidden: number } | undefined;
  #release: (() => void)[] = [];
  #drained: (() => void)[] = [];

  /** Writes nothing after `stop` aborts. */
  constructor(options: ScreenOptions, stop: AbortSignal) {
    this.#options = options;
    this.#stop = stop;
    stop.addEventListener("abort", () => {
      this.#releaseAll();
      this.#releaseDrained();
    });
  }

  get choice(): ViewChoice {
    return this.#choice;
  }

  get isPaused(): boolean {
    return this.#pausedAt !== undefined;
  }

  /** Returns the kept records, the oldest first. */
  get records(): readonly ShownRecord[] {
    return this.#entries.flatMap((entry) => (entry.kind === "record" ? [entry.shown] : []));
  }

  /** Returns the collapsed stack traces, the newest first. */
  get foldedTraces(): readonly ShownRecord[] {
    if (!this.#choice.folded) return [];
    return this.records
      .filter(({ number, record }) => isFoldable(record) && !this.#open.has(number))
      .filter((one) => isWanted(one, this.#choice))
      .reverse();
  }

  /**
   * Returns up to `max` records of the same log that precede a record, the oldest first. Searches only the last 2,000
   * entries.
   */
  before({ source, number }: ShownRecord, max: number): readonly LogRecord[] {
    const found: LogRecord[] = [];
    const farthest = Math.max(0, this.#entries.length - lookedThrough);
    for (let at = this.#entries.length - 1; at >= farthest && found.length < max; at -= 1) {
      const entry = this.#entries[at];
      if (entry?.kind !== "record") continue;
      const { shown } = entry;
      if (shown.source === source && shown.number < number) found.push(shown.record);
    }
    return found.reverse();
  }

  /** Adds records and returns them with their numbers. Await `room` before the next call. */
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
      const size = one.record.size + overhead;
      this.#keep({ kind: "record", shown: one, size, isHidden: false });
    }
    this.#print();
    return shown;
  }

  /** Returns a promise that resolves when more records may be added; undefined if they may be added now. */
  room(): Promise<void> | undefined {
    if (this.#waiting <= waitingCharacters || this.#stop.aborted) return undefined;
    return new Promise((resolve) => {
      this.#release.push(resolve);
    });
  }

  /** Adds a message between dashes, dimmed to distinguish it from log lines. */
  note(words: string): void {
    this.#keepRow(noteRow(words));
  }

  /** As `note`, but red. */
  failure(words: string): void {
    this.#keepRow(failureRow(words));
  }

  /** Adds a row of plain text. `head`: a colored heading before the text; `color`: its ANSI code. */
  row(text: string, head?: { readonly text: string; readonly color: number }): void {
    const before = head === undefined ? "" : `\u001b[${head.color}m${head.text}\u001b[0m `;
    this.#keepRow(`${before}${terminalText(text)}\r\n`);
  }

  /** Ends a pause. Resolves when all rows are written to the terminal, or when `stop` aborts. */
  drained(): Promise<void> {
    this.resume();
    if (this.#isDrained || this.#stop.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      this.#drained.push(resolve);
    });
  }

  /** As `note`, but shows the message at once while paused. */
  noteAtOnce(words: string): void {
    if (this.isPaused) this.#write(noteRow(words));
    this.note(words);
  }

  /** Pauses the output at once. */
  pause(): void {
    this.#pausedAt = this.#next;
    this.#isPauseNoted = false;
    this.#notePause();
  }

  resume(): void {
    this.#pausedAt = undefined;
    this.#print();
  }

  /** Redraws all kept records with the new view choice. */
  choose(choice: Partial<ViewChoice>): void {
    this.#choice = { ...this.#choice, ...choice };
    this.redraw();
  }

  /** Expands or collapses a stack trace. */
  turn(number: number): void {
    if (!this.#open.delete(number)) this.#open.add(number);
    this.redraw();
  }

  /** Clears the terminal and writes all kept entries again; while paused, only the entries before the pause. */
  redraw(): void {
    this.#text = "\u001b[2J\u001b[3J\u001b[H";
    if (this.#dropped > 0) this.#text += noteRow(this.#options.words.notKept(this.#dropped));
    this.#redraw = { end: this.#end, rows: 0, shown: 0, hidden: 0 };
    this.#next = 0;
    this.#hidden = 0;
    this.#waiting = this.#kept;
    this.#isPauseNoted = false;
    this.#print();
  }

  #keepRow(row: string): void {
    this.#keep({ kind: "row", row, size: row.length + overhead });
    this.#print();
  }

  #keep(entry: Entry): void {
    this.#entries.push(entry);
    this.#kept += entry.size;
    this.#waiting += entry.size;
    if (this.#kept > keptCharacters) this.#drop();
  }

  /**
   * Drops the oldest rendered entries until an eighth of the space is free. Drops shown entries only while they use
   * more than half of the space, and hidden entries likewise.
   */
  #drop(): void {
    const entries: Entry[] = [];
    const next = this.#next;
    for (const [at, entry] of this.#entries.entries()) {
      const isHidden = entry.kind === "record" && entry.isHidden;
      const share = isHidden ? this.#hidden : this.#kept - this.#hidden;
      const stays = at >= next || this.#kept <= keptAfterDrop || share <= keptAfterDrop / 2;
      if (stays) {
        entries.push(entry);
        continue;
      }
      this.#kept -= entry.size;
      if (isHidden) this.#hidden -= entry.size;
      if (entry.kind === "record") this.#dropped += 1 + entry.shown.record.rest.length;
    }
    const gone = this.#entries.length - entries.length;
    this.#entries = entries;
    this.#next -= gone;
    if (this.#pausedAt !== undefined) this.#pausedAt -= gone;
    if (this.#redraw !== undefined) this.#redraw.end -= gone;
  }

  /** Writes pending entries: at once if they are few, else at the limited rate. */
  #print(): void {
    if (this.#isResting || this.#stop.aborted) return;
    this.#formatSlice();
    if (this.#waiting <= waitingCharacters) this.#releaseAll();
    if (this.#next < this.#end && this.#text.length < maxWriteCharacters) this.#rest(0);
    else if (this.#text !== "") {
      this.#write("");
      if (this.#isDrained) this.#releaseDrained();
      this.#rest(writeIntervalMs);
    } else {
      this.#notePause();
      if (this.#isDrained) this.#releaseDrained();
    }
  }

  get #isDrained(): boolean {
    return this.#next >= this.#entries.length && this.#text === "";
  }

  get #end(): number {
    return this.#pausedAt ?? this.#entries.length;
  }

  #write(more: string): void {
    const text = this.#text + more;
    this.#text = "";
    this.#options.write(text);
  }

  #notePause(): void {
    if (this.#pausedAt === undefined || this.#isPauseNoted || this.#next < this.#pausedAt) return;
    this.#isPauseNoted = true;
    this.#write(noteRow(this.#options.words.paused));
  }

  #rest(ms: number): void {
    this.#isResting = true;
    const proceed = (): void => {
      this.#isResting = false;
      this.#print();
    };
    // The sleep rejects when the terminal is closed. `#print` then does nothing.
    this.#options.clock.sleep(ms, this.#stop).then(proceed, proceed);
  }

  #formatSlice(): void {
    const max = this.#text.length + sliceCharacters;
    let size = 0;
    for (; this.#next < this.#end; this.#next += 1) {
      const entry = this.#entries[this.#next];
      if (entry === undefined || this.#text.length >= max || size >= sliceSize) return;
      this.#endRedraw();
      this.#waiting -= entry.size;
      size += entry.size;
      const rows = this.#render(entry);
      this.#text += rows;
      if (this.#redraw !== undefined) {
        this.#redraw.rows += rows.split("\n").length - 1;
        if (entry.kind === "record") this.#redraw[entry.isHidden ? "hidden" : "shown"] += 1;
      }
    }
    this.#endRedraw();
  }

  // Writes notes about the redraw. They are not kept, because each redraw writes its own.
  #endRedraw(): void {
    if (this.#redraw === undefined || this.#next < this.#redraw.end) return;
    const { rows, shown, hidden } = this.#redraw;
    this.#redraw = undefined;
    const { heldRows, words } = this.#options;
    if (rows > heldRows()) this.#text += noteRow(words.outOfReach(heldRows()));
    if (isFilteredView(this.#choice)) {
      this.#text += noteRow(words.filtered(this.#choice, { shown, hidden }));
    }
  }

  #render(entry: Entry): string {
    if (entry.kind === "row") return entry.row;
    const { shown } = entry;
    entry.isHidden = !isWanted(shown, this.#choice);
    if (entry.isHidden) {
      this.#hidden += entry.size;
      return "";
    }
    const { labelOf, words } = this.#options;
    const isOpen = this.#open.has(shown.number);
    return renderRecord(shown, labelOf(shown.source), this.#choice, isOpen, words);
  }

  #releaseAll(): void {
    const waiting = this.#release;
    this.#release = [];
    for (const release of waiting) release();
  }

  #releaseDrained(): void {
    const waiting = this.#drained;
    this.#drained = [];
    for (const release of waiting) release();
  }
}

// The number of entries that `before` searches: twice the maximum batch of `followLogs`.
const lookedThrough = 2_000;

const noteRow = (words: string): string => `\u001b[2m-- ${terminalText(words)} --\u001b[0m\r\n`;

const failureRow = (words: string): string => `\u001b[31m-- ${terminalText(words)} --\u001b[0m\r\n`;
