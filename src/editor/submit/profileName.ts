import type { RunProfile } from "../../spark/submit/runProfile.ts";

/** What a profile is called where nobody has named it: `orders.py`, `Orders`. */
export function nameOfProfile(profile: RunProfile): string {
  const { label, name, class: mainClass = "", application } = profile;
  const file = application.slice(application.lastIndexOf("/") + 1);
  const simple = mainClass.slice(mainClass.lastIndexOf(".") + 1);
  return [label, name, simple, file].find((text) => text !== undefined && text !== "") ?? "spark";
}
