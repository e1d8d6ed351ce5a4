// The surface of run profiles: the members of `conf` in tasks of the type `spark`.
import { moveDocument, type ConfDocument, type PlacedDocument } from "../conf/confDocument.ts";
import { keptStretches } from "../conf/stretches.ts";
import { unknownValue } from "../conf/values/placeholders.ts";
import { profilesIn, type WrittenProfile } from "../submit/profile/profilesText.ts";

/** One document for each profile of a `tasks.json`. Takes any text. */
export function profileReader(): (text: string) => readonly PlacedDocument[] {
  const kept = keptStretches<ConfDocument>();
  return (text) => {
    if (!text.includes("spark")) return [];
    return profilesIn(text).map((profile) => {
      const { start, end } = profile.span;
      const make = (): ConfDocument => moveDocument({ at: -start, document: documentOf(profile) });
      return { at: start, document: kept(text.slice(start, end), make) };
    });
  };
}

function documentOf({ conf, definition }: WrittenProfile): ConfDocument {
  const isObject = typeof definition === "object" && definition !== null;
  const sparkVersion: unknown =
    isObject && "sparkVersion" in definition ? definition.sparkVersion : undefined;
  return {
    entries: conf.map((setting) => ({ ...setting, value: setting.value ?? unknownValue })),
    findings: [],
    ...(typeof sparkVersion === "string" ? { sparkVersion } : {}),
  };
}
