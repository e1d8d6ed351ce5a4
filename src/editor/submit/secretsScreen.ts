import { translated } from "../ui/translated.ts";
import { window } from "../ui/window.ts";
import type { AskSecretsScreen } from "./askSecrets.ts";

/** The parts of the window that ask for secrets: the whole screen would be too large for the main bundle. */
export const secretsScreen: AskSecretsScreen = { showInputBox: window.showInputBox, translated };
