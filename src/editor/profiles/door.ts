import type { Span } from "../../base/span.ts";
import { memberKeys } from "../../spark/submit/runProfile.ts";
import { parseProperties } from "../../spark/conf/properties.ts";

export {
  judgeProfile,
  profilesIn,
  type WrittenProfile,
} from "../../spark/submit/profile/profilesText.ts";

/** Where a key's entry stands in a conf file; of several the one that counts. */
export function entrySpan(text: string, key: string): Span | undefined {
  const entry = parseProperties(text).entries.findLast((each) => each.key === key);
  return entry && { start: entry.keySpan.start, end: entry.valueSpan.end };
}

/** Where a profile says what a key says, if it does. */
export function pathOfKey(key: string | undefined): readonly string[] {
  if (key === undefined) return [];
  const [member] = Object.entries(memberKeys).find(([, own]) => own === key) ?? [];
  return member === undefined ? ["conf", key] : [member];
}
