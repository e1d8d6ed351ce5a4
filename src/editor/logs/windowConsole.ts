import { workspace } from "vscode";
import { translated } from "../ui/translated.ts";
import { window } from "../ui/window.ts";
import type { LogConsoleOptions } from "./logConsole.ts";

/** The parts of VS Code that a log console needs. */
export const windowConsole: Pick<LogConsoleOptions, "heldRows" | "screen"> = {
  screen: {
    translated,
    showInputBox: window.showInputBox,
    showQuickPick: window.showQuickPick,
  },
  heldRows: () => workspace.getConfiguration("terminal.integrated").get("scrollback", 1_000),
};
