import { l10n } from "vscode";
import { guardOf, placeOfContext } from "../../engine/contextGuard.ts";
import { openGuardSetting } from "../guard.ts";
import { guardWords } from "../guardTexts.ts";
import { settings } from "../ids.ts";
import type { Log } from "../log.ts";
import { clusterSettings, contextPatterns } from "../settings.ts";
import { showClusterError } from "../showError.ts";
import { translated } from "../ui/translated.ts";
import { window } from "../ui/window.ts";
import type { ClusterSession } from "./clusterSession.ts";

/**
 * Shows a quick pick of the kubeconfig's contexts with their guards. Opens the setting that guards the chosen context.
 */
export async function showGuards(session: ClusterSession, log: Log): Promise<void> {
  const clusters = await session.clusters();
  const read = await clusters.readKubeconfig(clusterSettings(), new AbortController().signal);
  if (!read.ok && read.error.kind !== "configuration") {
    await showClusterError(l10n.t("Cannot read the kubeconfig"), read.error, log);
    return;
  }
  const patterns = contextPatterns();
  const rows = (read.ok ? read.value.contexts : []).map(({ name, server }) => ({
    label: name,
    server,
    guard: guardOf(placeOfContext(name), patterns),
  }));
  const unknown = {
    label: l10n.t("Servers without a context"),
    server: "",
    guard: guardOf({ name: "", contexts: [], server: "unknown" }, patterns),
  };
  const items = [...rows, unknown].map(({ label, server, guard }) => {
    const words = guardWords(guard);
    return {
      label,
      description: translated(words.guard),
      detail: [server, translated(words.cause) ?? ""].filter((text) => text !== "").join(" · "),
      guard,
    };
  });
  const chosen = await window.showQuickPick(items, {
    title: l10n.t("Guarded Contexts"),
    placeHolder: l10n.t("Choose a context to open the setting that guards it"),
  });
  if (chosen === undefined) return;
  await openGuardSetting(
    chosen.guard.kind === "readOnly" ? settings.readOnlyContexts : settings.guardedContexts,
  );
}
