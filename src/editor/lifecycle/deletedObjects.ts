import { lines, listed, msg, sentences, verbatim, type Message } from "../../base/message.ts";
import type { Connection } from "../../engine/ports/connection.ts";
import { previewStop } from "../../engine/lifecycle/stopApplication.ts";
import type { Application } from "../../spark/pods/application.ts";
import type { OwnedObject, DeletedObjects } from "../../spark/pods/ownedObjects.ts";
import type { Screen } from "../screen.ts";
import { inView } from "../inView.ts";
import { distinctNames } from "../apps/distinctNames.ts";
import { namesFor } from "./targets.ts";

/**
 * Returns the text for a confirmation: the objects that Kubernetes deletes with the driver pods. Lists names for one
 * application, else counts. Undefined without a driver pod.
 */
export const deletedObjectsText = async (
  screen: Pick<Screen, "withProgress">,
  connection: Connection,
  applications: readonly Application[],
): Promise<Message | undefined> =>
  (await readDeletedObjects(screen, connection, applications)).words;

/** As `deletedObjectsText`, with the names of the volume claims, which may hold data. */
export async function readDeletedObjects(
  screen: Pick<Screen, "withProgress">,
  { objects }: Connection,
  applications: readonly Application[],
): Promise<{ readonly words: Message | undefined; readonly claims: readonly string[] }> {
  const withDriver = applications.filter(({ driver }) => driver !== undefined);
  const [only, ...others] = withDriver;
  if (only === undefined) return { words: undefined, claims: [] };
  const { goes, unlisted } = await inView(screen, (signal) =>
    previewStop(objects, withDriver, signal),
  );
  const objectLines =
    others.length === 0
      ? goes.flatMap((one) => linesOf(one, only.namespace))
      : [countedWords(withDriver, goes)];
  const words =
    unlisted.length === 0
      ? undefined
      : msg`Also deletes owned objects that you do not have permission to list: ${unlisted.join(", ")}.`;
  const claims = goes.flatMap((one) => claimNames(one.objects));
  return { words: lines([...objectLines, words]), claims };
}

const linesOf = (
  { driver, executors, objects }: DeletedObjects,
  namespace: string,
): readonly Message[] => [
  msg`This will delete in namespace "${namespace}":`,
  msg`driver pod ${driver}`,
  ...(executors.length === 0 ? [] : [executorWords(executors)]),
  ...objects.map((object) => verbatim(`${object.kind} ${object.name}`)),
];

function executorWords(executors: readonly string[]): Message {
  const [first = ""] = executors;
  return executors.length === 1
    ? msg`executor pod ${first}`
    : msg`${executors.length} executor pods`;
}

function countedWords(
  applications: readonly Application[],
  goes: readonly DeletedObjects[],
): Message {
  const executors = goes.flatMap((one) => one.executors);
  const objects = goes.flatMap((one) => one.objects);
  const owned = [
    ...(executors.length === 0 ? [] : [executorWords(executors)]),
    ...otherKinds(objects).map((kind) => countWord(objects, kind)),
  ];
  const names = namesFor(distinctNames(applications));
  const words =
    owned.length === 0
      ? msg`This will delete: the driver pods of ${names}.`
      : msg`This will delete: the driver pods of ${names}, and the objects they own: ${listed(owned) ?? ""}.`;
  // Volume claims may hold data, so list their names.
  const claims = claimNames(objects);
  return claims.length === 0 ? words : sentences([words, msg`Volume claims: ${namesFor(claims)}.`]);
}

export const claimKind = "PersistentVolumeClaim";

const claimNames = (objects: readonly OwnedObject[]): readonly string[] =>
  objects.filter(({ kind }) => kind === claimKind).map(({ name }) => name);

const otherKinds = (objects: readonly OwnedObject[]): readonly string[] => [
  ...new Set(objects.map(({ kind }) => kind).filter((kind) => kind !== claimKind)),
];

function countWord(objects: readonly OwnedObject[], wanted: string): Message {
  const [only, ...others] = objects.filter(({ kind }) => kind === wanted);
  return only !== undefined && others.length === 0
    ? verbatim(`${wanted} ${only.name}`)
    : verbatim(`${others.length + 1} ${wanted.replace(/y$/, "ie")}s`);
}
