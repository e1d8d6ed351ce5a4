import { msg, type Message, type MessageText } from "../../base/message.ts";
import type { Screen } from "../screen.ts";
import type { Connection } from "../../engine/ports/connection.ts";

export interface ChangeQuestion {
  /** Names the object: `Kill executor 17 of "orders"?` */
  readonly question: MessageText;
  /** Names what else is deleted and what cannot be undone. A function is not called in a read-only context. */
  readonly detail: MessageText | (() => Promise<MessageText | undefined>);
  /** Each is a verb; the first is the default. */
  readonly buttons: readonly [MessageText, ...MessageText[]];
  /** The title of the prompt that asks for the context's name. Default: the first button. */
  readonly action?: MessageText;
}

/** Returns the chosen button; undefined if the user cancels or the context is read-only. */
export async function askToChange(
  { mayChange, showWarningMessage }: Pick<Screen, "mayChange" | "showWarningMessage">,
  connection: Connection,
  { question, detail, buttons, action = buttons[0] }: ChangeQuestion,
): Promise<MessageText | undefined> {
  let chosen: MessageText | undefined;
  const ask = async (): Promise<boolean> => {
    const words = typeof detail === "function" ? ((await detail()) ?? "") : detail;
    const options = { modal: true, detail: withContext(connection, words) };
    chosen = await showWarningMessage(question, options, ...buttons);
    return chosen !== undefined;
  };
  return (await mayChange(connection, action, ask)) ? chosen : undefined;
}

/** The detail of a question, below the name of the context that changes. */
export const withContext = (
  { context }: Pick<Connection, "context">,
  detail: MessageText,
): MessageText => msg`Context: ${context}\n\n${detail}`;

/** The action that a question asks for: `Stop "pi"`. */
export const actionOf = ({ translated }: Pick<Screen, "translated">, question: Message): string =>
  translated(question).replace(/\?$/, "");
