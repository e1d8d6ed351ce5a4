// The surface of run profiles: the members of `conf` in tasks of the type `spark`.
import type { ConfDocument } from "../conf/confDocument.ts";
import { unknownValue } from "../conf/values/placeholders.ts";
import { profilesIn } from "../submit/profile/profilesText.ts";

/** One document for each profile of a `tasks.json`. Takes any text. */
export function readProfileSettings(text: string): readonly ConfDocument[] {
  if (!text.includes("spark")) return [];
  return profilesIn(text).map(({ conf, definition }) => {
    const isObject = typeof definition === "object" && definition !== null;
    const sparkVersion: unknown =
      isObject && "sparkVersion" in definition ? definition.sparkVersion : undefined;
    return {
      entries: conf.map((setting) => ({ ...setting, value: setting.value ?? unknownValue })),
      findings: [],
      ...(typeof sparkVersion === "string" ? { sparkVersion } : {}),
    };
  });
}
