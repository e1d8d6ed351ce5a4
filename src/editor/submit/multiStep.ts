import { QuickInputButtons } from "vscode";
import { window } from "../ui/window.ts";
import type { AnswerRow } from "./answering.ts";
import {
  askInPick,
  askInTurn,
  type Answer,
  type Choice,
  type Question,
  type QuestionFor,
} from "./questionPick.ts";

export type { Answer, Choice, Question, ResolvedAnswer } from "./questionPick.ts";

/** Shows one prompt. Undefined if the user cancels. */
export const askSteps = (question: Question): Promise<Answer | undefined> =>
  askInPick(window.createQuickPick<Choice | AnswerRow>(), question, QuickInputButtons.Back);

/** Shows the prompts in turn, except for known answers. Undefined if the user cancels. */
export const askAll = <K extends string>(
  keys: readonly K[],
  questionFor: QuestionFor<K>,
  known: ReadonlyMap<K, string>,
): Promise<ReadonlyMap<K, string> | undefined> => askInTurn(keys, questionFor, askSteps, known);
