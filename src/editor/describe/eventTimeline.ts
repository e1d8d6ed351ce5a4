import type { ObjectEvent } from "../../spark/diagnosis/objectEvents.ts";

/**
 * Formats the events as aligned lines, the oldest first. `timeOf`: formats epoch milliseconds in local time. `redact`:
 * redacts messages.
 */
export function eventTimeline(
  events: readonly ObjectEvent[],
  timeOf: (at: number) => string,
  redact: (text: string) => string,
): readonly string[] {
  const rows = timedEvents(events)
    .toSorted((a, b) => (Number.isNaN(a.at) ? 0 : a.at) - (Number.isNaN(b.at) ? 0 : b.at))
    .map(({ event: { event, kind, name }, at }) => ({
      columns: [
        Number.isNaN(at) ? event.lastAt : timeOf(at),
        event.isWarning ? "Warning" : "Normal",
        event.reason,
        kind === "Pod" ? name : `${kind} ${name}`,
      ],
      text: `${redact(event.message.replaceAll(/\s+/g, " ").trim())}${event.count > 1 ? ` (${event.count}×)` : ""}`,
    }));
  const widths = [0, 1, 2, 3].map((column) =>
    Math.min(maxColumn, Math.max(0, ...rows.map(({ columns }) => columns[column]?.length ?? 0))),
  );
  return rows.map(({ columns, text }) =>
    [...columns.map((cell, column) => cell.padEnd(widths[column] ?? 0)), text].join("  ").trimEnd(),
  );
}

/**
 * Returns the events with times to sort by. Parses the times into epoch milliseconds, because the server writes them
 * with and without fractions. Events of an object are listed in the order of their creation. So within a second, an
 * event gets at least the time of the previous event.
 */
function timedEvents(
  events: readonly ObjectEvent[],
): readonly { readonly event: ObjectEvent; readonly at: number }[] {
  const latest = new Map<string, number>();
  const secondOf = (at: number): number => Math.floor(at / 1000);
  return events.map((event) => {
    const own = Date.parse(event.event.lastAt);
    const before = latest.get(event.uid) ?? own;
    const at = secondOf(before) === secondOf(own) ? Math.max(before, own) : own;
    latest.set(event.uid, at);
    return { event, at };
  });
}

// Maximum width of an aligned column in characters. A longer name shifts only its own line.
const maxColumn = 60;
