import { ConfigurationTarget, l10n, window, workspace } from "vscode";
import { settings, settingsSection } from "../ids.ts";
import type { Log } from "../log.ts";
import { chosenContext, clusterSettings, furtherContexts } from "../settings.ts";
import { showClusterError } from "../showError.ts";
import type { ClusterSession } from "./clusterSession.ts";
import { contextIn, furtherAfter } from "./contextChoice.ts";

/** Lets the user tick the contexts whose applications are shown besides; kept in the user's settings. */
export async function watchFurther(session: ClusterSession, log: Log): Promise<void> {
  const clusters = await session.clusters();
  const read = await clusters.readKubeconfig(clusterSettings(), new AbortController().signal);
  if (!read.ok) {
    await showClusterError(l10n.t("The kubeconfig was not read"), read.error, log);
    return;
  }
  const inUse = session.chosen?.context;
  const now = furtherContexts();
  const items = read.value.contexts
    .filter(({ name }) => name !== inUse)
    .map(({ name, server, namespace }) => ({
      label: name,
      detail: l10n.t(
        "{0}, namespace {1}",
        server,
        now[name]?.join(", ") || (namespace ?? "default"),
      ),
      picked: name in now,
    }));
  const chosen = await window.showQuickPick(items, {
    title: l10n.t("Watch Further Clusters"),
    placeHolder:
      items.length === 0
        ? l10n.t("The kubeconfig has no other context")
        : l10n.t('Shown beside "{0}", where submissions go', inUse ?? ""),
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

/** Lets the user choose a context of the kubeconfig, or another kubeconfig file; kept in the user's settings. */
export async function chooseCluster(session: ClusterSession, log: Log): Promise<void> {
  const clusters = await session.clusters();
  const read = await clusters.readKubeconfig(clusterSettings(), new AbortController().signal);
  if (!read.ok && read.error.kind !== "configuration") {
    await showClusterError(l10n.t("The kubeconfig was not read"), read.error, log);
    return;
  }
  const inUse = session.chosen?.context;
  const contexts = read.ok ? read.value.contexts : [];
  const items = contexts.map(({ name, server, user, namespace }) => ({
    label: name,
    description: name === inUse ? l10n.t("in use") : "",
    detail: l10n.t("{0} as {1}, namespace {2}", server, user, namespace ?? "default"),
    context: name,
  }));
  const browse = {
    label: l10n.t("$(folder-opened) Use another kubeconfig file…"),
    context: undefined,
  };
  const chosen = await window.showQuickPick([...items, browse], {
    title: l10n.t("Choose Cluster"),
    placeHolder:
      items.length === 0
        ? l10n.t("No context was found in the kubeconfig")
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
  // Of a file that cannot be read the view tells, and a context that nobody can look up stays chosen.
  if (!opened.ok || contextIn(opened.value.contexts, before) !== undefined) return;
  await configuration.update(settings.context, undefined, ConfigurationTarget.Global);
}

/** Lets the user say which namespaces the tree shows. */
export async function chooseNamespaces(session: ClusterSession): Promise<void> {
  const own = session.chosen?.namespace ?? "default";
  const now = workspace
    .getConfiguration(settingsSection)
    .get<readonly string[]>(settings.namespaces, []);
  const text = await window.showInputBox({
    title: l10n.t("Choose Namespaces"),
    prompt: l10n.t(
      'Namespaces to watch, separated by commas; * for all. Empty: the context\'s own, "{0}".',
      own,
    ),
    value: now.join(", "),
    validateInput: (value) => {
      const wrong = namesIn(value).find((name) => name !== "*" && !isNamespaceName(name));
      return wrong === undefined ? undefined : l10n.t('"{0}" is no name of a namespace.', wrong);
    },
  });
  if (text === undefined) return;
  // Into the workspace's file only where it has a value already, which would win over the user's own.
  const configuration = workspace.getConfiguration(settingsSection);
  const isOfWorkspace = configuration.inspect(settings.namespaces)?.workspaceValue !== undefined;
  const target = isOfWorkspace ? ConfigurationTarget.Workspace : ConfigurationTarget.Global;
  await configuration.update(settings.namespaces, namesIn(text), target);
}

const namesIn = (text: string): readonly string[] =>
  text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");

// RFC 1123 label, as Kubernetes demands of a namespace.
const isNamespaceName = (name: string): boolean =>
  /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(name);
