import { l10n, window, type Memento } from "vscode";
import type { AccessConnection, AccessIdentity } from "../../engine/ports.ts";

const memoryKey = "submit.foreignServers";

/**
 * Whether a connection may be used. Credentials of a context go to another server than its own only when
 * the user agrees, which is remembered for this workspace, server and context.
 */
export async function mayUseIdentity(
  { identity, server }: AccessConnection,
  memory: Memento,
): Promise<boolean> {
  if (identity.kind !== "foreign") return true;
  const { context, ownServer } = identity;
  const known = memory.get<readonly string[]>(memoryKey, []);
  const pair = `${context} ${server}`;
  if (known.includes(pair)) return true;
  const button = l10n.t('Send credentials of "{0}"', context);
  const chosen = await window.showWarningMessage(
    l10n.t('Send the credentials of "{0}" to {1}?', context, server),
    {
      modal: true,
      detail: l10n.t(
        'No context of the kubeconfig has this server; the one of "{0}" is {1}. spark-submit would send its credentials to the server that the master names. Agree only if you know that both are the same cluster, or that the other may have them. You are asked once in this workspace.',
        context,
        ownServer,
      ),
    },
    button,
  );
  if (chosen !== button) return false;
  await memory.update(memoryKey, [...known, pair]);
  return true;
}

/** In whose name requests are sent, where that is not plain from the context; undefined where it is. */
export function identityWords(identity: AccessIdentity): string | undefined {
  switch (identity.kind) {
    case "context":
      return undefined;
    case "conf":
      return l10n.t("with the credentials that the conf or the environment names");
    case "none":
      return l10n.t("without credentials");
    case "foreign":
      return l10n.t('with the credentials of "{0}"', identity.context);
  }
}

/** The context by which a change is guarded: the one whose credentials make it. */
export const guardedContext = ({ identity, context }: AccessConnection): string =>
  identity.kind === "foreign" ? identity.context : context;
