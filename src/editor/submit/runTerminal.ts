import type { Pseudoterminal } from "vscode";
import { windowConsole } from "../logs/windowConsole.ts";
import { RunPty, type RunTerminalOptions } from "./runPty.ts";

export type { RunTerminalOptions, RunWork } from "./runPty.ts";

/** A `RunPty` in a terminal of VS Code. */
export class RunTerminal extends RunPty implements Pseudoterminal {
  constructor(options: RunTerminalOptions) {
    super(options, windowConsole);
  }
}
