import { numberedMask } from "../../redact.ts";
import type { WithoutSecrets } from "./heldSecrets.ts";
import { fillVariables } from "./variables.ts";

/** A definition in which numbered placeholders replace secrets and variables that already have values. */
export interface HeldDefinition<T> {
  readonly value: T;
  /** The texts of the placeholders in a run, by number from 1. `putBackSecrets` inserts them. */
  readonly filled: readonly string[];
  /** Like `filled`, but with the variables as written. */
  readonly written: readonly string[];
}

/**
 * Replaces the variables in `answers` with placeholders, numbered after those of the secrets. VS Code then does not
 * prompt for these variables again, and does not store their values with the task. `answers`: values by variable, as
 * written.
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
