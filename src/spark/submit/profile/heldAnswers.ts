import { numberedMask } from "../../redact.ts";
import type { WithoutSecrets } from "./heldSecrets.ts";
import { fillVariables } from "./variables.ts";

/** A definition with numbers in place of its secrets and of answered variables. */
export interface HeldDefinition<T> {
  readonly value: T;
  /** The texts behind the numbers in a run; `putBackSecrets` fills them in. */
  readonly filled: readonly string[];
  /** The same, with the variables as written. */
  readonly written: readonly string[];
}

/**
 * Replaces variables that the user has answered by numbers after those of the secrets: the editor does not ask for them
 * again, and does not store the answers with the task.
 */
export function takeOutAnswers<T>(
  { value, secrets }: WithoutSecrets<T>,
  answers: ReadonlyMap<string, string>,
): HeldDefinition<T> {
  const held: string[] = [...secrets];
  const mask = numberedMask(held);
  const numbers = new Map([...answers.keys()].map((written) => [written, mask(written)]));
  // Replacing texts keeps the shape.
  return {
    value: fillVariables(value, numbers) as T,
    filled: fillVariables(held, answers) as readonly string[],
    written: held,
  };
}
