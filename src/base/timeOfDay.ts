/** `seconds`: for events that are compared. */
type Precision = "minutes" | "seconds";

const styles = { minutes: "short", seconds: "medium" } as const;

/** `7:07 PM` or `7:07:11 PM`, in local time and the format of the user. `at`: milliseconds since the epoch. */
export const timeOfDay = (at: number, precision: Precision = "minutes"): string =>
  new Date(at).toLocaleTimeString(undefined, { timeStyle: styles[precision] });

/** As `timeOfDay`, after the date. */
export const dateAndTime = (at: number, precision: Precision = "minutes"): string =>
  new Date(at).toLocaleString(undefined, { dateStyle: "short", timeStyle: styles[precision] });

/** The time of day, after the date if that is not today's. */
export const recentTime = (at: number, now: number, precision: Precision = "minutes"): string =>
  new Date(at).toDateString() === new Date(now).toDateString()
    ? timeOfDay(at, precision)
    : dateAndTime(at, precision);

/** `19:03:21.123` in local time; blanks of the same width for an unreadable timestamp. */
export function clockOfStamp(stamp: string): string {
  // The log API stamps nanoseconds; a date has milliseconds.
  const date = new Date(Date.parse(stamp));
  if (Number.isNaN(date.getTime())) return " ".repeat("19:03:21.123".length);
  const [hours, minutes, seconds] = [date.getHours(), date.getMinutes(), date.getSeconds()].map(
    (part) => String(part).padStart(2, "0"),
  );
  return `${hours ?? ""}:${minutes ?? ""}:${seconds ?? ""}.${String(date.getMilliseconds()).padStart(3, "0")}`;
}

const two = (value: number): string => String(Math.trunc(value)).padStart(2, "0");

/** `2026-01-02 03:04:05` in local time, which sorts as text; `–` for a time that no date has. */
export function localTime(at: number): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return "–";
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join("-");
  return `${day} ${[date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(":")}`;
}

/** As `localTime`, before its time zone, for texts that leave this machine: `2026-01-02 03:04:05 +01:00`. */
export function zonedTime(at: number): string {
  const minutes = -new Date(at).getTimezoneOffset();
  if (Number.isNaN(minutes)) return localTime(at);
  const size = Math.abs(minutes);
  return `${localTime(at)} ${minutes < 0 ? "-" : "+"}${two(size / 60)}:${two(size % 60)}`;
}
