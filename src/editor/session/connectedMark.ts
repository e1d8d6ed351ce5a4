import type { Memento } from "vscode";
import { fieldsOf, numberOf, textOf } from "../../base/json.ts";

/** The session that this workspace is connected to, for the next window. */
export interface ConnectedMark {
  readonly context: string;
  /** Uid of the driver pod. */
  readonly uid: string;
  /** Clients reconnect to the same port. */
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

/** Opens the cluster view's bundle, which connects again, if this workspace was connected to a session. */
export function resumeSession(
  memory: Pick<Memento, "get">,
  open: () => Promise<void>,
  onError: (error: unknown) => void,
): { dispose(): void } {
  if (connectedMark(memory) === undefined) return { dispose: () => undefined };
  const later = setTimeout(() => {
    open().catch(onError);
  }, resumeMs);
  return {
    dispose: () => {
      clearTimeout(later);
    },
  };
}
