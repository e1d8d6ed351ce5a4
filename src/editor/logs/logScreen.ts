import type { Clock } from "../../engine/ports.ts";
import type { LogRecord } from "../../spark/logs/logRecord.ts";
import type { MergedRecord } from "../../spark/logs/mergeWindow.ts";
import {
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
  /** Of what has been shown anew, a terminal holds its last rows only. */
  outOfReach(rows: number): string;
}

export interface ScreenOptions {
  readonly write: (text: string) => void;
  readonly clock: Clock;
  readonly words: ScreenWords;
  readonly labelOf: (source: string) => SourceLabel;
  /** How many rows the terminal holds above the one that it shows. */
  readonly heldRows: () => number;
}

type Entry =
  | {
      readonly kind: "record";
      readonly shown: ShownRecord;
      readonly size: number;
      /** Whether the choice hid it when its turn came. */
      isHidden: boolean;
    }
  | { readonly kind: "note"; readonly text: string; readonly size: number };

// A terminal takes any amount at once and stalls the window later, so a flood is held to this rate: ten million
// characters a second, told ten times a second, and formatted in slices that fit into a frame.
const toldCharacters = 1 << 20;
const toldEveryMs = 100;
const sliceCharacters = 1 << 18;
/** Of what is looked at, shown or not. */
const sliceSize = 4 << 20;
/** What is kept to be shown anew when the reader chooses otherwise, with what each record costs beside its text. */
const keptCharacters = 12 << 20;
const overhead = 120;
// Much at once, as all that stays is looked at for it.
const keptAfterDrop = keptCharacters - (keptCharacters >> 3);
/** What may wait to be shown before the logs have to wait. */
const waitingCharacters = 2 << 20;

/**
 * What a terminal shows of logs. All that came is kept, within bounds, whatever is filtered, so that another
 * choice shows it anew; a flood that is filtered out takes no room from what is shown. While the reader pauses,
 * the logs wait where they are.
 */
export class LogScreen {
  readonly #options: ScreenOptions;
  readonly #stop: AbortSignal;
  readonly #traces = new TraceCounts();
  readonly #open = new Set<number>();
  #entries: Entry[] = [];
  /** The first entry that has not been shown yet. */
  #next = 0;
  #number = 0;
  #kept = 0;
  /** Of what is kept, what was hidden when its turn came. */
  #hidden = 0;
  #waiting = 0;
  /** In lines. */
  #dropped = 0;
  /** The first entry that is not shown before the reader goes on. */
  #pausedAt: number | undefined;
  #isPauseTold = false;
  #choice = wholeView;
  /** Formatted, and not yet told to the terminal. */
  #text = "";
  #isResting = false;
  /** While what is kept is shown anew: where that ends, and how many rows it has so far. */
  #anew: { end: number; rows: number } | undefined;
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
    return this.#pausedAt !== undefined;
  }

  /** What is kept, the oldest first. */
  get records(): readonly ShownRecord[] {
    return this.#entries.flatMap((entry) => (entry.kind === "record" ? [entry.shown] : []));
  }

  /** Traces that are folded now, the newest first. */
  get foldedTraces(): readonly ShownRecord[] {
    if (!this.#choice.folded) return [];
    return this.records
      .filter(({ number, record }) => isFoldable(record) && !this.#open.has(number))
      .filter((one) => isWanted(one, this.#choice))
      .reverse();
  }

  /** The last records of the same log before one that has just come. */
  before({ source, number }: ShownRecord, most: number): readonly LogRecord[] {
    const found: LogRecord[] = [];
    const farthest = Math.max(0, this.#entries.length - lookedThrough);
    for (let at = this.#entries.length - 1; at >= farthest && found.length < most; at -= 1) {
      const entry = this.#entries[at];
      if (entry?.kind !== "record") continue;
      const { shown } = entry;
      if (shown.source === source && shown.number < number) found.push(shown.record);
    }
    return found.reverse();
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
      const size = one.record.size + overhead;
      this.#keep({ kind: "record", shown: one, size, isHidden: false });
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
    this.#keep({ kind: "note", text: words, size: words.length + overhead });
    this.#print();
  }

  /** A note that no reader should miss: who pauses reads it at once, and again in its place. */
  noteAtOnce(words: string): void {
    if (this.isPaused) this.#tell(noteRow(words));
    this.note(words);
  }

  /** Stops where the screen stands and says so at once, however much waits. */
  pause(): void {
    this.#pausedAt = this.#next;
    this.#isPauseTold = false;
    this.#tellPause();
  }

  goOn(): void {
    this.#pausedAt = undefined;
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

  /** While the reader pauses, as far as it had been shown. */
  showAnew(): void {
    this.#text = "\u001b[2J\u001b[3J\u001b[H";
    if (this.#dropped > 0) this.#text += noteRow(this.#options.words.notKept(this.#dropped));
    this.#anew = { end: this.#end, rows: 0 };
    this.#next = 0;
    this.#hidden = 0;
    this.#waiting = this.#kept;
    this.#isPauseTold = false;
    this.#print();
  }

  #keep(entry: Entry): void {
    this.#entries.push(entry);
    this.#kept += entry.size;
    this.#waiting += entry.size;
    if (this.#kept > keptCharacters) this.#drop();
  }

  /** The oldest of what was shown or of what was hidden, whichever takes more than half of the room. */
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
    if (this.#anew !== undefined) this.#anew.end -= gone;
  }

  /** Shows what waits, at once where it is little and nothing was just told; else at a pace that the window bears. */
  #print(): void {
    if (this.#isResting || this.#stop.aborted) return;
    this.#formatSlice();
    if (this.#waiting <= waitingCharacters) this.#releaseAll();
    if (this.#next < this.#end && this.#text.length < toldCharacters) this.#rest(0);
    else if (this.#text !== "") {
      this.#tell("");
      this.#rest(toldEveryMs);
    } else {
      this.#tellPause();
    }
  }

  get #end(): number {
    return this.#pausedAt ?? this.#entries.length;
  }

  #tell(more: string): void {
    const text = this.#text + more;
    this.#text = "";
    this.#options.write(text);
  }

  #tellPause(): void {
    if (this.#pausedAt === undefined || this.#isPauseTold || this.#next < this.#pausedAt) return;
    this.#isPauseTold = true;
    this.#tell(noteRow(this.#options.words.paused));
  }

  #rest(ms: number): void {
    this.#isResting = true;
    const goOn = (): void => {
      this.#isResting = false;
      this.#print();
    };
    // Rejects when the view is closed, and then nothing is shown any more.
    this.#options.clock.sleep(ms, this.#stop).then(goOn, goOn);
  }

  #formatSlice(): void {
    const most = this.#text.length + sliceCharacters;
    let size = 0;
    for (; this.#next < this.#end; this.#next += 1) {
      const entry = this.#entries[this.#next];
      if (entry === undefined || this.#text.length >= most || size >= sliceSize) return;
      this.#endAnew();
      this.#waiting -= entry.size;
      size += entry.size;
      const rows = this.#render(entry);
      this.#text += rows;
      if (this.#anew !== undefined) this.#anew.rows += rows.split("\n").length - 1;
    }
    this.#endAnew();
  }

  // Not kept, as little as the pause's: shown anew, they stand below what is shown then.
  #endAnew(): void {
    if (this.#anew === undefined || this.#next < this.#anew.end) return;
    const { rows } = this.#anew;
    this.#anew = undefined;
    const { heldRows, words } = this.#options;
    if (rows > heldRows()) this.#text += noteRow(words.outOfReach(heldRows()));
  }

  #render(entry: Entry): string {
    if (entry.kind === "note") return noteRow(entry.text);
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
}

// What one batch brings, and as much again.
const lookedThrough = 2_000;

const noteRow = (words: string): string => `\u001b[2m-- ${terminalText(words)} --\u001b[0m\r\n`;
