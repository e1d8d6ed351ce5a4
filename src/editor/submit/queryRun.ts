import { msg, type Message, type MessageText } from "../../base/message.ts";
import { countExecutorPods } from "../../engine/submit/countExecutorPods.ts";
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
import type { LogConsole } from "../logs/logConsole.ts";
import type { Screen } from "../screen.ts";
import { identityWords } from "./identityWords.ts";
import type { PreparedQuery } from "./prepareRun.ts";

interface QueryPlace {
  readonly output: LogConsole;
  readonly screen: Screen;
  readonly clock: Clock;
}

/** Runs `--status` or, after a confirmation, `--kill`. Returns the exit code of the run. */
export async function runQuery(
  { kind, query }: PreparedQuery,
  connection: AccessConnection,
  { output, screen, clock }: QueryPlace,
  signal: AbortSignal,
): Promise<number> {
  const { objects, context, contextNamespace, identity } = connection;
  const fail = (words: MessageText): number => {
    output.problem("error", words);
    return 1;
  };
  const namespace = query.namespace ?? contextNamespace;
  if (namespace === undefined) {
    return fail(msg('No namespace given. Use "namespace:driver-pod-name".'));
  }
  const asked = `${query.name}${query.isPrefix ? "*" : ""}`;
  const inWhoseName = identityWords(identity);
  if (inWhoseName !== undefined) output.note(inWhoseName);
  const ports = { objects, clock };
  const printNone = (): void => {
    output.note(
      query.isPrefix
        ? msg`no driver matches ${asked} in namespace "${namespace}" of "${context}"`
        : msg`pod "${asked}" not found in namespace "${namespace}" of "${context}"`,
    );
  };
  if (kind === "status") {
    const found = await findDrivers(query, namespace, ports, signal);
    if (!found.ok) return fail(screen.explainClusterError(found.error));
    if (found.value.length === 0) printNone();
    for (const driver of found.value) {
      output.note(msg`"${driver.name}" in namespace "${namespace}" of "${context}"`);
      for (const line of podStateLines(jsonOf(driver.body))) output.text(line.trim());
    }
    return 0;
  }
  const asking: { answer: "agreed" | "refused" | "nothing" } = { answer: "nothing" };
  const approve = async (drivers: readonly StoredObject[]): Promise<readonly StoredObject[]> => {
    if (drivers.length === 0) return [];
    const isAgreed = await mayKill(drivers, screen, connection, namespace, signal);
    asking.answer = isAgreed ? "agreed" : "refused";
    return isAgreed ? drivers : [];
  };
  const killed = await killDrivers(query, namespace, ports, approve, signal);
  if (!killed.ok) return fail(screen.explainClusterError(killed.error));
  for (const name of killed.value) output.note(msg`deleted driver pod ${name}`);
  switch (asking.answer) {
    case "nothing":
      printNone();
      return 0;
    case "refused":
      output.note(msg("nothing was deleted"));
      return 1;
    case "agreed":
      return 0;
  }
}

// A longer list of names does not fit into the dialog.
const maxNamed = 15;

async function mayKill(
  drivers: readonly StoredObject[],
  screen: Screen,
  connection: AccessConnection,
  namespace: string,
  signal: AbortSignal,
): Promise<boolean> {
  // Without permission to list executors, the confirmation has no counts.
  const counted = await countExecutorPods(connection.objects, namespace, signal);
  const counts = counted.ok ? counted.value : undefined;
  const [first] = drivers;
  const isOne = drivers.length === 1 && first !== undefined;
  const button = isOne ? msg("Kill Driver") : msg`Kill ${drivers.length} Drivers`;
  const question = isOne ? msg`Kill "${first.name}"?` : msg`Kill ${drivers.length} drivers?`;
  const more = drivers.length - maxNamed;
  const lines = [
    msg`This will delete in namespace "${namespace}" of "${connection.context}":`,
    ...drivers.slice(0, maxNamed).map((driver) => driverWords(driver, counts)),
    ...(more > 0 ? [msg`and ${more} more`] : []),
  ];
  const end = msg(
    "Their executors, services and config maps are deleted too. Unsaved output will be lost. This cannot be undone.",
  );
  const ask = async (): Promise<boolean> => {
    const detail = `${lines.map(screen.translated).join("\n")}\n\n${screen.translated(end)}`;
    const chosen = await screen.showWarningMessage(question, { modal: true, detail }, button);
    return chosen === button;
  };
  return screen.mayChange(connection, button, ask);
}

function driverWords(
  { name, uid, body }: StoredObject,
  counts: ReadonlyMap<string, number> | undefined,
): Message {
  const pod = decodePod(body);
  const state = pod === undefined ? "" : describeState(displayState(pod));
  // Like spark-submit, this deletes any pod with the name, so the confirmation mentions a pod that is not a driver.
  if (pod !== undefined && pod.labels[roleLabel] !== driverRole) {
    return msg`${name}: ${state}, not a Spark driver`;
  }
  if (counts === undefined) return msg`${name}: ${state}`;
  const count = counts.get(uid) ?? 0;
  return count === 1
    ? msg`${name}: ${state}, 1 executor`
    : msg`${name}: ${state}, ${count} executors`;
}

function jsonOf(body: unknown): Parameters<typeof podStateLines>[0] {
  const json = body as Json;
  return isJsonObject(json) ? json : {};
}
