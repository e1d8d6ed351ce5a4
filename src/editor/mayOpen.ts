import { msg } from "../base/message.ts";
import type { Screen } from "./screen.ts";

// Opening more than this needs a confirmation, because a larger selection is probably a mistake.
const maxWithoutQuestion = 10;

/** Returns whether to open `count` editors or terminals. Prompts for a confirmation if there are more than 10. */
export async function mayOpen(
  { showWarningMessage }: Pick<Screen, "showWarningMessage">,
  count: number,
  what: "documents" | "terminals",
): Promise<boolean> {
  if (count <= maxWithoutQuestion) return true;
  const question =
    what === "documents" ? msg`Open ${count} documents?` : msg`Open ${count} terminals?`;
  const detail =
    what === "documents"
      ? msg("Each selected row opens one document.")
      : msg("Each selected pod opens one terminal and starts a process.");
  const open = msg`Open ${count}`;
  return (await showWarningMessage(question, { modal: true, detail }, open)) === open;
}
