import { sparkVersionLabel } from "../labels.ts";
import type { Application } from "./application.ts";
import { fieldsOf, itemsOf, numberOf, textOf } from "../../base/json.ts";
import { itemsIn } from "./ordered.ts";

/** Describes whether an executor can be decommissioned, in which way, and which data would migrate. */
export type Decommissioning =
  | {
      readonly kind: "on";
      /** True if the pod has Spark's preStop hook. Otherwise the process needs a signal. */
      readonly hasHook: boolean;
      /** Time between the eviction and SIGKILL. */
      readonly gracePeriodSeconds: number;
      /** The name of the signal without `SIG`. */
      readonly signal: string;
      /** Undefined if the driver's conf cannot be read, or does not enable decommissioning. */
      readonly moves: Moves | undefined;
    }
  /**
   * Decommissioning is disabled, so the signal would terminate the executor. `isKnown`: true if the driver's conf was
   * read.
   */
  | { readonly kind: "off"; readonly isKnown: boolean };

/** Data that migrates to other executors. */
interface Moves {
  readonly cachedBlocks: boolean;
  readonly shuffleFiles: boolean;
  /** The path for shuffle files that no executor can take. Undefined if the conf sets none. */
  readonly fallbackStorage: string | undefined;
}

type Conf = ReadonlyMap<string, string>;

// Large shuffles take minutes to migrate. An executor exits as soon as its migration is complete.
const minGraceSeconds = 300;

const defaultScript = "/opt/decom.sh";

/**
 * Returns whether and how an executor can be decommissioned. `pod`: JSON from the API server. `container`: the name of
 * Spark's container. `conf`: the driver's conf; undefined if it cannot be read. The conf may lack settings made in
 * code, but Spark adds the hook only if decommissioning is enabled.
 */
export function decommissioningOf(
  pod: unknown,
  container: string | undefined,
  conf: Conf | undefined,
): Decommissioning {
  const spec = fieldsOf(fieldsOf(pod)["spec"]);
  const hook = itemsOf(spec["containers"])
    .filter((one) => (textOf(fieldsOf(one)["name"]) ?? "") === container)
    .flatMap(preStopOf);
  const isOnByConf = conf !== undefined && isTrue(conf, "spark.decommission.enabled", false);
  if (!isOnByConf && !provesOn(hook, conf)) return { kind: "off", isKnown: conf !== undefined };
  const signal = conf?.get("spark.executor.decommission.signal") ?? "PWR";
  const ownGrace = numberOf(spec["terminationGracePeriodSeconds"]) ?? 0;
  return {
    kind: "on",
    hasHook: hook.length > 0,
    gracePeriodSeconds: Math.max(minGraceSeconds, ownGrace),
    signal: /^[A-Z0-9]+$/.test(signal) ? signal : "PWR",
    // If only the hook proves decommissioning, the conf lacks settings made in code. These may include the keys below.
    moves: isOnByConf ? movesOf(conf, movesByDefault(pod)) : undefined,
  };
}

/**
 * Returns the number of executors that can receive migrated data. `leaving`: uids of pods that end too. `registered`:
 * executor ids that the driver reports; undefined if the driver was not queried.
 */
export function countMigrationTargets(
  { live }: Pick<Application, "live">,
  leaving: ReadonlySet<string>,
  registered: ReadonlySet<string> | undefined,
): number {
  let count = 0;
  for (const { pod, state, executorId } of itemsIn(live)) {
    const isKnown = registered === undefined || registered.has(String(executorId));
    if (state.kind === "running" && isKnown && !leaving.has(pod.uid)) count += 1;
  }
  return count;
}

function movesOf(conf: Conf, byDefault: boolean): Moves {
  const prefix = "spark.storage.decommission";
  const isStorage = isTrue(conf, `${prefix}.enabled`, false);
  return {
    cachedBlocks: isStorage && isTrue(conf, `${prefix}.rddBlocks.enabled`, byDefault),
    shuffleFiles: isStorage && isTrue(conf, `${prefix}.shuffleBlocks.enabled`, byDefault),
    fallbackStorage: conf.get(`${prefix}.fallbackStorage.path`),
  };
}

// Returns the default of the keys for both block types: true since Spark 3.4, false before. A pod without the version
// label is from an older version.
function movesByDefault(pod: unknown): boolean {
  const labels = fieldsOf(fieldsOf(fieldsOf(pod)["metadata"])["labels"]);
  const [major = 0, minor = 0] = (textOf(labels[sparkVersionLabel]) ?? "").split(".").map(Number);
  return major > 3 || (major === 3 && minor >= 4);
}

const preStopOf = (container: unknown): readonly unknown[] =>
  itemsOf(
    fieldsOf(fieldsOf(fieldsOf(fieldsOf(container)["lifecycle"])["preStop"])["exec"])["command"],
  );

// True if the preStop hook shows that decommissioning is enabled. Spark's hook runs only the decommission script; a pod
// template may contain another hook.
function provesOn(hook: readonly unknown[], conf: Conf | undefined): boolean {
  if (conf === undefined) return hook.length > 0;
  const script = conf.get("spark.kubernetes.decommission.script") ?? defaultScript;
  return hook.length === 1 && hook[0] === script;
}

const isTrue = (conf: Conf, key: string, byDefault: boolean): boolean => {
  const value = conf.get(key)?.trim().toLowerCase();
  return value === undefined ? byDefault : value === "true";
};
