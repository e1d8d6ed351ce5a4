import { msg, type Message } from "../../../base/message.ts";
import { isJsonObject, listAt, objectAt, textAt, type JsonObject } from "../../../base/json.ts";
import { describeBytes } from "../../binarySize.ts";
import { manifestObject } from "../preview/podParts.ts";
import { podAmounts } from "../preview/totals.ts";
import { amountIn, describeAmount, type Quantities } from "./amountWords.ts";
import type { PlanPod } from "./planPods.ts";
import { preflightWords, type PreflightFinding } from "./preflightFinding.ts";

export interface Node {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly allocatable: Quantities;
  readonly isReady: boolean;
  /** All taints, including those with the effect `PreferNoSchedule`, which keep no pod off the node. */
  readonly taints: readonly {
    readonly key: string;
    readonly value: string;
    readonly effect: string;
  }[];
}

/**
 * Checks that the selector, the tolerations and the requests of the pod allow at least one ready node. Ignores running
 * pods and affinity.
 */
export function checkNodes(
  nodes: readonly Node[],
  { manifest, user }: PlanPod,
): readonly PreflightFinding[] {
  const spec = manifestObject(manifest, "spec");
  const selector = Object.entries(objectAt(spec, "nodeSelector"));
  const ready = nodes.filter(({ isReady }) => isReady);
  const selected = ready.filter(({ labels }) =>
    selector.every(([key, value]) => labels[key] === value),
  );
  const open = selected.filter(({ taints }) => taints.every((taint) => isTolerated(taint, spec)));
  if (open.length === 0) {
    const why =
      ready.length === 0
        ? msg("no node is ready")
        : selected.length === 0
          ? msg`no ready node has the labels ${selector.map(([key, value]) => `${key}=${JSON.stringify(value)}`).join(", ")}`
          : msg("every matching node has a taint that it does not tolerate");
    return [preflightWords.noNodeMatches(user, why)];
  }
  const { cores, memoryBytes } = podAmounts(manifest, "requests");
  const fits = open.some(
    ({ allocatable }) =>
      amountIn(allocatable, "cpu") >= cores && amountIn(allocatable, "memory") >= memoryBytes,
  );
  if (fits) return [];
  const lacksMemory = !open.some(
    ({ allocatable }) => amountIn(allocatable, "memory") >= memoryBytes,
  );
  const largest = open.reduce((best, node) =>
    amountIn(node.allocatable, "memory") > amountIn(best.allocatable, "memory") ? node : best,
  );
  return [
    preflightWords.noNodeFits(
      user,
      describe(cores, memoryBytes),
      describe(amountIn(largest.allocatable, "cpu"), amountIn(largest.allocatable, "memory")),
      lacksMemory ? "memory" : "cpu",
    ),
  ];
}

const describe = (cores: number, memoryBytes: number): Message =>
  msg`${describeAmount("cpu", cores)} CPU and ${describeBytes(memoryBytes)}`;

function isTolerated(taint: Node["taints"][number], spec: JsonObject): boolean {
  if (taint.effect === "PreferNoSchedule") return true;
  return listAt(spec, "tolerations")
    .filter((item) => isJsonObject(item))
    .some((toleration) => {
      const key = textAt(toleration, "key");
      const effect = textAt(toleration, "effect");
      const isOfEffect = effect === undefined || effect === "" || effect === taint.effect;
      const isAny = textAt(toleration, "operator") === "Exists";
      if (key === undefined) return isAny && isOfEffect;
      return (
        key === taint.key &&
        isOfEffect &&
        (isAny || (textAt(toleration, "value") ?? "") === taint.value)
      );
    });
}
