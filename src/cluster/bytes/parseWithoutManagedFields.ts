import { ok, type Result } from "../../base/result.ts";
import { parseJson } from "../json.ts";

const opening = Buffer.from(',"managedFields":[');
const closeBracket = 0x5d;

/**
 * Parses the JSON of an object, or of a watch event, without its `metadata.managedFields`: a third of the
 * bytes of a pod, which nobody here reads. Where they cannot be cut out of the bytes, all is parsed, and
 * they are there.
 *
 * No cut changes anything else. Inside a JSON string a quote is escaped, so `opening` is a key with its
 * array. The first closing bracket after it closes that array; or it closes an array within, and what is
 * left has too many brackets; or it stands in a string, and what is left has an odd number of quotes. Only
 * the first of these parses.
 */
export function parseWithoutManagedFields(text: Buffer): Result<unknown, "notJson"> {
  const start = text.indexOf(opening);
  const end = start === -1 ? -1 : text.indexOf(closeBracket, start);
  if (end !== -1) {
    const cut = parseJson(text.toString("utf8", 0, start) + text.toString("utf8", end + 1));
    if (cut.ok) return ok(cut.value);
  }
  return parseJson(text.toString("utf8"));
}
