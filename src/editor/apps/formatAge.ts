import { msg, type MessageText } from "../../base/message.ts";

/**
 * Formats an age in one unit: `42 s`, `4 min`, `3 h`, `2 d`. Returns empty text for an unreadable time. A time in the
 * future returns `0 s`, because the clocks may differ. `now`: epoch milliseconds.
 */
export function formatAge(time: string, now: number): MessageText {
  const then = Date.parse(time);
  if (Number.isNaN(then)) return "";
  const seconds = Math.max(0, Math.floor((now - then) / 1000));
  if (seconds < 60) return msg`${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return msg`${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return msg`${hours} h`;
  return msg`${Math.floor(hours / 24)} d`;
}

/** As `formatAge`, but empty below one minute, for rows that are redrawn once a minute. */
export const formatMinutes = (time: string, now: number): MessageText =>
  now - Date.parse(time) < 60_000 ? "" : formatAge(time, now);
