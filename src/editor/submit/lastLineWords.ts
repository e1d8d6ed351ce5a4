import { inEnglish, msg, verbatim, type Message } from "../../base/message.ts";
import type { Diagnosis } from "../../spark/diagnosis/diagnosis.ts";

/** The diagnosis rules whose cause is only the exit code. */
const withoutCause: readonly string[] = ["D12", "D103"];

/** Returns `failed: exit code 1 · not found: in.csv`, with the exit code once. `state`: already translated. */
export function lastLineWords(
  state: string,
  cause: Pick<Diagnosis, "id" | "fact"> | undefined,
): Message {
  if (cause === undefined || withoutCause.includes(cause.id)) return verbatim(state);
  return /exit code \d+$/.test(inEnglish(cause.fact))
    ? msg`failed: ${cause.fact}`
    : msg`${state} · ${cause.fact}`;
}
