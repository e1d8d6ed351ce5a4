import type { QuickInputButton, QuickPickItem } from "vscode";
import { disposable, DisposableStore } from "../../base/disposable.ts";
import type { createQuickPick } from "../ui/quickPick.ts";
import { Answering, type AnswerRow, type AnsweringRules } from "./answering.ts";

/** One prompt of a multi-step dialog. */
export interface Question extends AnsweringRules<Choice> {
  readonly title: string;
  readonly placeholder: string;
  readonly step: number;
  readonly totalSteps: number;
  /** Text prefilled in the input. */
  readonly typed?: string | undefined;
  /** Completes the answer after Enter, or returns its error message. */
  readonly resolve?: (value: string) => Promise<ResolvedAnswer>;
  /**
   * Called when the prompt opens. Returns the choices with more descriptions. `signal` aborts when the prompt closes.
   */
  readonly describe?: (signal: AbortSignal) => Promise<readonly Choice[]>;
}

export type ResolvedAnswer = { readonly value: string } | { readonly fault: string };

export interface Choice extends QuickPickItem {
  readonly value: string;
  /** Prompts for the value, for example in a file dialog. Undefined returns to the quick pick. */
  readonly browse?: () => Promise<string | undefined>;
}

export type Answer =
  { readonly kind: "answer"; readonly value: string } | { readonly kind: "back" };

/** Shows a prompt as a quick pick. Undefined if the user cancels. */
export type AskQuestion = (question: Question) => Promise<Answer | undefined>;

/** The quick pick of one prompt; disposed when the prompt ends. */
export type QuestionPick = ReturnType<typeof createQuickPick<Choice | AnswerRow>>;

/** Shows one prompt in `pick`, which it disposes at the end. Undefined if the user cancels. */
export function askInPick(
  pick: QuestionPick,
  question: Question,
  back: QuickInputButton,
): Promise<Answer | undefined> {
  const owned = new DisposableStore();
  const answering = new Answering<Choice>(question);
  owned.add(pick);
  pick.title = question.title;
  pick.placeholder = question.placeholder;
  pick.step = question.step;
  pick.totalSteps = question.totalSteps;
  pick.ignoreFocusOut = true;
  pick.matchOnDescription = true;
  pick.buttons = question.step > 1 ? [back] : [];
  pick.value = question.typed ?? "";
  pick.items = answering.type(pick.value);
  return new Promise((resolve, reject) => {
    // True while a file dialog is open. The dialog can hide the quick pick, which is shown again afterwards.
    let isBrowsing = false;
    const answer = (value: string): void => {
      resolve({ kind: "answer", value });
      pick.hide();
    };
    const browse = async (open: () => Promise<string | undefined>): Promise<void> => {
      isBrowsing = true;
      const value = await open();
      isBrowsing = false;
      if (value === undefined) pick.show();
      else {
        answer(value);
        owned.dispose();
      }
    };
    const resolveAnswer = async (row: Choice | AnswerRow): Promise<void> => {
      const text = pick.value;
      pick.busy = true;
      const resolved = (await question.resolve?.(row.value)) ?? row;
      pick.busy = false;
      // Drop the result if the user has changed the text or closed the quick pick.
      if (owned.isDisposed || pick.value !== text) return;
      if ("fault" in resolved) pick.items = answering.refuse(row, resolved.fault);
      else answer(resolved.value);
    };
    const describe = async (signal: AbortSignal): Promise<void> => {
      const choices = await question.describe?.(signal);
      if (choices === undefined || owned.isDisposed) return;
      const { rows, active } = answering.redescribe(choices);
      pick.items = rows;
      if (active !== undefined) pick.activeItems = [active];
    };
    owned.add(
      pick.onDidChangeValue((text) => {
        const rows = answering.type(text);
        if (rows !== pick.items) pick.items = rows;
      }),
    );
    owned.add(
      pick.onDidChangeActive(([active]) => {
        answering.activate(active);
      }),
    );
    owned.add(
      pick.onDidAccept(() => {
        const row = answering.accept();
        if (row === undefined) {
          const rows = answering.refuseEmpty();
          if (rows !== pick.items) pick.items = rows;
          return;
        }
        if ("browse" in row) browse(row.browse).catch(reject);
        else resolveAnswer(row).catch(reject);
      }),
    );
    owned.add(
      pick.onDidTriggerButton(() => {
        resolve({ kind: "back" });
        pick.hide();
      }),
    );
    owned.add(
      pick.onDidHide(() => {
        if (isBrowsing) return;
        resolve(undefined);
        owned.dispose();
      }),
    );
    pick.show();
    const closed = new AbortController();
    owned.add(
      disposable(() => {
        closed.abort();
      }),
    );
    describe(closed.signal).catch(reject);
  });
}

/**
 * Shows the prompts in turn; Back returns to the previous one. `known`: answers that the user has already given, which
 * are part of the result. Undefined if the user cancels.
 */
export async function askInTurn<K extends string>(
  keys: readonly K[],
  questionFor: QuestionFor<K>,
  ask: AskQuestion,
  known: ReadonlyMap<K, string> = new Map(),
): Promise<ReadonlyMap<K, string> | undefined> {
  const answers = new Map(known);
  const asked: number[] = [];
  let at = 0;
  for (;;) {
    const key = keys[at];
    if (key === undefined) return answers;
    // Skip a prompt whose answer is known, or that earlier answers make unnecessary.
    const question = known.has(key) ? undefined : await questionFor(key, asked.length + 1, answers);
    if (question === undefined) {
      // The user may have answered it before going back.
      if (!known.has(key)) answers.delete(key);
      at += 1;
      continue;
    }
    const answer = await ask(question);
    if (answer === undefined) return undefined;
    if (answer.kind === "back") {
      at = asked.pop() ?? 0;
      continue;
    }
    answers.set(key, answer.value);
    asked.push(at);
    at += 1;
  }
}

/** Returns the prompt for a key; undefined if earlier answers make it unnecessary. */
export type QuestionFor<K extends string> = (
  key: K,
  step: number,
  answers: ReadonlyMap<K, string>,
) => Promise<Question | undefined>;
