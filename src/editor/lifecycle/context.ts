import { l10n } from "vscode";
import type { DisposableStore } from "../../base/disposable.ts";
import type { Connection } from "../../engine/ports.ts";
import type { ClusterSession } from "../apps/clusterSession.ts";
import { showClusterError } from "../showError.ts";
import type { ActSurroundings } from "./actOnItems.ts";

/** What the commands of a lifecycle need. */
export interface LifecycleContext extends ActSurroundings {
  readonly session: ClusterSession;
  /** Submits an application of this window once more; false where it was not submitted from here. */
  readonly submitAnew: (applicationKey: string) => Promise<boolean>;
  readonly wasSubmittedHere: (applicationKey: string) => boolean;
  /** Holds the terminals that are open. */
  readonly terminals: DisposableStore;
}

/** The connection; undefined where there is none, why has been said then. */
export async function connectionOf({
  session,
  log,
}: LifecycleContext): Promise<Connection | undefined> {
  const connected = await session.connect(new AbortController().signal);
  if (connected.ok) return connected.value;
  await showClusterError(l10n.t("Nothing was changed"), connected.error, log);
  return undefined;
}
