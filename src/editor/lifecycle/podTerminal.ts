import { ThemeIcon } from "vscode";
import type { Disposable } from "../../base/disposable.ts";
import { explainClusterError } from "../showError.ts";
import { translated } from "../ui/translated.ts";
import { window } from "../ui/window.ts";
import { PodPty, type PodTerminalOptions } from "./podPty.ts";

/** Opens a terminal with a program in Spark's container of a pod. `PodPty` decides when the tab closes. */
export function openPodTerminal(options: PodTerminalOptions): Disposable {
  const terminal = window.createTerminal({
    name: options.name,
    pty: new PodPty(options, { explainClusterError, translated }),
    iconPath: new ThemeIcon("terminal"),
    isTransient: true,
  });
  terminal.show();
  return terminal;
}

/** Starts bash if the image has it, else sh. */
export const systemShell = ["/bin/sh", "-c", "command -v bash > /dev/null && exec bash || exec sh"];
