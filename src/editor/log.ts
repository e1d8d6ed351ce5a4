import { window, type LogOutputChannel } from "vscode";
import { disposable, type Disposable } from "../base/disposable.ts";

/** The extension's one output channel. It is made at the first line, as making it writes a file. */
export interface Log extends Disposable {
  readonly debug: (line: string) => void;
  readonly warn: (line: string) => void;
  /** A mistake of ours, or the cause behind a message that was shown. */
  readonly error: (error: unknown) => void;
  show(): void;
}

export function lazyLog(): Log {
  let channel: LogOutputChannel | undefined;
  const open = (): LogOutputChannel =>
    (channel ??= window.createOutputChannel("Spark on Kubernetes", { log: true }));
  return {
    debug: (line) => {
      open().debug(line);
    },
    warn: (line) => {
      open().warn(line);
    },
    error: (error) => {
      open().error(error instanceof Error ? (error.stack ?? error.message) : String(error));
    },
    show: () => {
      open().show();
    },
    ...disposable(() => channel?.dispose()),
  };
}
