import type { Memento, TaskDefinition } from "vscode";
import type { Application } from "../../spark/pods/application.ts";
import { applicationKeyOf } from "../../spark/pods/applications.ts";
import type { PodRecord } from "../../spark/pods/podRecord.ts";

/** What Submit Again does. */
export type LastRun =
  | { readonly kind: "profile"; readonly name: string }
  | { readonly kind: "definition"; readonly definition: TaskDefinition };

/** By namespace and id, the oldest first. */
type KnownRuns = Readonly<Record<string, LastRun>>;

const memoryKey = "submit.knownRuns";
const mostKept = 50;

const knownRuns = (memory: Memento): KnownRuns => memory.get<KnownRuns>(memoryKey, {});

/**
 * How an application was submitted from here, whichever cluster it runs in: the key of one in a further cluster says
 * which, and what becomes the chosen one has another key then. Ids are made up by chance for each submission.
 */
export const knownRun = (
  memory: Memento,
  { namespace, id }: Pick<Application, "namespace" | "id">,
): LastRun | undefined => knownRuns(memory)[`${namespace}/${id}`];

export async function rememberRun(memory: Memento, driver: PodRecord, run: LastRun): Promise<void> {
  const runs = Object.entries({ ...knownRuns(memory), [applicationKeyOf(driver)]: run });
  await memory.update(memoryKey, Object.fromEntries(runs.slice(-mostKept)));
}
