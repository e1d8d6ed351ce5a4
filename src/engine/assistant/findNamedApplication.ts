import { textOf, type Fields } from "../../base/json.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { inEnglish, sentences, verbatim } from "../../base/message.ts";
import { sparkPodSelector } from "../../spark/labels.ts";
import type { Application } from "../../spark/pods/application.ts";
import { buildApplications } from "../../spark/pods/applications.ts";
import { itemsIn } from "../../spark/pods/ordered.ts";
import { PodListing } from "../../spark/pods/podListing.ts";
import { emptySnapshot } from "../../spark/pods/podSnapshot.ts";
import type { ClusterError } from "../clusterError.ts";
import { clusterErrorWords } from "../clusterErrorWords.ts";
import type { Connection } from "../ports/connection.ts";
import type { AssistantHost, ToolFailure } from "./assistantTool.ts";

const pageSize = 500;
/** Limit on the listed pods. Once it is reached, only the first page of each remaining namespace is read. */
const maxPods = 20_000;

/** The connection of a call and the applications of its namespaces, newest first. */
export interface ListedApplications {
  readonly connection: Connection;
  readonly applications: readonly Application[];
  /** True if at least `maxPods` pods were listed. Applications may then be missing. */
  readonly isCutOff: boolean;
}

/** Lists the applications in the namespaces of a call by their pods. Does not find custom resources without pods. */
export async function listApplications(
  host: AssistantHost,
  given: Fields,
  signal: AbortSignal,
): Promise<Result<ListedApplications, ToolFailure>> {
  const connected = await host.connect(textOf(given["context"]), signal);
  if (!connected.ok) return err(toolFailureOf("Cannot connect to the cluster", connected.error));
  const connection = connected.value;
  const namespace = textOf(given["namespace"]);
  const namespaces = namespace === undefined ? host.namespacesOf(connection) : [namespace];
  const listing = new PodListing(emptySnapshot, false);
  let read = 0;
  for (const one of namespaces) {
    let continueToken: string | undefined;
    do {
      const page = await connection.pods.listPods(
        {
          ...{ namespace: one, labelSelector: sparkPodSelector, limit: pageSize, continueToken },
          resourceVersion: undefined,
        },
        signal,
      );
      if (!page.ok) return err(toolFailureOf("Cannot list the pods", page.error));
      for (const pod of page.value.pods) listing.take(pod);
      read += page.value.pods.length;
      ({ continueToken } = page.value);
    } while (continueToken !== undefined && read < maxPods);
  }
  const { snapshot } = listing.end({ resourceVersion: "" });
  const { applications } = buildApplications(snapshot);
  return ok({ connection, applications: [...itemsIn(applications)], isCutOff: read >= maxPods });
}

export interface FoundApplication {
  readonly connection: Connection;
  readonly application: Application;
}

/**
 * Finds the application of a call by its id, the name of its driver pod, or its name. If several applications have the
 * name, returns the newest run. Returns an error if several applications have the id or the driver pod name, because a
 * change must not affect the wrong one.
 */
export async function findNamedApplication(
  host: AssistantHost,
  given: Fields,
  signal: AbortSignal,
): Promise<Result<FoundApplication, ToolFailure>> {
  const wanted = textOf(given["application"]);
  if (wanted === undefined || wanted === "") return err({ text: '"application" is required.' });
  const listed = await listApplications(host, given, signal);
  if (!listed.ok) return listed;
  const { connection, applications } = listed.value;
  const exact = applications.filter(
    ({ id, driver }) => id === wanted || driver?.pod.name === wanted,
  );
  const [found, another] =
    exact.length > 0 ? exact : applications.filter(({ name }) => name === wanted).slice(0, 1);
  if (another !== undefined) {
    return err({ text: `Several applications match "${wanted}". Specify the namespace.` });
  }
  if (found === undefined) {
    const known = applications.slice(0, 10).map(({ name }) => `"${name}"`);
    const others =
      known.length === 0 ? "There are no applications." : `The newest are ${known.join(", ")}.`;
    return err({
      text: `No application "${wanted}" in ${placesOf(host, connection, given)}. ${others}`,
    });
  }
  return ok({ connection, application: found });
}

function placesOf(host: AssistantHost, connection: Connection, given: Fields): string {
  const named = textOf(given["namespace"]);
  const namespaces = named === undefined ? host.namespacesOf(connection) : [named];
  const words = namespaces.map((one) =>
    one === undefined ? "all namespaces" : `namespace "${one}"`,
  );
  return `${words.join(", ")} of context "${connection.context}"`;
}

/** Converts a cluster error into the failure of a tool. `task`: the failed task, such as "Cannot list the pods". */
export function toolFailureOf(task: string, error: ClusterError): ToolFailure {
  const { what, why, advice } = clusterErrorWords(error);
  const more = inEnglish(sentences([verbatim(`${task}: ${inEnglish(what)}.`), why, advice]));
  return { text: more };
}
