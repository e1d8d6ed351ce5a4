import { assertNever } from "../base/assertNever.ts";
import { defaultUiPort } from "../spark/pods/decodePod.ts";
import { displayState } from "../spark/pods/displayState.ts";
import { fieldsOf, itemsOf, textOf } from "../spark/pods/fields.ts";
import { sparkIdOf } from "../spark/pods/origin.ts";
import type { PodRecord } from "../spark/pods/podRecord.ts";
import type { ClusterError } from "./clusterError.ts";
import { readDriverConf } from "./driverConf.ts";
import { inTime } from "./inTime.ts";
import type { Connection } from "./ports.ts";

/** Why a driver was not heard. */
export type Unheard =
  | ClusterError
  /** Nothing came back in good time. */
  | "silent"
  /** Its pod does not run, or is no longer there: its address may be another pod's by now. */
  | "notRunning"
  /** An application of another id answers in its place. */
  | "anotherRun";

/** The conf by which a driver runs, and who told it. */
export type EffectiveConf =
  /** The running driver itself. */
  | { readonly kind: "fromDriver"; readonly conf: ReadonlyMap<string, string> }
  /** As it was submitted: what the application sets itself is not in it. */
  | {
      readonly kind: "asSubmitted";
      readonly conf: ReadonlyMap<string, string>;
      /** Why the driver was not heard. */
      readonly error: Unheard;
    }
  /** The driver was not heard, and of its submission there is no conf. */
  | { readonly kind: "failed"; readonly submitted: "none"; readonly error: Unheard }
  /** Why the conf of the submission was not read: nor was the driver heard. */
  | { readonly kind: "failed"; readonly submitted: "failed"; readonly error: ClusterError };

/**
 * What was submitted counts also where the driver says nothing, for which nobody waits long. `driver`: as it was
 * last seen.
 */
export async function readEffectiveConf(
  { objects, pages }: Pick<Connection, "objects" | "pages">,
  driver: PodRecord,
  signal: AbortSignal,
): Promise<EffectiveConf> {
  const submitted = await readDriverConf(objects, driver, signal);
  const { pod = driver } = submitted;
  // By that name there is another run's driver, whose conf was read.
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

type Told =
  | { readonly kind: "fromDriver"; readonly conf: ReadonlyMap<string, string> }
  | { readonly kind: "failed"; readonly error: Unheard };

async function askIfRunning(
  pages: Connection["pages"],
  pod: PodRecord,
  port: number,
  signal: AbortSignal,
): Promise<Told> {
  if (displayState(pod).kind !== "running") return { kind: "failed", error: "notRunning" };
  const told = await inTime((soon) => askDriver(pages, pod, port, soon), signal);
  return told ?? { kind: "failed", error: "silent" };
}

async function askDriver(
  pages: Connection["pages"],
  driver: PodRecord,
  port: number,
  signal: AbortSignal,
): Promise<Told> {
  const pod = { namespace: driver.namespace, name: driver.name, port };
  const root = "/api/v1/applications";
  const applications = await pages.read(pod, root, signal);
  if (!applications.ok) return { kind: "failed", error: applications.error };
  const ids = itemsOf(applications.value).map((one) => textOf(fieldsOf(one)["id"]));
  // A pod that bears no id, as a Connect server's, is known by its uid alone.
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
