/** Use `seconds` for events whose times users compare. */
type Precision = "minutes" | "seconds";

/** Formats epoch milliseconds as `19:07` or `19:07:11` in local time, with 24 hours, as logs and the Spark UI do. */
export const timeOfDay = (at: number, precision: Precision = "minutes"): string =>
  dateAndTime(at, precision).replace(/^\S+ /, "");

/** Like `timeOfDay`, with the date before the time: `2026-01-02 19:07`. */
export const dateAndTime = (at: number, precision: Precision = "minutes"): string =>
  precision === "seconds" ? localTime(at) : localTime(at).replace(/:\d\d$/, "");

/** Like `timeOfDay`, with the date before the time unless it is today. `at`, `now`: milliseconds since the epoch. */
export const recentTime = (at: number, now: number, precision: Precision = "minutes"): string =>
  new Date(at).toDateString() === new Date(now).toDateString()
    ? timeOfDay(at, precision)
    : dateAndTime(at, precision);

/** Formats a timestamp as `19:03:21.123` in local time. Returns spaces of the same width for an invalid timestamp. */
export function clockOfStamp(stamp: string): string {
  // Timestamps of the log API have nanoseconds; `Date` keeps milliseconds.
  const date = new Date(Date.parse(stamp));
  if (Number.isNaN(date.getTime())) return " ".repeat("19:03:21.123".length);
  const [hours, minutes, seconds] = [date.getHours(), date.getMinutes(), date.getSeconds()].map(
    (part) => String(part).padStart(2, "0"),
  );
  return `${hours ?? ""}:${minutes ?? ""}:${seconds ?? ""}.${String(date.getMilliseconds()).padStart(3, "0")}`;
}

const two = (value: number): string => String(Math.trunc(value)).padStart(2, "0");

/**
 * Formats epoch milliseconds as `2026-01-02 03:04:05` in local time, which sorts as text. Returns `–` for an invalid
 * time.
 */
export function localTime(at: number): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return "–";
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join("-");
  return `${day} ${[date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(":")}`;
}

/** Like `localTime`, followed by the time zone, for text that leaves this machine: `2026-01-02 03:04:05 +01:00`. */
export function zonedTime(at: number): string {
  const minutes = -new Date(at).getTimezoneOffset();
  if (Number.isNaN(minutes)) return localTime(at);
  const size = Math.abs(minutes);
  return `${localTime(at)} ${minutes < 0 ? "-" : "+"}${two(size / 60)}:${two(size % 60)}`;
}
