import { l10n } from "vscode";
import { missingSecrets, putBackSecrets } from "../../spark/submit/profile/heldSecrets.ts";
import { window } from "../ui/window.ts";

/**
 * Asks for each secret that was removed from a stored definition, and returns the complete definition. Undefined
 * if the user cancels.
 */
export async function askSecrets(definition: unknown, title: string): Promise<unknown> {
  const secrets: string[] = [];
  for (const [number, place] of missingSecrets(definition)) {
    const secret = await window.showInputBox({
      title,
      prompt: l10n.t("Secret for {0} (not stored)", place),
      password: true,
      ignoreFocusOut: true,
    });
    if (secret === undefined) return undefined;
    secrets[number - 1] = secret;
  }
  return putBackSecrets(definition, secrets);
}
