/**
 * Addresses for pods. On Linux all of 127.0.0.0/8 leads to the machine itself, so each pod has its own, of a
 * part that `seed` picks: two sandboxes of one machine seldom meet. Elsewhere there is one for all, and Spark's
 * own search for a free port tells them apart.
 */
export class Addresses {
  readonly #network: number | undefined;
  readonly #taken = new Set<number>();
  #next = 1;

  constructor(platform: NodeJS.Platform, seed: number) {
    this.#network = platform === "linux" ? 1 + (seed % 250) : undefined;
  }

  take(): string {
    if (this.#network === undefined) return "127.0.0.1";
    for (let tried = 0; tried < last; tried += 1) {
      const number = this.#next;
      this.#next = (this.#next % last) + 1;
      if (this.#taken.has(number)) continue;
      this.#taken.add(number);
      return `127.${this.#network}.${number >> 8}.${number & 255}`;
    }
    throw new Error("all addresses of the node are taken");
  }

  free(address: string): void {
    const [, , third, fourth] = address.split(".").map(Number);
    this.#taken.delete(((third ?? 0) << 8) + (fourth ?? 0));
  }
}

const last = 65_534;
