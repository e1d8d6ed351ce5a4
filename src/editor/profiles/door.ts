import { memberKeys } from "../../spark/submit/profile/runProfile.ts";

export { entrySpan } from "../../spark/conf/parse/properties.ts";
export { profileFixes, type ProfileFix } from "../../spark/submit/profile/profileFixes.ts";
export {
  judgeProfile,
  partOf,
  profilesIn,
  type WrittenProfile,
} from "../../spark/submit/profile/profilesText.ts";

/** Returns the path of a conf key in a profile: a member of the profile or of its `conf`. Empty without a key. */
export function pathOfKey(key: string | undefined): readonly string[] {
  if (key === undefined) return [];
  const [member] = Object.entries(memberKeys).find(([, own]) => own === key) ?? [];
  return member === undefined ? ["conf", key] : [member];
}
