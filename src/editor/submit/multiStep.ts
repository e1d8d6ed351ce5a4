import { l10n, QuickInputButtons, window, type QuickPickItem } from "vscode";
import { DisposableStore } from "../../base/disposable.ts";

/** One question of a multi-step dialog. */
export interface Question {
  readonly title: string;
  readonly placeholder: string;
  /** Answers to choose from; the first is preselected. */
  readonly choices: readonly Choice[];
  /** Undefined: only the choices count. Otherwise typed text is an answer when this finds no fault in it. */
  readonly validate: ((text: string) => string | undefined) | undefined;
  readonly step: number;
  readonly totalSteps: number;
}

export interface Choice extends QuickPickItem {
  readonly value: string;
}

export type Answer =
  { readonly kind: "answer"; readonly value: string } | { readonly kind: "back" };

/** Asks one question. Undefined: the dialog was left with Escape. */
export function ask(question: Question): Promise<Answer | undefined> {
  const owned = new DisposableStore();
  const pick = owned.add(window.createQuickPick<Choice>());
  pick.title = question.title;
  pick.placeholder = question.placeholder;
  pick.step = question.step;
  pick.totalSteps = question.totalSteps;
  pick.ignoreFocusOut = true;
  pick.matchOnDescription = true;
  pick.buttons = question.step > 1 ? [QuickInputButtons.Back] : [];
  pick.items = question.choices;
  return new Promise((resolve) => {
    owned.add(
      pick.onDidChangeValue((text) => {
        pick.items = withTyped(question, text);
      }),
    );
    owned.add(
      pick.onDidAccept(() => {
        // Who types and confirms at once is ahead of the list, which then has no row for the text yet.
        const value = pick.activeItems[0]?.value ?? pick.value.trim();
        const isChoice = question.choices.some((choice) => choice.value === value);
        if (
          !isChoice &&
          (question.validate === undefined || question.validate(value) !== undefined)
        ) {
          return;
        }
        resolve({ kind: "answer", value });
        pick.hide();
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
        resolve(undefined);
        owned.dispose();
      }),
    );
    pick.show();
  });
}

// What was typed stands first as an answer of its own, with what is wrong with it if anything is.
function withTyped(question: Question, text: string): readonly Choice[] {
  const typed = text.trim();
  if (question.validate === undefined || typed === "") return question.choices;
  if (question.choices.some((choice) => choice.value === typed)) return question.choices;
  const fault = question.validate(typed);
  const own: Choice = {
    label: typed,
    value: typed,
    description: fault ?? l10n.t("as typed"),
    alwaysShow: true,
  };
  return [own, ...question.choices];
}

/** Asks the questions in turn; Back goes to the one before. Undefined: the dialog was left. */
export async function askAll<K extends string>(
  keys: readonly K[],
  questionFor: (
    key: K,
    step: number,
    answers: ReadonlyMap<K, string>,
  ) => Promise<Question | undefined>,
): Promise<ReadonlyMap<K, string> | undefined> {
  const answers = new Map<K, string>();
  const asked: number[] = [];
  let at = 0;
  for (;;) {
    const key = keys[at];
    if (key === undefined) return answers;
    const question = await questionFor(key, asked.length + 1, answers);
    // A question that the answers so far make needless is passed over.
    if (question === undefined) {
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
