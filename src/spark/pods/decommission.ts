import { sparkVersionLabel } from "../labels.ts";
import type { Application } from "./application.ts";
import { fieldsOf, itemsOf, numberOf, textOf } from "./fields.ts";
import { itemsIn } from "./ordered.ts";

/** Whether an executor can be told to hand over its work, and what it would hand over. */
export type Decommissioning =
  | {
      readonly kind: "on";
      /** The pod itself tells the executor before it ends; else a signal has to. */
      readonly hasHook: boolean;
      /** How long the pod gets between the order to leave and its end. */
      readonly gracePeriodSeconds: number;
      /** Of the operating system, without SIG. */
      readonly signal: string;
      /** Undefined: the conf that could be read is not that of the driver. */
      readonly moves: Moves | undefined;
    }
  /** Spark would take the signal for its end. `isKnown`: the driver's conf says so. */
  | { readonly kind: "off"; readonly isKnown: boolean };

/** What goes to other executors. */
export interface Moves {
  readonly cachedBlocks: boolean;
  readonly shuffleFiles: boolean;
  /** Where shuffle files go when no executor can take them. */
  readonly fallbackStorage: string | undefined;
}

type Conf = ReadonlyMap<string, string>;

// Large shuffles take minutes; what is done earlier ends earlier.
const leastGraceSeconds = 300;

const defaultScript = "/opt/decom.sh";

/**
 * `pod`: as the server holds it; `container`: Spark's own in it. `conf`: the driver's, as far as it can be
 * read; undefined where it cannot. What an application sets itself may not stand there, but Spark gives its
 * executors the hook only where decommissioning is on.
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
    gracePeriodSeconds: Math.max(leastGraceSeconds, ownGrace),
    signal: /^[A-Z0-9]+$/.test(signal) ? signal : "PWR",
    // A conf that leaves out the one may leave out the other.
    moves: isOnByConf ? movesOf(conf, movesByDefault(pod)) : undefined,
  };
}

/**
 * How many executors are left to take what others hand over. `registered`: ids of those that the driver
 * knows; undefined where it was not asked.
 */
export function countTakers(
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

// Both kinds of blocks have to be asked for up to Spark 3.3, which is the first to label its pods.
function movesByDefault(pod: unknown): boolean {
  const labels = fieldsOf(fieldsOf(fieldsOf(pod)["metadata"])["labels"]);
  const [major = 0, minor = 0] = (textOf(labels[sparkVersionLabel]) ?? "").split(".").map(Number);
  return major > 3 || (major === 3 && minor >= 4);
}

const preStopOf = (container: unknown): readonly unknown[] =>
  itemsOf(
    fieldsOf(fieldsOf(fieldsOf(fieldsOf(container)["lifecycle"])["preStop"])["exec"])["command"],
  );

// Spark's hook is its script and nothing else; a template may have brought another one.
function provesOn(hook: readonly unknown[], conf: Conf | undefined): boolean {
  if (conf === undefined) return hook.length > 0;
  const script = conf.get("spark.kubernetes.decommission.script") ?? defaultScript;
  return hook.length === 1 && hook[0] === script;
}

const isTrue = (conf: Conf, key: string, byDefault: boolean): boolean => {
  const value = conf.get(key)?.trim().toLowerCase();
  return value === undefined ? byDefault : value === "true";
};
