import { l10n } from "vscode";
import { countExecutors } from "../../engine/driver/countExecutors.ts";
import type { AccessConnection } from "../../engine/ports/connection.ts";
import type { Clock } from "../../engine/ports/clock.ts";
import type { StoredObject } from "../../engine/ports/objects.ts";
import { findDrivers, killDrivers } from "../../engine/submit/submitQuery.ts";
import { driverRole, roleLabel } from "../../spark/labels.ts";
import { decodePod } from "../../spark/pods/decodePod.ts";
import { describeState } from "../../spark/pods/describeState.ts";
import { displayState } from "../../spark/pods/displayState.ts";
import { isJsonObject, type Json } from "../../base/json.ts";
import { podStateLines } from "../../spark/submit/plan/podStateText.ts";
import { mayChange, refusalIn } from "../guard.ts";
import type { LogConsole } from "../logs/logConsole.ts";
import { explainClusterError } from "../showError.ts";
import { identityWords } from "./identityWords.ts";
import type { PreparedQuery } from "./prepareRun.ts";
import { window } from "../ui/window.ts";
import { translated } from "../ui/translated.ts";

/** Runs `--status` or, after a confirmation, `--kill`. Returns spark-submit's exit code. */
export async function runQuery(
  { kind, query }: PreparedQuery,
  connection: AccessConnection,
  output: LogConsole,
  clock: Clock,
  signal: AbortSignal,
): Promise<number> {
  const { objects, context, contextNamespace, identity } = connection;
  const fail = (words: string): number => {
    output.problem("error", words);
    return 1;
  };
  const namespace = query.namespace ?? contextNamespace;
  if (namespace === undefined) {
    return fail(l10n.t('No namespace given. Use "namespace:driver-pod-name".'));
  }
  const asked = `${query.name}${query.isPrefix ? "*" : ""}`;
  const inWhoseName = identityWords(identity);
  if (inWhoseName !== undefined) output.note(inWhoseName);
  const ports = { objects, clock };
  const printNone = (): void => {
    output.note(
      query.isPrefix
        ? l10n.t('no driver matches {2} in namespace "{0}" of "{1}"', namespace, context, asked)
        : l10n.t('pod "{2}" not found in namespace "{0}" of "{1}"', namespace, context, asked),
    );
  };
  if (kind === "status") {
    const found = await findDrivers(query, namespace, ports, signal);
    if (!found.ok) return fail(explainClusterError(found.error));
    if (found.value.length === 0) printNone();
    for (const driver of found.value) {
      output.note(l10n.t('"{0}" in namespace "{1}" of "{2}"', driver.name, namespace, context));
      for (const line of podStateLines(jsonOf(driver.body))) output.text(line.trim());
    }
    return 0;
  }
  const refusal = refusalIn(connection);
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
  for (const name of killed.value) output.note(l10n.t("deleted driver pod {0}", name));
  switch (asking.answer) {
    case "nothing":
      printNone();
      return 0;
    case "refused":
      output.note(l10n.t("nothing was deleted"));
      return 1;
    case "agreed":
      return 0;
  }
}

// A longer list does not fit the dialog.
const maxNamed = 15;

async function mayKill(
  drivers: readonly StoredObject[],
  connection: AccessConnection,
  namespace: string,
  signal: AbortSignal,
): Promise<boolean> {
  // Without the right to list executors, the question has no counts.
  const counted = await countExecutors(connection.objects, namespace, signal);
  const counts = counted.ok ? counted.value : undefined;
  const [first] = drivers;
  const isOne = drivers.length === 1 && first !== undefined;
  const button = isOne ? l10n.t("Kill Driver") : l10n.t("Kill {0} Drivers", drivers.length);
  const question = isOne
    ? l10n.t('Kill "{0}"?', first.name)
    : l10n.t("Kill {0} drivers?", drivers.length);
  const more = drivers.length - maxNamed;
  const lines = [
    l10n.t('This will delete in namespace "{0}" of "{1}":', namespace, connection.context),
    ...drivers.slice(0, maxNamed).map((driver) => driverWords(driver, counts)),
    ...(more > 0 ? [l10n.t("and {0} more", more)] : []),
  ];
  const end = l10n.t(
    "Their executors, services and config maps are deleted too. Unsaved output will be lost. This cannot be undone.",
  );
  const ask = async (): Promise<boolean> => {
    const detail = `${lines.join("\n")}\n\n${end}`;
    const chosen = await window.showWarningMessage(question, { modal: true, detail }, button);
    return chosen === button;
  };
  return mayChange(connection, button, ask);
}

function driverWords(
  { name, uid, body }: StoredObject,
  counts: ReadonlyMap<string, number> | undefined,
): string {
  const pod = decodePod(body);
  const state = pod === undefined ? "" : translated(describeState(displayState(pod)));
  // Like spark-submit, this deletes any pod with the name, so the question says if it is not a
  // driver.
  if (pod !== undefined && pod.labels[roleLabel] !== driverRole) {
    return l10n.t("{0}: {1}, not a Spark driver", name, state);
  }
  if (counts === undefined) return `${name}: ${state}`;
  const count = counts.get(uid) ?? 0;
  return count === 1
    ? l10n.t("{0}: {1}, 1 executor", name, state)
    : l10n.t("{0}: {1}, {2} executors", name, state, count);
}

function jsonOf(body: unknown): Parameters<typeof podStateLines>[0] {
  const json = body as Json;
  return isJsonObject(json) ? json : {};
}
