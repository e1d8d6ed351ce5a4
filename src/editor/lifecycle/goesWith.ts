import { l10n } from "vscode";
import type { Connection } from "../../engine/ports.ts";
import { previewStop } from "../../engine/stopApplication.ts";
import type { Application } from "../../spark/pods/application.ts";
import type { WhatGoes } from "../../spark/pods/whatGoes.ts";
import { inView } from "../inView.ts";
import { namesFor } from "./targets.ts";

/** For a question: what the cluster deletes with the driver pods; of one application by name, else counted. */
export async function goesWith(
  { objects }: Connection,
  applications: readonly Application[],
): Promise<string> {
  const [only, ...others] = applications;
  if (only === undefined) return "";
  if (others.length > 0) {
    const names = applications.map(({ name }) => name);
    const executors = applications.map(({ live, ended }) => live.size + ended.size);
    return l10n.t(
      "Deleted: the driver pods of {0}, their {1} executor pods, Services and ConfigMaps.",
      namesFor(names, (count) => l10n.t("and {0} more", count)),
      executors.reduce((sum, count) => sum + count, 0),
    );
  }
  const { driver } = only;
  if (driver === undefined) return "";
  const goes = await inView((signal) => previewStop(objects, only, driver, signal));
  return linesOf(goes, only.namespace).join("\n");
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
