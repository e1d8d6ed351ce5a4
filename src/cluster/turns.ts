/**
 * Work that comes in pieces from many sides at once: one piece in each turn of the event loop, in the order in
 * which they came, so that whatever else there is to do has its turn in between.
 */
export class Turns {
  readonly #waiting: (() => void)[] = [];
  #isUnderWay = false;

  /** Settles when the piece has its turn; the piece is what follows without another wait. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      if (this.#isUnderWay) return;
      this.#isUnderWay = true;
      setImmediate(this.#give);
    });
  }

  readonly #give = (): void => {
    const piece = this.#waiting.shift();
    this.#isUnderWay = piece !== undefined;
    if (piece === undefined) return;
    piece();
    setImmediate(this.#give);
  };
}
