import { ConfigurationTarget, l10n, ThemeIcon, workspace } from "vscode";
import { settings, settingsSection } from "../ids.ts";
import type { Log } from "../log.ts";
import { chosenContext, clusterSettings, furtherContexts } from "../settings.ts";
import { showClusterError } from "../showError.ts";
import type { ClusterSession } from "./clusterSession.ts";
import { contextChoices, furtherChoices, namespacesFault, namespacesIn } from "./clusterChoices.ts";
import { contextIn, furtherAfter } from "./contextChoice.ts";
import { translated } from "../ui/translated.ts";
import { window } from "../ui/window.ts";

/** Asks for the additional contexts to watch and stores them in the user settings. */
export async function watchFurther(session: ClusterSession, log: Log): Promise<void> {
  const clusters = await session.clusters();
  const read = await clusters.readKubeconfig(clusterSettings(), new AbortController().signal);
  if (!read.ok) {
    await showClusterError(l10n.t("The kubeconfig was not read"), read.error, log);
    return;
  }
  const inUse = session.chosen?.context;
  const now = furtherContexts();
  const items = furtherChoices(read.value.contexts, inUse, now).map((choice) => ({
    ...choice,
    detail: translated(choice.detail),
  }));
  const chosen = await window.showQuickPick(items, {
    title: l10n.t("Watch More Clusters"),
    placeHolder:
      items.length === 0
        ? l10n.t("The kubeconfig has no other context")
        : l10n.t('Shown in addition to "{0}", the target of submissions', inUse ?? ""),
    canPickMany: true,
    matchOnDetail: true,
  });
  if (chosen === undefined) return;
  const names = (of: readonly { readonly label: string }[]): readonly string[] =>
    of.map(({ label }) => label);
  const value = furtherAfter(now, names(items), names(chosen));
  await workspace
    .getConfiguration(settingsSection)
    .update(settings.furtherContexts, value, ConfigurationTarget.Global);
}

/** Asks for a context or another kubeconfig file and stores it in the user settings. */
export async function chooseCluster(session: ClusterSession, log: Log): Promise<void> {
  const clusters = await session.clusters();
  const read = await clusters.readKubeconfig(clusterSettings(), new AbortController().signal);
  if (!read.ok && read.error.kind !== "configuration") {
    await showClusterError(l10n.t("The kubeconfig was not read"), read.error, log);
    return;
  }
  const inUse = session.chosen?.context;
  const contexts = read.ok ? read.value.contexts : [];
  const items = contextChoices(contexts, inUse).map(({ label, description, detail }) => ({
    label,
    description: translated(description),
    detail: translated(detail),
    context: label,
  }));
  const browse = {
    label: l10n.t("Use Another Kubeconfig File…"),
    iconPath: new ThemeIcon("folder-opened"),
    context: undefined,
  };
  const chosen = await window.showQuickPick([...items, browse], {
    title: l10n.t("Choose Cluster"),
    placeHolder:
      items.length === 0
        ? l10n.t("The kubeconfig has no contexts")
        : l10n.t("Context of the kubeconfig"),
    matchOnDetail: true,
  });
  if (chosen === undefined) return;
  const configuration = workspace.getConfiguration(settingsSection);
  if (chosen.context !== undefined) {
    await configuration.update(settings.context, chosen.context, ConfigurationTarget.Global);
    return;
  }
  const files = await window.showOpenDialog({
    title: l10n.t("Kubeconfig file"),
    canSelectMany: false,
  });
  const file = files?.[0];
  if (file === undefined) return;
  await configuration.update(settings.kubeconfig, [file.fsPath], ConfigurationTarget.Global);
  const before = chosenContext();
  if (before === undefined) return;
  const kubeconfig = { ...clusterSettings(), kubeconfigFiles: [file.fsPath] };
  const opened = await clusters.readKubeconfig(kubeconfig, new AbortController().signal);
  // The view reports an unreadable file; the chosen context is kept because it cannot be checked.
  if (!opened.ok || contextIn(opened.value.contexts, before) !== undefined) return;
  await configuration.update(settings.context, undefined, ConfigurationTarget.Global);
}

/** Asks for the namespaces to watch. */
export async function chooseNamespaces(session: ClusterSession): Promise<void> {
  const own = session.chosen?.namespace ?? "default";
  const now = workspace
    .getConfiguration(settingsSection)
    .get<readonly string[]>(settings.namespaces, []);
  const text = await window.showInputBox({
    title: l10n.t("Choose Namespaces"),
    prompt: l10n.t(
      'Namespaces to watch, separated by commas, or * for all. Leave empty for the namespace of the context, "{0}".',
      own,
    ),
    value: now.join(", "),
    validateInput: (value) => translated(namespacesFault(value)),
  });
  if (text === undefined) return;
  // A workspace value would override the user setting, so update it if it exists.
  const configuration = workspace.getConfiguration(settingsSection);
  const isOfWorkspace = configuration.inspect(settings.namespaces)?.workspaceValue !== undefined;
  const target = isOfWorkspace ? ConfigurationTarget.Workspace : ConfigurationTarget.Global;
  await configuration.update(settings.namespaces, namespacesIn(text), target);
}
