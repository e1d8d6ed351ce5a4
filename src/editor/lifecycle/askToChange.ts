import { l10n } from "vscode";
import type { Connection } from "../../engine/ports/connection.ts";
import { mayChange } from "../guard.ts";
import { window } from "../ui/window.ts";

export interface ChangeQuestion {
  /** Names the object: `Kill executor 17 of "orders"?` */
  readonly question: string;
  /** Names what else is deleted and what cannot be undone. A function is not called in a read-only context. */
  readonly detail: string | (() => Promise<string>);
  /** Each is a verb; the first is the default. */
  readonly buttons: readonly [string, ...string[]];
  /** The title of the prompt that asks for the context's name. Default: the first button. */
  readonly action?: string;
}

/** Returns the chosen button; undefined if the user cancels or the context is read-only. */
export async function askToChange(
  connection: Connection,
  { question, detail, buttons, action = buttons[0] }: ChangeQuestion,
): Promise<string | undefined> {
  let chosen: string | undefined;
  const ask = async (): Promise<boolean> => {
    const words = typeof detail === "string" ? detail : await detail();
    const options = { modal: true, detail: withContext(connection, words) };
    chosen = await window.showWarningMessage(question, options, ...buttons);
    return chosen !== undefined;
  };
  return (await mayChange(connection, action, ask)) ? chosen : undefined;
}

/** The detail of a question, below the name of the context that changes. */
export const withContext = ({ context }: Pick<Connection, "context">, detail: string): string =>
  `${l10n.t("Context: {0}", context)}\n\n${detail}`;
