import { inEnglish, msg, verbatim, type Message } from "../../base/message.ts";
import type { Diagnosis } from "../../spark/diagnosis/diagnosis.ts";

/** The rules that know no more than the exit code. */
const withoutCause: readonly string[] = ["D12", "D103"];

/** `failed: exit code 1 · not found: in.csv`; the exit code is named once. `state`: in the language of the user. */
export function lastLineWords(
  state: string,
  cause: Pick<Diagnosis, "id" | "fact"> | undefined,
): Message {
  if (cause === undefined || withoutCause.includes(cause.id)) return verbatim(state);
  return /exit code \d+$/.test(inEnglish(cause.fact))
    ? msg`failed: ${cause.fact}`
    : msg`${state} · ${cause.fact}`;
}
