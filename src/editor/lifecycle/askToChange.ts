import { msg, type MessageText } from "../../base/message.ts";
import type { Screen } from "../screen.ts";
import type { Connection } from "../../engine/ports/connection.ts";

export interface ChangeQuestion {
  /** The text of the confirmation, which contains the object: `Kill executor 17 of "orders"?` */
  readonly question: MessageText;
  /**
   * The other objects that are deleted, and a warning if the change cannot be undone. A function is not called in a
   * read-only context.
   */
  readonly detail: MessageText | (() => Promise<MessageText | undefined>);
  /** The titles of the buttons, each a verb. The first button is the default. */
  readonly buttons: readonly [MessageText, ...MessageText[]];
}

/**
 * Shows a confirmation before a change. Returns the chosen button; undefined if the user cancels or the context is
 * read-only.
 */
export async function askToChange(
  screen: Pick<Screen, "isUnguarded" | "mayChange" | "showWarningMessage" | "translated">,
  connection: Connection,
  { question, detail, buttons }: ChangeQuestion,
): Promise<MessageText | undefined> {
  let chosen: MessageText | undefined;
  const ask = async (): Promise<boolean> => {
    const words = typeof detail === "function" ? ((await detail()) ?? "") : detail;
    // `mayChange` prompts for the name after this confirmation.
    const place = screen.isUnguarded(connection) ? withContext : withGuardedContext;
    const options = { modal: true, detail: place(connection, words) };
    chosen = await screen.showWarningMessage(question, options, ...buttons);
    return chosen !== undefined;
  };
  return (await screen.mayChange(connection, actionOf(screen, question), ask)) ? chosen : undefined;
}

/** Puts the name of the changed context above the detail of a confirmation. */
export const withContext = (
  { context }: Pick<Connection, "context">,
  detail: MessageText,
): MessageText => msg`Context: ${context}\n\n${detail}`;

const withGuardedContext: typeof withContext = ({ context }, detail) =>
  msg`Context: ${context} (guarded: the next step asks for its name)\n\n${detail}`;

/** Returns the action of a confirmation: its text before the question mark, such as `Stop "pi"`. */
function actionOf({ translated }: Pick<Screen, "translated">, question: MessageText): string {
  const text = translated(question);
  const end = text.lastIndexOf("?");
  return end < 0 ? text : text.slice(0, end);
}
