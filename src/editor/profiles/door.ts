import { memberKeys } from "../../spark/submit/runProfile.ts";

export { entrySpan } from "../../spark/conf/properties.ts";
export { profileFixes, type ProfileFix } from "../../spark/submit/profile/profileFixes.ts";
export {
  judgeProfile,
  partOf,
  profilesIn,
  type WrittenProfile,
} from "../../spark/submit/profile/profilesText.ts";

/** Where a profile says what a key says, if it does. */
export function pathOfKey(key: string | undefined): readonly string[] {
  if (key === undefined) return [];
  const [member] = Object.entries(memberKeys).find(([, own]) => own === key) ?? [];
  return member === undefined ? ["conf", key] : [member];
}
