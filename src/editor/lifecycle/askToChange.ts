import { l10n, window } from "vscode";
import type { Connection } from "../../engine/ports.ts";
import type { ClusterSession } from "../apps/clusterSession.ts";
import { contextToName } from "../apps/sessionState.ts";
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
  asking: { readonly session: ClusterSession },
  connection: Connection,
  { question, detail, buttons, action = buttons[0] }: ChangeQuestion,
): Promise<string | undefined> {
  let chosen: string | undefined;
  const ask = async (): Promise<boolean> => {
    const words = typeof detail === "string" ? detail : await detail();
    const told = { modal: true, detail: inContext(asking, connection, words) };
    chosen = await window.showWarningMessage(question, told, ...buttons);
    return chosen !== undefined;
  };
  return (await mayChange(connection.context, action, ask)) ? chosen : undefined;
}

/** The detail of a question; where several clusters are looked at, the one that is meant stands first in it. */
export function inContext(
  { session }: { readonly session: ClusterSession },
  { context }: Connection,
  detail: string,
): string {
  const named = contextToName(session.state, context);
  return named === undefined ? detail : `${l10n.t("Context: {0}", named)}\n\n${detail}`;
}
