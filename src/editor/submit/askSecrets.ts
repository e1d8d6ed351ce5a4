import { msg } from "../../base/message.ts";
import { missingSecrets, putBackSecrets } from "../../spark/submit/profile/heldSecrets.ts";
import type { Screen } from "../screen.ts";

export type AskSecretsScreen = Pick<Screen, "showInputBox" | "translated">;

/**
 * Prompts for each secret that was removed from a stored definition, and returns the complete definition. Undefined if
 * the user cancels.
 */
export async function askSecrets(
  definition: unknown,
  title: string,
  screen: AskSecretsScreen,
): Promise<unknown> {
  const secrets: string[] = [];
  for (const [number, place] of missingSecrets(definition)) {
    const secret = await screen.showInputBox({
      title,
      prompt: screen.translated(msg`Secret for ${place} (not stored)`),
      password: true,
      ignoreFocusOut: true,
    });
    if (secret === undefined) return undefined;
    secrets[number - 1] = secret;
  }
  return putBackSecrets(definition, secrets);
}
