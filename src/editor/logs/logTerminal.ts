import { windowConsole } from "./windowConsole.ts";
import { ThemeIcon, type Terminal } from "vscode";
import type { Disposable } from "../../base/disposable.ts";
import { LogPty, type LogTerminalOptions } from "./logPty.ts";
import { window } from "../ui/window.ts";
import type { LogView } from "./shownLogs.ts";

export interface LogTerminal extends Disposable {
  readonly terminal: Terminal;
  readonly view: LogView;
  /** False once all logs have ended or following was stopped. */
  isFollowing(): boolean;
}

/** Opens a terminal that follows logs. Ctrl+C stops following; closing the terminal does, too. */
export function openLogTerminal(options: LogTerminalOptions, onClosed: () => void): LogTerminal {
  const pty = new LogPty(options, windowConsole, onClosed);
  const terminal = window.createTerminal({
    name: options.name,
    pty,
    iconPath: new ThemeIcon("output"),
    isTransient: true,
  });
  return {
    terminal,
    view: pty.console,
    isFollowing: () => pty.isFollowing,
    dispose: () => {
      terminal.dispose();
    },
  };
}
