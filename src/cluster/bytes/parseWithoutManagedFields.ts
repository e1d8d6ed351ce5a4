import { ok, type Result } from "../../base/result.ts";
import { parseJson } from "../../base/json.ts";

const opening = Buffer.from(',"managedFields":[');
const closeBracket = 0x5d;

/**
 * Parses the JSON of an object or a watch event without `metadata.managedFields`: a third of a pod's bytes, and unused
 * here. If the field cannot be cut out of the bytes, the result contains it.
 *
 * The cut removes nothing else. Quotes inside a JSON string are escaped, so `opening` is always a key with its array.
 * The first closing bracket after it has three cases. It closes that array, and the rest parses. It closes a nested
 * array, and the rest has an extra bracket. It is inside a string, and the rest has an odd number of quotes.
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
