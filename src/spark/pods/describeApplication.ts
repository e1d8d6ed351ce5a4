import type { Application, ExecutorCounts } from "./applications.ts";
import { describeState } from "./describeState.ts";

/** An application's state in words, for the line of a tree: `running, 3 executors (1 pending)`. */
export function describeApplication({ state, counts, executors }: Application): string {
  const words = state.kind === "orphaned" ? "no driver pod" : describeState(state);
  const tail = describeCounts(counts, executors.length);
  return tail === "" ? words : `${words}, ${tail}`;
}

function describeCounts(
  { pending, failed, finished, unknown }: ExecutorCounts,
  all: number,
): string {
  if (all === 0) return "";
  const parts = [
    [pending, "pending"],
    [failed, "failed"],
    [finished, "finished"],
    [unknown, "unknown"],
  ] as const;
  const others = parts.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`);
  const head = all === 1 ? "1 executor" : `${all} executors`;
  return others.length === 0 ? head : `${head} (${others.join(", ")})`;
}
