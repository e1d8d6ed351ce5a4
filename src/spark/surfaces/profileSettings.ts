// The surface of run profiles: the members of `conf` in tasks of the type `spark`.
import type { ConfDocument } from "../conf/parse/confDocument.ts";
import { unknownValue } from "../conf/values/placeholders.ts";
import { kindOfFile } from "../submit/arguments/fileKind.ts";
import { profilesIn, type WrittenProfile } from "../submit/profile/profilesText.ts";

/** Returns one document for each run profile in a `tasks.json`. Accepts any text. */
export const readProfiles = (text: string): readonly ConfDocument[] =>
  text.includes("spark") ? profilesIn(text).map(documentOf) : [];

function documentOf({ conf, definition }: WrittenProfile): ConfDocument {
  const isObject = typeof definition === "object" && definition !== null;
  const sparkVersion: unknown =
    isObject && "sparkVersion" in definition ? definition.sparkVersion : undefined;
  const program: unknown =
    isObject && "application" in definition ? definition.application : undefined;
  // A variable such as ${file} may stand for a file in any language.
  const isKnown = typeof program === "string" && /\.\w{1,4}$/.test(program);
  return {
    entries: conf.map((setting) => ({ ...setting, value: setting.value ?? unknownValue })),
    findings: [],
    ...(typeof sparkVersion === "string" ? { sparkVersion } : {}),
    ...(isKnown ? { application: { language: kindOfFile(program) } } : {}),
  };
}
