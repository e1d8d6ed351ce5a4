/** Which of two RFC 3339 stamps is later; nodes write them with up to nine decimals and with any offset. */
export function compareStamps(a: string, b: string): number {
  if (a.length === b.length && offsetOf(a) === offsetOf(b)) return a === b ? 0 : a < b ? -1 : 1;
  const [left, right] = [splitStamp(a), splitStamp(b)];
  return left.seconds - right.seconds || left.nanoseconds - right.nanoseconds;
}

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
