import type { Memento } from "vscode";
import { takeOutOfText } from "../../spark/submit/profile/heldSecrets.ts";

// The number of stored answers to each prompt: enough to switch between a few applications.
const answersKept = 5;

const memoryKey = (key: string): string => `submit.${key}`;

/**
 * Previous answers to the prompts of a submission, without their secrets. New answers are stored once the cluster has
 * accepted the submission. Until then, only this window suggests them.
 */
export class AnswerMemory {
  readonly #memory: Memento;
  #pending: ReadonlyMap<string, string> = new Map();

  constructor(memory: Memento) {
    this.#memory = memory;
  }

  /** Returns the previous answers, the latest first, also those that the cluster has not accepted. */
  recall(key: string): readonly string[] {
    const pending = this.#pending.get(key);
    const stored = this.accepted(key);
    return pending === undefined ? stored : withLatest(pending, stored);
  }

  /** Returns the answers of accepted submissions, the latest first. */
  accepted(key: string): readonly string[] {
    return this.#memory.get<readonly string[]>(memoryKey(key), []);
  }

  /**
   * Makes `recall` return these answers first, until `hold` is called again or the cluster has accepted them. Removes
   * their secrets.
   */
  hold(answers: ReadonlyMap<string, string>): void {
    this.#pending = new Map([...answers].map(([key, text]) => [key, takeOutOfText(text).value]));
  }

  /** Begins a submission with the held answers. Call the returned function when the cluster has accepted it. */
  submit(): () => Promise<void> {
    const answers = this.#pending;
    return async () => {
      if (this.#pending === answers) this.#pending = new Map();
      for (const [key, answer] of answers) {
        const kept = withLatest(answer, this.accepted(key)).slice(0, answersKept);
        await this.#memory.update(memoryKey(key), kept);
      }
    };
  }
}

const withLatest = (answer: string, others: readonly string[]): readonly string[] => [
  answer,
  ...others.filter((other) => other !== answer),
];
