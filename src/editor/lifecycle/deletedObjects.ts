import { l10n } from "vscode";
import type { Connection } from "../../engine/ports/connection.ts";
import { previewStop } from "../../engine/lifecycle/stopApplication.ts";
import type { Application } from "../../spark/pods/application.ts";
import type { OwnedObject, DeletedObjects } from "../../spark/pods/ownedObjects.ts";
import { inView } from "../progress.ts";
import { distinctNames } from "../apps/distinctNames.ts";
import { namesFor } from "./targets.ts";

/** For a question: what Kubernetes deletes with the driver pods. Lists names for one application, else counts. */
export const deletedObjectsText = async (
  connection: Connection,
  applications: readonly Application[],
): Promise<string> => (await readDeletedObjects(connection, applications)).words;

/** As `deletedObjectsText`, with the names of the volume claims, which may hold data. */
export async function readDeletedObjects(
  { objects }: Connection,
  applications: readonly Application[],
): Promise<{ readonly words: string; readonly claims: readonly string[] }> {
  const withDriver = applications.filter(({ driver }) => driver !== undefined);
  const [only, ...others] = withDriver;
  if (only === undefined) return { words: "", claims: [] };
  const { goes, unlisted } = await inView((signal) => previewStop(objects, withDriver, signal));
  const lines =
    others.length === 0
      ? goes.flatMap((one) => linesOf(one, only.namespace))
      : [countedWords(withDriver, goes)];
  const words =
    unlisted.length === 0
      ? []
      : [l10n.t("Also deletes owned objects that you may not list: {0}.", unlisted.join(", "))];
  const claims = goes.flatMap((one) => claimNames(one.objects));
  return { words: [...lines, ...words].join("\n"), claims };
}

const linesOf = (
  { driver, executors, objects }: DeletedObjects,
  namespace: string,
): readonly string[] => [
  l10n.t('This will delete in namespace "{0}":', namespace),
  l10n.t("driver pod {0}", driver),
  ...(executors.length === 0 ? [] : [executorWords(executors)]),
  ...objects.map((object) => `${object.kind} ${object.name}`),
];

function executorWords(executors: readonly string[]): string {
  const [first = ""] = executors;
  return executors.length === 1
    ? l10n.t("executor pod {0}", first)
    : l10n.t("{0} executor pods", executors.length);
}

function countedWords(
  applications: readonly Application[],
  goes: readonly DeletedObjects[],
): string {
  const executors = goes.flatMap((one) => one.executors);
  const objects = goes.flatMap((one) => one.objects);
  const owned = [
    ...(executors.length === 0 ? [] : [executorWords(executors)]),
    ...otherKinds(objects).map((kind) => countWord(objects, kind)),
  ];
  const names = namesFor(distinctNames(applications));
  const words =
    owned.length === 0
      ? l10n.t("This will delete: the driver pods of {0}.", names)
      : l10n.t(
          "This will delete: the driver pods of {0}, and the objects they own: {1}.",
          names,
          owned.join(", "),
        );
  // Volume claims may hold data, so list their names.
  const claims = claimNames(objects);
  return claims.length === 0
    ? words
    : `${words} ${l10n.t("Volume claims: {0}.", namesFor(claims))}`;
}

export const claimKind = "PersistentVolumeClaim";

const claimNames = (objects: readonly OwnedObject[]): readonly string[] =>
  objects.filter(({ kind }) => kind === claimKind).map(({ name }) => name);

const otherKinds = (objects: readonly OwnedObject[]): readonly string[] => [
  ...new Set(objects.map(({ kind }) => kind).filter((kind) => kind !== claimKind)),
];

function countWord(objects: readonly OwnedObject[], wanted: string): string {
  const [only, ...others] = objects.filter(({ kind }) => kind === wanted);
  return only !== undefined && others.length === 0
    ? `${wanted} ${only.name}`
    : `${others.length + 1} ${wanted.replace(/y$/, "ie")}s`;
}
