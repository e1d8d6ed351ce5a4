import { msg, type Message } from "../base/message.ts";

/** Formats a duration: `2.1 s`, `42 s`, `9 min 36 s`, `3 h 5 min`. Negative durations count as zero. */
export function describeDuration(ms: number): Message {
  const exact = Math.max(0, ms) / 1000;
  if (exact < 9.95) return msg`${exact.toFixed(1)} s`;
  const seconds = Math.round(exact);
  if (seconds < 100) return msg`${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 100) return msg`${minutes} min ${seconds % 60} s`;
  return msg`${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
