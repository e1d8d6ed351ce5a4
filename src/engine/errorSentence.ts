import { defaultSecretRule } from "../spark/redact.ts";
import { redactLine } from "../spark/redactLine.ts";

/**
 * Converts a server's message into a sentence with a capital letter and a full stop. Redacts secrets, because servers
 * repeat request data. Removes a prefix such as `pods "driver" is forbidden:`, which repeats the kind of the error.
 * Returns an empty string if no other text is left.
 */
export function errorSentence(text: string): string {
  const said = text.trim().replace(/^[\w./-]+(?: "[^"]*")? is forbidden:(?: (?=\S)|$)/, "");
  const clean = redactLine(said, defaultSecretRule);
  if (clean === "") return "";
  const ended = /[.!?]$/.test(clean) ? clean : `${clean}.`;
  return ended.charAt(0).toUpperCase() + ended.slice(1);
}
