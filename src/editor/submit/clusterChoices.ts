import { msg } from "../../base/message.ts";
import type { Connection } from "../../engine/ports/connection.ts";
import { reviewAccounts } from "../../engine/submit/accountRights.ts";
import { driverRole, roleLabel } from "../../spark/labels.ts";
import { decodePod } from "../../spark/pods/decodePod.ts";
import { sparkContainerOf } from "../../spark/pods/sparkContainer.ts";
import { describeRights } from "../../spark/submit/preflight/neededRights.ts";
import type { Screen } from "../screen.ts";
import type { Choice } from "./questionPick.ts";

/** A namespace of the cluster. */
export interface ChoicePlace {
  readonly connection: Pick<Connection, "objects" | "rights">;
  readonly namespace: string;
}

export const asChoice = (text: string): Choice => ({ label: text, value: text });

export function uniqueChoices(choices: readonly Choice[]): readonly Choice[] {
  const seen = new Set<string>();
  return choices.filter(({ value }) => !seen.has(value) && seen.add(value));
}

/** Returns the images of the drivers in the namespace; none if the pods cannot be listed. */
export async function imagesInUse(place: ChoicePlace): Promise<readonly string[]> {
  const listed = await list(place, "Pod", `${roleLabel}=${driverRole}`);
  if (!listed.ok) return [];
  return listed.value.flatMap(({ body }) => {
    const pod = decodePod(body);
    const image = pod && sparkContainerOf(pod)?.image;
    return image === undefined ? [] : [image];
  });
}

// Suggestions must not delay the question for long.
const listMs = 3000;

const list = (
  { connection, namespace }: ChoicePlace,
  kind: "Pod" | "ServiceAccount",
  labelSelector: string,
): ReturnType<Connection["objects"]["list"]> =>
  connection.objects.list(
    { apiVersion: "v1", kind },
    namespace,
    labelSelector,
    AbortSignal.timeout(listMs),
  );

/**
 * Returns the service accounts of the namespace, those with "spark" in their names first; only "default" if they cannot
 * be listed.
 */
export async function serviceAccounts(place: ChoicePlace): Promise<readonly string[]> {
  const listed = await list(place, "ServiceAccount", "");
  return listed.ok ? listed.value.map(({ name }) => name).sort(sparkFirst) : ["default"];
}

const sparkFirst = (a: string, b: string): number =>
  Number(b.includes("spark")) - Number(a.includes("spark")) || a.localeCompare(b);

/**
 * Adds a description to each choice: the rights that a driver needs and the account lacks. Leaves a choice unchanged if
 * the review has no answer.
 */
export async function withRights(
  choices: readonly Choice[],
  { connection, namespace }: ChoicePlace,
  { translated }: Pick<Screen, "translated">,
  signal: AbortSignal,
): Promise<readonly Choice[]> {
  const accounts = choices.map(({ value }) => value);
  const limit = AbortSignal.any([signal, AbortSignal.timeout(listMs)]);
  const lacking = await reviewAccounts(accounts, namespace, connection.rights, limit);
  return choices.map((choice) => {
    const missing = lacking.get(choice.value);
    if (missing === undefined) return choice;
    const description = translated(
      missing.length === 0
        ? msg("has the permissions that a driver needs")
        : msg`lacks: ${describeRights(missing)}`,
    );
    return { ...choice, description };
  });
}
