const days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const months = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

/** Formats epoch milliseconds like java.util.Date in UTC: `Thu Jan 01 00:00:00 UTC 1970`. */
export function utcDate(now: number): string {
  const date = new Date(now);
  const two = (number: number): string => `${number}`.padStart(2, "0");
  const time = [date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds()].map(two).join(":");
  const day = `${days[date.getUTCDay()] ?? ""} ${months[date.getUTCMonth()] ?? ""}`;
  return `${day} ${two(date.getUTCDate())} ${time} UTC ${date.getUTCFullYear()}`;
}
