import { l10n } from "vscode";
import type { Connection } from "../../engine/ports.ts";
import { previewStop } from "../../engine/stopApplication.ts";
import type { Application } from "../../spark/pods/application.ts";
import type { OwnedObject, WhatGoes } from "../../spark/pods/whatGoes.ts";
import { inView } from "../inView.ts";
import { namesFor } from "./targets.ts";

/** For a question: what the cluster deletes with the driver pods; of one application by name, else counted. */
export async function goesWith(
  { objects }: Connection,
  applications: readonly Application[],
): Promise<string> {
  const withDriver = applications.filter(({ driver }) => driver !== undefined);
  const [only, ...others] = withDriver;
  if (only === undefined) return "";
  const { goes, unlisted } = await inView((signal) => previewStop(objects, withDriver, signal));
  const lines =
    others.length === 0
      ? goes.flatMap((one) => linesOf(one, only.namespace))
      : [countedWords(withDriver, goes)];
  const words =
    unlisted.length === 0
      ? []
      : [
          l10n.t(
            "What else they own goes as well, and may not be listed: {0}.",
            unlisted.join(", "),
          ),
        ];
  return [...lines, ...words].join("\n");
}

const linesOf = (
  { driver, executors, objects }: WhatGoes,
  namespace: string,
): readonly string[] => [
  l10n.t('Deleted in namespace "{0}":', namespace),
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

function countedWords(applications: readonly Application[], goes: readonly WhatGoes[]): string {
  const executors = goes.flatMap((one) => one.executors);
  const objects = goes.flatMap((one) => one.objects);
  const owned = [
    ...(executors.length === 0 ? [] : [executorWords(executors)]),
    ...otherKinds(objects).map((kind) => countWord(objects, kind)),
  ];
  const names = namesFor(applications.map(({ name }) => `"${name}"`));
  const words =
    owned.length === 0
      ? l10n.t("Deleted: the driver pods of {0}.", names)
      : l10n.t(
          "Deleted: the driver pods of {0}, and what belongs to them: {1}.",
          names,
          owned.join(", "),
        );
  // Data may lie there, so that their names count.
  const claims = objects.filter(({ kind }) => kind === claimKind).map(({ name }) => name);
  return claims.length === 0
    ? words
    : `${words} ${l10n.t("Volume claims among it: {0}.", namesFor(claims))}`;
}

const claimKind = "PersistentVolumeClaim";

const otherKinds = (objects: readonly OwnedObject[]): readonly string[] => [
  ...new Set(objects.map(({ kind }) => kind).filter((kind) => kind !== claimKind)),
];

function countWord(objects: readonly OwnedObject[], wanted: string): string {
  const [only, ...others] = objects.filter(({ kind }) => kind === wanted);
  return only !== undefined && others.length === 0
    ? `${wanted} ${only.name}`
    : `${others.length + 1} ${wanted.replace(/y$/, "ie")}s`;
}
