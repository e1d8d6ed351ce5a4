import { msg } from "../../base/message.ts";
import type { Connection } from "../../engine/ports/connection.ts";
import { suggestionMs, withinAnswerDeadline } from "../../engine/withinTime.ts";
import { reviewAccounts } from "../../engine/submit/accountRights.ts";
import { driverRole, roleLabel } from "../../spark/labels.ts";
import { decodePod } from "../../spark/pods/decodePod.ts";
import { sparkContainerOf } from "../../spark/pods/sparkContainer.ts";
import { decodeRunProfile, memberKeys } from "../../spark/submit/profile/runProfile.ts";
import { variablesIn } from "../../spark/submit/profile/variables.ts";
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

/** Returns the images of the drivers in the namespace; none if the pods are not listed within `ms`. */
export async function imagesInUse(
  place: ChoicePlace,
  ms = suggestionMs,
): Promise<readonly string[]> {
  const listed = await list(place, "Pod", `${roleLabel}=${driverRole}`, ms);
  if (listed?.ok !== true) return [];
  return listed.value.flatMap(({ body }) => {
    const pod = decodePod(body);
    const image = pod && sparkContainerOf(pod)?.image;
    return image === undefined ? [] : [image];
  });
}

/** Returns the images that run profiles name. Omits images with variables, which a prompt cannot resolve. */
export const imagesOfProfiles = (definitions: readonly unknown[]): readonly string[] =>
  definitions.flatMap((definition) => {
    const { image: own, conf } = decodeRunProfile(definition).value;
    const image = own ?? conf?.[memberKeys.image] ?? "";
    return image === "" || variablesIn(image).length > 0 ? [] : [image];
  });

const list = (
  { connection, namespace }: ChoicePlace,
  kind: "Pod" | "ServiceAccount",
  labelSelector: string,
  ms: number,
): Promise<Awaited<ReturnType<Connection["objects"]["list"]>> | undefined> =>
  withinAnswerDeadline(
    (soon) => connection.objects.list({ apiVersion: "v1", kind }, namespace, labelSelector, soon),
    new AbortController().signal,
    ms,
  );

/**
 * Returns the service accounts of the namespace, those with "spark" in their names first; only "default" if they are not
 * listed within `ms`.
 */
export async function serviceAccounts(
  place: ChoicePlace,
  ms = suggestionMs,
): Promise<readonly string[]> {
  const listed = await list(place, "ServiceAccount", "", ms);
  return listed?.ok === true ? listed.value.map(({ name }) => name).sort(sparkFirst) : ["default"];
}

/** True if the namespace certainly lacks the service account. False if its accounts are not listed within `ms`. */
export async function lacksAccount(
  place: ChoicePlace,
  account: string,
  ms = suggestionMs,
): Promise<boolean> {
  const listed = await list(place, "ServiceAccount", "", ms);
  return listed?.ok === true && listed.value.every(({ name }) => name !== account);
}

const sparkFirst = (a: string, b: string): number =>
  Number(b.includes("spark")) - Number(a.includes("spark")) || a.localeCompare(b);

/**
 * Adds a description to each service account: the permissions that a driver needs and the account lacks. Leaves a
 * choice unchanged if the access review returns no result in time.
 */
export async function withRights(
  choices: readonly Choice[],
  { connection, namespace }: ChoicePlace,
  { translated }: Pick<Screen, "translated">,
  signal: AbortSignal,
): Promise<readonly Choice[]> {
  const accounts = choices.map(({ value }) => value);
  const lacking = await withinAnswerDeadline(
    (soon) => reviewAccounts(accounts, namespace, connection.rights, soon),
    signal,
    suggestionMs,
  );
  return choices.map((choice) => {
    const missing = lacking?.get(choice.value);
    if (missing === undefined) return choice;
    const description = translated(
      missing.length === 0
        ? msg("has the permissions that a driver needs")
        : msg`lacks: ${describeRights(missing)}`,
    );
    return { ...choice, description };
  });
}
