import type { RunProfile } from "../../spark/submit/profile/runProfile.ts";

/** The profile's label or name, else one from its class or file: `Orders`, `orders.py`. */
export function nameOfProfile(profile: RunProfile): string {
  const { label, name, class: mainClass = "", application } = profile;
  const file = application.slice(application.lastIndexOf("/") + 1);
  const simple = mainClass.slice(mainClass.lastIndexOf(".") + 1);
  return [label, name, simple, file].find((text) => text !== undefined && text !== "") ?? "spark";
}
