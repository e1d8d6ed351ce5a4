import { assertNever } from "../../base/assertNever.ts";
import { defaultUiPort } from "../../spark/pods/decodePod.ts";
import { displayState } from "../../spark/pods/displayState.ts";
import { fieldsOf, itemsOf, textOf } from "../../base/json.ts";
import { sparkIdOf } from "../../spark/pods/origin.ts";
import type { PodRecord } from "../../spark/pods/podRecord.ts";
import type { ClusterError } from "../clusterError.ts";
import { readDriverConf } from "./driverConf.ts";
import { withinAnswerDeadline } from "../withinTime.ts";
import type { Connection } from "../ports/connection.ts";

/** The reason why the driver returned no conf. */
export type NoDriverAnswer =
  | ClusterError
  /** No response within the deadline. */
  | "silent"
  /** The pod is not running or does not exist; another pod may have its address now. */
  | "notRunning"
  /** The address belongs to an application with another id. */
  | "anotherRun";

/** A driver's conf and its source. */
type EffectiveConf =
  /** From the running driver. */
  | { readonly kind: "fromDriver"; readonly conf: ReadonlyMap<string, string> }
  /** From the submission. This conf lacks the properties that the application sets itself. */
  | {
      readonly kind: "asSubmitted";
      readonly conf: ReadonlyMap<string, string>;
      readonly error: NoDriverAnswer;
    }
  /**
   * The driver returned no conf, and there is no submitted conf: spark-submit did not create the pod, or another pod
   * has its name now.
   */
  | { readonly kind: "failed"; readonly submitted: "none"; readonly error: NoDriverAnswer }
  /**
   * The driver returned no conf, and the submitted conf could not be read. `error`: why the submitted conf could not be
   * read.
   */
  | { readonly kind: "failed"; readonly submitted: "failed"; readonly error: ClusterError };

/**
 * Reads the conf from the driver. Falls back to the submitted conf if the driver fails or does not respond within 5 s.
 * `driver` is its last known pod.
 */
export async function readEffectiveConf(
  { objects, pages }: Pick<Connection, "objects" | "pages">,
  driver: PodRecord,
  signal: AbortSignal,
): Promise<EffectiveConf> {
  const submitted = await readDriverConf(objects, driver, signal);
  const { pod = driver } = submitted;
  // The pod was replaced by another with the same name, so this conf is not the driver's.
  if (pod.uid !== driver.uid) return { kind: "failed", submitted: "none", error: "notRunning" };
  const conf = submitted.kind === "found" ? submitted.conf : new Map<string, string>();
  const port = Number(conf.get("spark.ui.port")) || defaultUiPort;
  const told = await askIfRunning(pages, pod, port, signal);
  if (told.kind === "fromDriver") return told;
  const { error } = told;
  switch (submitted.kind) {
    case "found":
      return { kind: "asSubmitted", conf, error };
    case "none":
      return { kind: "failed", submitted: "none", error };
    case "failed":
      return { kind: "failed", submitted: "failed", error: submitted.error };
    default:
      return assertNever(submitted);
  }
}

type ConfAnswer =
  | { readonly kind: "fromDriver"; readonly conf: ReadonlyMap<string, string> }
  | { readonly kind: "failed"; readonly error: NoDriverAnswer };

async function askIfRunning(
  pages: Connection["pages"],
  pod: PodRecord,
  port: number,
  signal: AbortSignal,
): Promise<ConfAnswer> {
  if (displayState(pod).kind !== "running") return { kind: "failed", error: "notRunning" };
  const told = await withinAnswerDeadline((soon) => askDriver(pages, pod, port, soon), signal);
  return told ?? { kind: "failed", error: "silent" };
}

async function askDriver(
  pages: Connection["pages"],
  driver: PodRecord,
  port: number,
  signal: AbortSignal,
): Promise<ConfAnswer> {
  const pod = { namespace: driver.namespace, name: driver.name, port };
  const root = "/api/v1/applications";
  const applications = await pages.read(pod, root, signal);
  if (!applications.ok) return { kind: "failed", error: applications.error };
  const ids = itemsOf(applications.value).map((one) => textOf(fieldsOf(one)["id"]));
  // Some driver pods, such as those of Connect servers, have no application id label. The uid identifies the pod, so
  // take its first application.
  const id = sparkIdOf(driver) ?? ids[0];
  if (id === undefined || !ids.includes(id)) return { kind: "failed", error: "anotherRun" };
  const path = `${root}/${encodeURIComponent(id)}/environment`;
  const environment = await pages.read(pod, path, signal);
  if (!environment.ok) return { kind: "failed", error: environment.error };
  const pairs = itemsOf(fieldsOf(environment.value)["sparkProperties"]).flatMap((pair) => {
    const [key, value] = itemsOf(pair).map(textOf);
    return key === undefined ? [] : [[key, value ?? ""] as const];
  });
  return { kind: "fromDriver", conf: new Map(pairs) };
}
