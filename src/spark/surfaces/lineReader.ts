/** The lexical context of a place in a line. */
interface PlaceInLine {
  readonly isComment: boolean;
  /** The open quote. Between backticks, the backtick, because an earlier apostrophe may belong to prose. */
  readonly openQuote: string | undefined;
}

/** Reads the lines of a text once, for places in ascending order. */
export class LineReader {
  readonly #text: string;
  #at = 0;
  #lineStart = 0;
  #quote: string | undefined;
  #isInCode = false;

  constructor(text: string) {
    this.#text = text;
  }

  /** Reads up to a place, and returns its context. Places must be in ascending order. */
  advanceTo(place: number): PlaceInLine {
    // Skips to the line of the place, because the context depends only on this line.
    const lineStart = this.#text.lastIndexOf("\n", place - 1);
    if (lineStart > this.#at && place > 0) this.#at = lineStart;
    for (; this.#at < place; this.#at++) this.#take(this.#text.charAt(this.#at));
    const start = this.#text.slice(this.#lineStart, Math.min(place, this.#lineStart + 200));
    return {
      isComment: /^[ \t]*(?:#|\/\/|REM\b|::)/i.test(start),
      openQuote: this.#isInCode ? "`" : this.#quote,
    };
  }

  #take(char: string): void {
    if (char === "\n") {
      this.#lineStart = this.#at + 1;
      this.#quote = undefined;
      this.#isInCode = false;
    } else if (char === "\\") {
      // Skips an escaped character, which cannot be a quote. An escaped line end still ends the line.
      if (this.#text.charAt(this.#at + 1) !== "\n") this.#at++;
    } else if (char === "`") {
      this.#isInCode = !this.#isInCode;
    } else if (char === this.#quote) {
      this.#quote = undefined;
    } else if (this.#quote === undefined && (char === '"' || char === "'")) {
      this.#quote = char;
    }
  }
}
