import { numberedMask } from "../../redact.ts";
import type { WithoutSecrets } from "./heldSecrets.ts";
import { fillVariables } from "./variables.ts";

/** A definition in which numbers replace secrets and the variables that the user has answered. */
export interface HeldDefinition<T> {
  readonly value: T;
  /** The texts that replace the numbers in a run. `putBackSecrets` fills them in. */
  readonly filled: readonly string[];
  /** Like `filled`, but with the variables as written. */
  readonly written: readonly string[];
}

/**
 * Puts numbers in place of the variables that the user has answered; they continue the numbers of the secrets. The
 * editor then does not ask for these variables again, and does not store the answers with the task.
 */
export function takeOutAnswers<T>(
  { value, secrets }: WithoutSecrets<T>,
  answers: ReadonlyMap<string, string>,
): HeldDefinition<T> {
  const held: string[] = [...secrets];
  const mask = numberedMask(held);
  const numbers = new Map([...answers.keys()].map((written) => [written, mask(written)]));
  // Safe cast: only strings are replaced, by strings.
  return {
    value: fillVariables(value, numbers) as T,
    filled: fillVariables(held, answers) as readonly string[],
    written: held,
  };
}
