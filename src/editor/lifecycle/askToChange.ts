import { window } from "vscode";
import type { Connection } from "../../engine/ports.ts";
import { mayChange } from "../guard.ts";

export interface ChangeQuestion {
  /** Names the thing: `Kill executor 17 of "orders"?` */
  readonly question: string;
  /** What goes with it, and what cannot be undone; looked up only where something may be changed. */
  readonly detail: string | (() => Promise<string>);
  /** Each is a verb; the first is what was asked for. */
  readonly buttons: readonly [string, ...string[]];
  /** The change in the words of a title; the first button where it says enough. */
  readonly action?: string;
}

/** The button that was pressed; undefined where nothing may be changed, or nothing is to be. */
export async function askToChange(
  { context }: Connection,
  { question, detail, buttons, action = buttons[0] }: ChangeQuestion,
): Promise<string | undefined> {
  let chosen: string | undefined;
  const ask = async (): Promise<boolean> => {
    const words = typeof detail === "string" ? detail : await detail();
    chosen = await window.showWarningMessage(question, { modal: true, detail: words }, ...buttons);
    return chosen !== undefined;
  };
  return (await mayChange(context, action, ask)) ? chosen : undefined;
}
