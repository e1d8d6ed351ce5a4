import { workspace } from "vscode";
import type { ClusterSettings } from "../engine/ports.ts";
import type { ContextPatterns } from "./contextGuard.ts";
import { settings, settingsSection } from "./ids.ts";

/**
 * How to reach clusters. Both settings have machine scope in the manifest, and only the user's own values
 * are looked at besides: what a workspace says of kubeconfig files is never heard.
 */
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

/** Contexts that are watched besides the chosen one, each with its namespaces. */
export function furtherContexts(): Readonly<Record<string, readonly string[]>> {
  const value = userValue(settings.furtherContexts);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return {};
  return Object.fromEntries(
    Object.entries(value)
      .filter(([context]) => context !== "")
      .map(([context, namespaces]) => [context, stringsOf(namespaces)]),
  );
}

/** How much kept logs may take; what is no number is as if nothing had been said. */
export function keptLogLimits(): { readonly bytes: number; readonly ageMs: number } {
  const said = workspace.getConfiguration(settingsSection);
  const number = (name: string, otherwise: number): number => {
    const value = said.get(name);
    return typeof value === "number" && value > 0 ? value : otherwise;
  };
  return {
    bytes: number(settings.keptMegabytes, 500) * 2 ** 20,
    ageMs: number(settings.keptDays, 14) * 86_400_000,
  };
}

/** Whether logs are kept for as long as somebody follows them. */
export const keepsFollowedLogs = (): boolean =>
  workspace.getConfiguration(settingsSection).get(settings.keepLogs) === "followed";

/** Whether logs are shown as they were printed; a workspace is not asked. */
export const showsLogSecrets = (): boolean => userValue(settings.showLogSecrets) === true;

/** Contexts in which a change needs more than a click; a workspace is not asked, as it could loosen them. */
export function contextPatterns(): ContextPatterns {
  return {
    guarded: userList(settings.guardedContexts),
    readOnly: userList(settings.readOnlyContexts),
  };
}

// What is no list guards as if nothing had been said.
function userList(name: string): readonly string[] {
  const said = workspace.getConfiguration(settingsSection).inspect<unknown>(name);
  return stringsOf(Array.isArray(said?.globalValue) ? said.globalValue : said?.defaultValue);
}

function userValue(name: string): unknown {
  return workspace.getConfiguration(settingsSection).inspect<unknown>(name)?.globalValue;
}

const stringsOf = (value: unknown): readonly string[] =>
  Array.isArray(value)
    ? value.filter((one): one is string => typeof one === "string" && one !== "")
    : [];
