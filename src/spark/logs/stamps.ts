/** Compares RFC 3339 timestamps with up to nine decimals and any offset. */
export function compareStamps(a: string, b: string): number {
  if (a.length === b.length && offsetOf(a) === offsetOf(b)) return a < b ? -1 : a > b ? 1 : 0;
  const [left, right] = [splitStamp(a), splitStamp(b)];
  return left.seconds - right.seconds || left.nanoseconds - right.nanoseconds;
}

/** A timestamp as two numbers; an empty one sorts first. */
export class ParsedTimestamp {
  seconds = -Infinity;
  nanoseconds = 0;
  /** Cache of the last UTC timestamp up to the second, because the next timestamp usually has the same second. */
  #prefix = "";
  #prefixSeconds = 0;

  read(stamp: string): void {
    if (stamp === "") {
      this.seconds = -Infinity;
      this.nanoseconds = 0;
    } else if (!this.#readUtc(stamp)) {
      const { seconds, nanoseconds } = splitStamp(stamp);
      this.seconds = Number.isNaN(seconds) ? -Infinity : seconds;
      this.nanoseconds = nanoseconds;
    }
  }

  copy({ seconds, nanoseconds }: ParsedTimestamp): void {
    this.seconds = seconds;
    this.nanoseconds = nanoseconds;
  }

  isAfter({ seconds, nanoseconds }: ParsedTimestamp): boolean {
    return this.seconds > seconds || (this.seconds === seconds && this.nanoseconds > nanoseconds);
  }

  /** Reads `2026-01-02T03:04:05.123456789Z` on a fast path. Returns false for other forms. */
  #readUtc(stamp: string): boolean {
    const end = stamp.length - 1;
    if (end <= dotAt || end > dotAt + 10) return false;
    if (stamp.charCodeAt(end) !== letterZ || stamp.charCodeAt(dotAt) !== dot) return false;
    let nanoseconds = 0;
    for (let at = dotAt + 1; at <= dotAt + 9; at += 1) {
      const digit = at < end ? stamp.charCodeAt(at) - digit0 : 0;
      if (digit < 0 || digit > 9) return false;
      nanoseconds = nanoseconds * 10 + digit;
    }
    if (this.#prefix === "" || !stamp.startsWith(this.#prefix)) {
      const prefix = stamp.slice(0, dotAt);
      const seconds = Date.parse(`${prefix}Z`) / 1000;
      if (Number.isNaN(seconds)) return false;
      this.#prefix = prefix;
      this.#prefixSeconds = seconds;
    }
    this.seconds = this.#prefixSeconds;
    this.nanoseconds = nanoseconds;
    return true;
  }
}

const dotAt = 19;
const [dot, digit0] = [0x2e, 0x30];

const offsetOf = (stamp: string): string =>
  stamp.charCodeAt(stamp.length - 1) === letterZ ? "Z" : stamp.slice(-6);

const letterZ = 0x5a;

function splitStamp(stamp: string): { readonly seconds: number; readonly nanoseconds: number } {
  const decimals = /\.(\d+)/.exec(stamp);
  const whole = decimals === null ? stamp : stamp.replace(decimals[0], "");
  return {
    seconds: Date.parse(whole) / 1000,
    nanoseconds: Number((decimals?.[1] ?? "").padEnd(9, "0").slice(0, 9)),
  };
}
