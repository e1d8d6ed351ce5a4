import { Uri, workspace } from "vscode";
import type { ClusterSettings } from "../engine/ports/connection.ts";
import { historyPath, serviceIn, type ClusterService } from "../spark/ui/historyService.ts";
import { parseGuards, type ContextPatterns } from "../engine/contextGuard.ts";
import { settings, settingsSection } from "./ids.ts";
import {
  furtherIn,
  httpAddressIn,
  keptLimits,
  logsToKeep,
  numberOr,
  rowsIn,
  stringsIn,
  textIn,
} from "./settingValues.ts";

/** Reads the settings for connections. Only user values count: a workspace must not choose kubeconfig files. */
export function clusterSettings(): ClusterSettings {
  return {
    kubeconfigFiles: stringsIn(userValue(settings.kubeconfig)),
    mayRunPlugins: workspace.isTrusted,
  };
}

/** Returns the context chosen by the user. Undefined means the kubeconfig's current context. */
export function chosenContext(): string | undefined {
  const value = userValue(settings.context);
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Returns the namespaces to watch. Empty means the context's own namespace. */
export function chosenNamespaces(): readonly string[] {
  return stringsIn(workspace.getConfiguration(settingsSection).get(settings.namespaces));
}

/** Returns the additional contexts to watch, with their namespaces. Only the user value counts. */
export const furtherContexts = (): Readonly<Record<string, readonly string[]>> =>
  furtherIn(userValue(settings.furtherContexts));

export const keptLogLimits = (): ReturnType<typeof keptLimits> =>
  keptLimits(userValue(settings.keptMegabytes), userValue(settings.keptDays));

/** True if followed logs are saved. */
export const keepsFollowedLogs = (): boolean => logsToKeep(userValue(settings.keepLogs)).followed;

/** True if the last lines of failed pods are saved, which is the default. */
export const keepsFailedLogs = (): boolean => logsToKeep(userValue(settings.keepLogs)).failed;

/** True if the user wants a notification at the end of a long run. */
export const notifiesOfEnd = (): boolean => userValue(settings.notifyOnEnd) === true;

/** True if logs are shown without redaction. Reads only the user value. */
export const showsLogSecrets = (): boolean => userValue(settings.showLogSecrets) === true;

/**
 * Returns the URL of an application on the history server; undefined if the setting is not a URL. Only the user value
 * counts, because a workspace must not choose the address of a page.
 */
export function historyPage(id: string): Uri | undefined {
  const address = httpAddressIn(userValue(settings.historyServer));
  return address === undefined ? undefined : Uri.joinPath(Uri.parse(address), historyPath(id));
}

/** Returns the Service of a history server in the cluster; undefined if none is set. Only the user value counts. */
export function historyService(): ClusterService | undefined {
  const text = textIn(userValue(settings.historyServer));
  return text === undefined ? undefined : serviceIn(text);
}

/** Returns the minutes without a client after which a session ends. 0 means never. */
export const sessionIdleMinutes = (): number =>
  numberOr(userValue(settings.sessionIdleMinutes), 0, 60);

/** True if the driver pod of a shell stays when its terminal closes. */
export const keepsShells = (): boolean => userValue(settings.keepShells) === true;

/** Returns the maximum number of rows that the result of a selection shows. */
export const sessionRows = (): number => rowsIn(userValue(settings.sessionMaxRows));

/**
 * Returns the Python interpreter that runs selections. Only the user value counts: a workspace must not choose a
 * program.
 */
export const sessionPython = (): string | undefined => textIn(userValue(settings.sessionPython));

/** Returns the guarded and read-only contexts. Only user values count, because a workspace could loosen the guards. */
export function contextPatterns(): ContextPatterns {
  return {
    guarded: parseGuards(userOrDefault(settings.guardedContexts)),
    readOnly: parseGuards(userOrDefault(settings.readOnlyContexts)),
  };
}

function userOrDefault(name: string): unknown {
  const said = workspace.getConfiguration(settingsSection).inspect<unknown>(name);
  return said?.globalValue === undefined ? said?.defaultValue : said.globalValue;
}

function userValue(name: string): unknown {
  return workspace.getConfiguration(settingsSection).inspect<unknown>(name)?.globalValue;
}
