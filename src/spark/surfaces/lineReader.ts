/** The lexical context of a place in a line. */
interface PlaceInLine {
  readonly isComment: boolean;
  /** The quote that is open there. In prose an apostrophe is none within code. */
  readonly openQuote: string | undefined;
}

/** Goes through the lines of a text once, from place to place. */
export class LineReader {
  readonly #text: string;
  #at = 0;
  #lineStart = 0;
  #quote: string | undefined;
  #isInCode = false;

  constructor(text: string) {
    this.#text = text;
  }

  /** The places must come in the order of the text. */
  advanceTo(place: number): PlaceInLine {
    // Nothing but what stands on its line tells of a place.
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
      // An escaped character has no meaning, except a line end.
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
