/**
 * True if SPARK_K8S_BENCH_SIZE is "smallest": the run only proves that the bench works. Its figures are not
 * comparable, so targets are not checked.
 */
export const isSmallest = process.env["SPARK_K8S_BENCH_SIZE"] === "smallest";

/** Prints each figure with its target, and at the end how many targets were met and missed. */
export class Targets {
  #met = 0;
  #missed = 0;

  atMost(what: string, figure: number, limit: number, unit: string): void {
    this.#tell(figure <= limit, `${what}: ${shown(figure)} ${unit}, at most ${limit}`);
  }

  atLeast(what: string, figure: number, limit: number, unit: string): void {
    this.#tell(figure >= limit, `${what}: ${shown(figure)} ${unit}, at least ${limit}`);
  }

  /** Prints the totals and sets the exit code to 1 if a target was missed. Does nothing at the smallest size. */
  end(): void {
    if (isSmallest) return;
    console.log(`${this.#met} targets met, ${this.#missed} missed`);
    if (this.#missed > 0) process.exitCode = 1;
  }

  #tell(isMet: boolean, text: string): void {
    if (isSmallest) {
      console.log(`figure ${text}`);
      return;
    }
    if (isMet) this.#met += 1;
    else this.#missed += 1;
    console.log(`${isMet ? "met   " : "MISSED"} ${text}`);
  }
}

const shown = (figure: number): string => figure.toFixed(figure < 10 ? 2 : 0);
