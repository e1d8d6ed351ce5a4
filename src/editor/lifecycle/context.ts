import { l10n, window } from "vscode";
import type { DisposableStore } from "../../base/disposable.ts";
import type { Connection } from "../../engine/ports.ts";
import type { Application } from "../../spark/pods/application.ts";
import type { ClusterSession } from "../apps/clusterSession.ts";
import { showClusterError } from "../showError.ts";
import type { ActSurroundings } from "./actOnItems.ts";

/** What the commands of a lifecycle need. */
export interface LifecycleContext extends ActSurroundings {
  readonly session: ClusterSession;
  /** Whether it is still known with what it was submitted. */
  readonly canSubmitAnew: (application: Application) => Promise<boolean>;
  /** Submits an application of this window once more, in a context where it names none; false where that is not known any more. */
  readonly submitAnew: (application: Application, context: string | undefined) => Promise<boolean>;
  readonly wasSubmittedHere: (application: Application) => boolean;
  /** Holds the terminals that are open. */
  readonly terminals: DisposableStore;
}

/**
 * The same connection after somebody took their time: where the window has connected anew it is another object.
 * Undefined where the window has come to look elsewhere: that has been said then.
 */
export async function connectionAgain(
  context: LifecycleContext,
  { context: before }: Connection,
  key: string,
): Promise<Connection | undefined> {
  const now = await connectionOf(context, [key]);
  if (now === undefined || now.context === before) return now;
  void window.showInformationMessage(
    l10n.t(
      'Nothing was changed: "{0}" is not the cluster in use any more. Choose it again first.',
      before,
    ),
  );
  return undefined;
}

/**
 * The connection to the cluster of these applications, or to that of the chosen context where there are none;
 * undefined where there is none, or where they are of several: why has been said then.
 */
export async function connectionOf(
  { session, log }: LifecycleContext,
  keys: readonly string[],
): Promise<Connection | undefined> {
  const [key] = keys;
  const contexts = new Set(keys.map((one) => session.contextOf(one) ?? ""));
  if (contexts.size > 1) {
    const names = [...contexts].sort().join(", ");
    void window.showInformationMessage(
      l10n.t("The rows are of several clusters: {0}. Choose rows of one cluster at a time.", names),
    );
    return undefined;
  }
  const { signal } = new AbortController();
  const connected = await (key === undefined
    ? session.connect(signal)
    : session.connectTo(key, signal));
  if (connected.ok) return connected.value;
  await showClusterError(l10n.t("Nothing was changed"), connected.error, log);
  return undefined;
}
