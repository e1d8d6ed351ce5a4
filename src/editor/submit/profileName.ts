import { msg, type Message } from "../../base/message.ts";
import type { RunProfile } from "../../spark/submit/profile/runProfile.ts";
import type { SubmitScreen } from "./taskPorts.ts";

/** Returns the profile's label or name, else the name of its class or file: `Orders`, `orders.py`. */
export function nameOfProfile(profile: RunProfile): string {
  const { label, name, class: mainClass = "", application } = profile;
  const file = application.slice(application.lastIndexOf("/") + 1);
  const simple = mainClass.slice(mainClass.lastIndexOf(".") + 1);
  return [label, name, simple, file].find((text) => text !== undefined && text !== "") ?? "spark";
}

/** Prompts for the label of a new profile; undefined if the user cancels. */
export const askLabel = (
  { showInputBox, translated }: Pick<SubmitScreen, "showInputBox" | "translated">,
  title: Message,
  value: string,
): Thenable<string | undefined> =>
  showInputBox({
    title: translated(title),
    prompt: translated(msg("Profile name")),
    value,
    validateInput: (text) => (text.trim() === "" ? translated(msg("Enter a name")) : undefined),
  });
