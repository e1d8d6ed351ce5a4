import { msg } from "../../base/message.ts";
import type { DisposableStore } from "../../base/disposable.ts";
import type { Connection } from "../../engine/ports/connection.ts";
import type { Application } from "../../spark/pods/application.ts";
import type { ClusterSession } from "../apps/clusterSession.ts";
import type { SubmitCommands } from "../submit/submitCommands.ts";
import type { ActOptions } from "./actOnItems.ts";

/** Dependencies of the lifecycle commands. */
export interface LifecycleContext extends ActOptions {
  readonly session: ClusterSession;
  /** True if the profile of the application's submission still exists. */
  readonly canResubmit: (application: Application) => Promise<boolean>;
  readonly resubmit: SubmitCommands["resubmit"];
  readonly wasSubmittedHere: (application: Application) => boolean;
  /** Opens an untitled editor. */
  readonly openText: (text: {
    readonly language: string;
    readonly content: string;
  }) => Promise<void>;
  /** Owns the open terminals. */
  readonly terminals: DisposableStore;
}

/**
 * Re-resolves the connection after a prompt, because the window may have reconnected. Returns undefined after a message
 * if the context changed meanwhile, or if there is no connection.
 */
export async function connectionAgain(
  context: LifecycleContext,
  { context: before }: Connection,
  key: string,
): Promise<Connection | undefined> {
  const now = await connectionOf(context, [key]);
  if (now === undefined || now.context === before) return now;
  void context.screen.showInformationMessage(
    msg`Nothing was changed: the context "${before}" is no longer in use. Choose it again.`,
  );
  return undefined;
}

/**
 * Returns the connection of these applications, or of the chosen context if `keys` is empty. Returns undefined after a
 * message if there is no connection, or if the applications belong to several contexts.
 */
export async function connectionOf(
  { session, screen, log }: LifecycleContext,
  keys: readonly string[],
): Promise<Connection | undefined> {
  const [key] = keys;
  const contexts = new Set(keys.map((one) => session.contextOf(one) ?? ""));
  if (contexts.size > 1) {
    const names = [...contexts].sort().join(", ");
    void screen.showInformationMessage(
      msg`The selected rows belong to several contexts: ${names}. Select rows of one context.`,
    );
    return undefined;
  }
  const { signal } = new AbortController();
  const connected = await (key === undefined
    ? session.connect(signal)
    : session.connectTo(key, signal));
  if (connected.ok) return connected.value;
  await screen.showClusterError(msg("Nothing was changed"), connected.error, log);
  return undefined;
}
