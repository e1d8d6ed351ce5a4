/**
 * Assigns addresses to pods. On Linux all of 127.0.0.0/8 is loopback, so each pod gets its own address from a /16 that
 * `seed` selects; two sandboxes on one machine rarely share it. Elsewhere all pods share 127.0.0.1, and Spark
 * searches for a free port.
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
