import { Uri, workspace } from "vscode";
import type { ClusterSettings } from "../engine/ports/connection.ts";
import { parseGuards, type ContextPatterns } from "../engine/contextGuard.ts";
import { settings, settingsSection } from "./ids.ts";

/** The settings for connections. Reads only user values, because a workspace must not choose kubeconfig files. */
export function clusterSettings(): ClusterSettings {
  return {
    kubeconfigFiles: stringsOf(userValue(settings.kubeconfig)),
    mayRunPlugins: workspace.isTrusted,
  };
}

/** The context chosen by the user; undefined: the kubeconfig's current one. */
export function chosenContext(): string | undefined {
  const value = userValue(settings.context);
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Namespaces to watch; empty: the context's own. */
export function chosenNamespaces(): readonly string[] {
  return stringsOf(workspace.getConfiguration(settingsSection).get(settings.namespaces));
}

/** The additional contexts to watch, with their namespaces. */
export function furtherContexts(): Readonly<Record<string, readonly string[]>> {
  const value = userValue(settings.furtherContexts);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return {};
  return Object.fromEntries(
    Object.entries(value)
      .filter(([context]) => context !== "")
      .map(([context, namespaces]) => [context, stringsOf(namespaces)]),
  );
}

const maxKeptLogs = 2_000;

/** The limits of saved logs. Invalid values mean the defaults. */
export function keptLogLimits(): {
  readonly bytes: number;
  readonly ageMs: number;
  readonly logs: number;
} {
  const number = (name: string, otherwise: number): number => {
    const value = userValue(name);
    return typeof value === "number" && value > 0 ? value : otherwise;
  };
  return {
    bytes: number(settings.keptMegabytes, 500) * 2 ** 20,
    ageMs: number(settings.keptDays, 14) * 86_400_000,
    logs: maxKeptLogs,
  };
}

/** True if followed logs are saved. */
export const keepsFollowedLogs = (): boolean => userValue(settings.keepLogs) !== "never";

/** True if the last lines of failed pods are saved, which is the default. */
export const keepsFailedLogs = (): boolean =>
  keepsFollowedLogs() && userValue(settings.keepLogs) !== "followed";

/** True if a notification reports the end of a long run. */
export const notifiesOfEnd = (): boolean => userValue(settings.notifyOnEnd) === true;

/** True if logs are shown without redaction. Reads only the user value. */
export const showsLogSecrets = (): boolean => userValue(settings.showLogSecrets) === true;

/** The history server. Reads only the user value, because a workspace must not choose the address of a page. */
export function historyServer(): Uri | undefined {
  const value = userValue(settings.historyServer);
  if (typeof value !== "string" || !/^https?:\/\/[^/\s]/i.test(value.trim())) return undefined;
  return Uri.parse(value.trim());
}

/** Minutes without a client after which a session ends; 0: never. */
export const sessionIdleMinutes = (): number => numberFrom(settings.sessionIdleMinutes, 0, 60);

/** True if the driver pod of a shell stays when its terminal closes. */
export const keepsShells = (): boolean => userValue(settings.keepShells) === true;

/** The most rows that the result of a selection shows. */
export const sessionRows = (): number =>
  Math.min(Math.round(numberFrom(settings.sessionMaxRows, 1, 1_000)), 10_000);

/** The Python interpreter for selections. Reads only the user value, because a workspace must not choose a program. */
export function sessionPython(): string | undefined {
  const value = userValue(settings.sessionPython);
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

function numberFrom(name: string, least: number, otherwise: number): number {
  const value = userValue(name);
  return typeof value === "number" && value >= least ? value : otherwise;
}

/** The guarded and read-only contexts. Reads only user values, because a workspace could loosen them. */
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

const stringsOf = (value: unknown): readonly string[] =>
  Array.isArray(value)
    ? value.filter((one): one is string => typeof one === "string" && one !== "")
    : [];
