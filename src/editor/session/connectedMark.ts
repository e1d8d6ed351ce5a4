import type { Memento } from "vscode";
import { disposable, type Disposable } from "../../base/disposable.ts";
import { fieldsOf, numberOf, textOf } from "../../base/json.ts";
import { startTimer } from "../ui/startTimer.ts";

/** Identifies the session that this workspace is connected to. It is stored, so that the next window can reconnect. */
export interface ConnectedMark {
  readonly context: string;
  /** Uid of the driver pod. */
  readonly uid: string;
  /** The local port. The next window uses the same port, so that clients can reconnect. */
  readonly localPort: number;
}

const memoryKey = "session.connected";

export function connectedMark(memory: Pick<Memento, "get">): ConnectedMark | undefined {
  const stored = fieldsOf(memory.get<unknown>(memoryKey));
  const [context, uid] = [textOf(stored["context"]), textOf(stored["uid"])];
  const localPort = numberOf(stored["localPort"]);
  return context === undefined || uid === undefined || localPort === undefined
    ? undefined
    : { context, uid, localPort };
}

export const keepConnectedMark = (
  memory: Pick<Memento, "update">,
  mark: ConnectedMark | undefined,
): Thenable<void> => memory.update(memoryKey, mark);

// Activation does no I/O, so wait until VS Code has started.
const resumeMs = 3_000;

/** If this workspace was connected to a session, calls `open` after 3 s, which loads the bundle that reconnects. */
export function resumeSession(
  memory: Pick<Memento, "get">,
  open: () => Promise<void>,
  onError: (error: unknown) => void,
): Disposable {
  if (connectedMark(memory) === undefined) return disposable(() => undefined);
  return startTimer(() => {
    open().catch(onError);
  }, resumeMs);
}
