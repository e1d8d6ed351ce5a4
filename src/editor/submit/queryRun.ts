import { l10n, window } from "vscode";
import { countExecutors } from "../../engine/countExecutors.ts";
import type { AccessConnection, Clock, StoredObject } from "../../engine/ports.ts";
import { findDrivers, killDrivers } from "../../engine/submitQuery.ts";
import { driverRole, roleLabel } from "../../spark/labels.ts";
import { decodePod } from "../../spark/pods/decodePod.ts";
import { describeState } from "../../spark/pods/describeState.ts";
import { displayState } from "../../spark/pods/displayState.ts";
import { isJsonObject } from "../../spark/submit/json.ts";
import type { Json } from "../../spark/submit/manifest.ts";
import { podStateLines } from "../../spark/submit/podStateText.ts";
import { mayChange, refusalIn } from "../guard.ts";
import type { TerminalPrinter } from "../logs/terminalPrinter.ts";
import { explainClusterError } from "../showError.ts";
import { guardedContext, identityWords } from "./foreignServer.ts";
import type { PreparedQuery } from "./prepareRun.ts";

/** Tells the state of drivers, or deletes them after a question; gives the exit code that spark-submit has. */
export async function runQuery(
  { kind, query, connection }: PreparedQuery,
  printer: TerminalPrinter,
  clock: Clock,
  signal: AbortSignal,
): Promise<number> {
  const { objects, context, contextNamespace, identity } = connection;
  const fail = (words: string): number => {
    printer.problem("error", words);
    return 1;
  };
  const namespace = query.namespace ?? contextNamespace;
  if (namespace === undefined) {
    return fail(l10n.t('Say in which namespace: "namespace:driver-pod-name".'));
  }
  const asked = `${query.name}${query.isPrefix ? "*" : ""}`;
  const inWhoseName = identityWords(identity);
  if (inWhoseName !== undefined) printer.note(inWhoseName);
  const ports = { objects, clock };
  const tellNone = (): void => {
    printer.note(
      query.isPrefix
        ? l10n.t('no driver in namespace "{0}" of "{1}" is named {2}', namespace, context, asked)
        : l10n.t('there is no pod "{2}" in namespace "{0}" of "{1}"', namespace, context, asked),
    );
  };
  if (kind === "status") {
    const found = await findDrivers(query, namespace, ports, signal);
    if (!found.ok) return fail(explainClusterError(found.error));
    if (found.value.length === 0) tellNone();
    for (const driver of found.value) {
      printer.note(l10n.t('"{0}" in namespace "{1}" of "{2}"', driver.name, namespace, context));
      for (const line of podStateLines(jsonOf(driver.body))) printer.text(line.trim());
    }
    return 0;
  }
  const refusal = refusalIn(guardedContext(connection));
  if (refusal !== undefined) return fail(refusal);
  const asking: { answer: "agreed" | "refused" | "nothing" } = { answer: "nothing" };
  const approve = async (drivers: readonly StoredObject[]): Promise<readonly StoredObject[]> => {
    if (drivers.length === 0) return [];
    const isAgreed = await mayKill(drivers, connection, namespace, signal);
    asking.answer = isAgreed ? "agreed" : "refused";
    return isAgreed ? drivers : [];
  };
  const killed = await killDrivers(query, namespace, ports, approve, signal);
  if (!killed.ok) return fail(explainClusterError(killed.error));
  for (const name of killed.value) printer.note(l10n.t("deleted driver pod {0}", name));
  switch (asking.answer) {
    case "nothing":
      tellNone();
      return 0;
    case "refused":
      printer.note(l10n.t("nothing was deleted"));
      return 1;
    case "agreed":
      return 0;
  }
}

// What stands in a question beyond this nobody reads.
const namedInQuestion = 15;

async function mayKill(
  drivers: readonly StoredObject[],
  connection: AccessConnection,
  namespace: string,
  signal: AbortSignal,
): Promise<boolean> {
  // Whoever may not list executors is not told their number.
  const counted = await countExecutors(connection.objects, namespace, signal);
  const counts = counted.ok ? counted.value : undefined;
  const [first] = drivers;
  const isOne = drivers.length === 1 && first !== undefined;
  const button = isOne ? l10n.t("Kill driver") : l10n.t("Kill {0} drivers", drivers.length);
  const question = isOne
    ? l10n.t('Kill "{0}"?', first.name)
    : l10n.t("Kill {0} drivers?", drivers.length);
  const more = drivers.length - namedInQuestion;
  const lines = [
    l10n.t('Deleted in namespace "{0}" of "{1}":', namespace, connection.context),
    ...drivers.slice(0, namedInQuestion).map((driver) => driverWords(driver, counts)),
    ...(more > 0 ? [l10n.t("and {0} more", more)] : []),
  ];
  const end = l10n.t(
    "The executors, services and config maps of each go with it, and what it has not written yet is lost. This cannot be undone.",
  );
  const ask = async (): Promise<boolean> => {
    const detail = `${lines.join("\n")}\n\n${end}`;
    const chosen = await window.showWarningMessage(question, { modal: true, detail }, button);
    return chosen === button;
  };
  return mayChange(guardedContext(connection), button, ask);
}

function driverWords(
  { name, uid, body }: StoredObject,
  counts: ReadonlyMap<string, number> | undefined,
): string {
  const pod = decodePod(body);
  const state = pod === undefined ? "" : describeState(displayState(pod));
  // spark-submit kills any pod of the name; a person should know.
  if (pod !== undefined && pod.labels[roleLabel] !== driverRole) {
    return l10n.t("{0}: {1}, a pod that is no driver of Spark", name, state);
  }
  if (counts === undefined) return `${name}: ${state}`;
  const count = counts.get(uid) ?? 0;
  return count === 1
    ? l10n.t("{0}: {1}, 1 executor", name, state)
    : l10n.t("{0}: {1}, {2} executors", name, state, count);
}

// What came over the wire is JSON.
function jsonOf(body: unknown): Parameters<typeof podStateLines>[0] {
  const json = body as Json;
  return isJsonObject(json) ? json : {};
}
