import { disposable, type Disposable } from "../base/disposable.ts";
import { redactedLog } from "./redactedLog.ts";
import { window, type PlainLogChannel } from "./ui/window.ts";

/** The extension's output channel. Redacts all lines. Created at the first use, because creation writes a file. */
export interface Log extends Disposable {
  readonly debug: (line: string) => void;
  readonly warn: (line: string) => void;
  /** Logs an internal error, or the cause of a shown message. */
  readonly error: (error: unknown) => void;
  show(): void;
}

export function lazyLog(): Log {
  let channel: PlainLogChannel | undefined;
  const open = (): PlainLogChannel =>
    (channel ??= window.createOutputChannel("Spark on Kubernetes", { log: true }));
  return {
    ...redactedLog(open),
    show: () => {
      open().show();
    },
    ...disposable(() => channel?.dispose()),
  };
}
