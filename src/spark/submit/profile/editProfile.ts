// Sets and removes members of a run profile in the text of a tasks.json. Keeps the text of all other members.
import { applyEdits, modify, type FormattingOptions, type JSONPath } from "jsonc-parser";
import type { Span } from "../../../base/span.ts";
import { memberKeys } from "./runProfile.ts";
import { insideOf, profilesIn, type WrittenProfile } from "./profilesText.ts";

/** The new value of a conf key, or of a profile member that is not a conf key. Undefined removes it. */
export interface ProfileChange {
  readonly key: string;
  readonly isMember: boolean;
  readonly value: string | undefined;
}

/**
 * Changes the profile with this label and returns the new text. If the override of the context sets the key, changes
 * that value. Undefined if the text has no such profile.
 */
export function editProfile(
  text: string,
  label: string,
  context: string | undefined,
  changes: readonly ProfileChange[],
): string | undefined {
  let edited = text;
  for (const change of changes) {
    const profile = profilesIn(edited).find((each) => each.label === label);
    if (profile === undefined) return undefined;
    const path = [...profile.taskPath, ...pathIn(profile, context, change)];
    const formattingOptions = styleOf(edited);
    edited = applyEdits(edited, modify(edited, path, valueFor(change), { formattingOptions }));
  }
  return edited;
}

/**
 * Returns the span of the value of a conf key or member, without quotes. The override of the context takes precedence.
 * If no value is set, returns the span of the profile's label. Undefined if no profile has that label.
 */
export function settingSpan(
  text: string,
  { label, context }: { readonly label: string; readonly context: string | undefined },
  setting: Pick<ProfileChange, "key" | "isMember">,
): Span | undefined {
  const profile = profilesIn(text).find((each) => each.label === label);
  if (profile === undefined) return undefined;
  const value = profile.nodeOf(pathIn(profile, context, setting).map(String));
  const node = value ?? profile.nodeOf(["label"]);
  return node && insideOf(node);
}

/** Returns the JSON value to write. For a list member such as `packages`, splits the value into a list. */
function valueFor({ key, isMember, value }: ProfileChange): string | readonly string[] | undefined {
  const member = isMember ? undefined : memberOf(key);
  return member !== undefined && lists.has(member) ? value?.split(",") : value;
}

const lists: ReadonlySet<string> = new Set(["jars", "files", "pyFiles", "archives", "packages"]);

const memberOf = (key: string): string | undefined =>
  Object.entries(memberKeys).find(([, own]) => own === key)?.[0];

function pathIn(
  profile: WrittenProfile,
  context: string | undefined,
  { key, isMember }: Pick<ProfileChange, "key" | "isMember">,
): JSONPath {
  const member = isMember ? key : memberOf(key);
  const paths = [...(member === undefined ? [] : [[member]]), ...(isMember ? [] : [["conf", key]])];
  const places = context === undefined ? paths : [...paths.map(inContext(context)), ...paths];
  return places.find((path) => profile.nodeOf(path) !== undefined) ?? paths[0] ?? [key];
}

const inContext =
  (context: string) =>
  (path: readonly string[]): string[] => ["contexts", context, ...path];

const styleOf = (text: string): FormattingOptions => {
  const indent = /\n([ \t]+)\S/.exec(text)?.[1] ?? "  ";
  return {
    insertSpaces: !indent.startsWith("\t"),
    tabSize: indent.startsWith("\t") ? 1 : indent.length,
    eol: text.includes("\r\n") ? "\r\n" : "\n",
  };
};
