import { fieldsOf, itemsOf, textOf } from "../spark/pods/fields.ts";
import type { PodRecord } from "../spark/pods/podRecord.ts";
import type { ClusterError } from "./clusterError.ts";
import { readDriverConf } from "./driverConf.ts";
import { inTime } from "./inTime.ts";
import type { Connection } from "./ports.ts";

/** Why a driver was not heard. */
export type Unheard =
  | ClusterError
  /** Nothing came back in good time. */
  | "silent";

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
  | { readonly kind: "failed"; readonly error: Unheard };

const defaultUiPort = 4040;

/** What was submitted counts also where the driver says nothing, for which nobody waits long. */
export async function readEffectiveConf(
  { objects, pages }: Pick<Connection, "objects" | "pages">,
  driver: Pick<PodRecord, "namespace" | "name">,
  signal: AbortSignal,
): Promise<EffectiveConf> {
  const submitted = await readDriverConf(objects, driver, signal);
  const conf = submitted.kind === "found" ? submitted.conf : new Map<string, string>();
  const port = Number(conf.get("spark.ui.port") ?? defaultUiPort);
  const address = { ...driver, port: port || defaultUiPort };
  const told: Told = (await inTime((soon) => askDriver(pages, address, soon), signal)) ?? {
    kind: "failed",
    error: "silent",
  };
  if (told.kind === "fromDriver") return told;
  if (submitted.kind === "failed") return submitted;
  return submitted.kind === "found" ? { kind: "asSubmitted", conf, error: told.error } : told;
}

type Told =
  | { readonly kind: "fromDriver"; readonly conf: ReadonlyMap<string, string> }
  | { readonly kind: "failed"; readonly error: Unheard };

async function askDriver(
  pages: Connection["pages"],
  { namespace, name, port }: { namespace: string; name: string; port: number },
  signal: AbortSignal,
): Promise<Told> {
  const pod = { namespace, name, port };
  const root = "/api/v1/applications";
  const applications = await pages.read(pod, root, signal);
  if (!applications.ok) return { kind: "failed", error: applications.error };
  const id = textOf(fieldsOf(itemsOf(applications.value)[0])["id"]) ?? "";
  const path = `${root}/${encodeURIComponent(id)}/environment`;
  const environment = await pages.read(pod, path, signal);
  if (!environment.ok) return { kind: "failed", error: environment.error };
  const pairs = itemsOf(fieldsOf(environment.value)["sparkProperties"]).flatMap((pair) => {
    const [key, value] = itemsOf(pair).map(textOf);
    return key === undefined ? [] : [[key, value ?? ""] as const];
  });
  return { kind: "fromDriver", conf: new Map(pairs) };
}
