import { fieldsOf, itemsOf, numberOf, textOf } from "../../base/json.ts";
import type { PlanMetric, PlanNode } from "./eventLog.ts";

/** A plan node whose metrics still change. */
export interface OpenNode extends Omit<PlanNode, "metrics"> {
  readonly metrics: readonly (Omit<PlanMetric, "value"> & { readonly accumulator: number })[];
}

/**
 * Sums the accumulator updates of one SQL execution. Each execution has its own sums, because a cached plan shares its
 * accumulators with other executions.
 */
export class PlanMetrics {
  /** Values by accumulator id; undefined until the first update. */
  readonly #values = new Map<number, number | undefined>();
  readonly #hasRoom: () => boolean;

  /** `hasRoom`: called once for each new accumulator. If it returns false, the accumulator is ignored. */
  constructor(hasRoom: () => boolean) {
    this.#hasRoom = hasRoom;
  }

  /**
   * Decodes a `sparkPlanInfo`, parents first. Passes names and details of nodes through `clean`. Omits nodes without a
   * name, with all their descendants.
   */
  open(plan: unknown, clean: (text: unknown) => string | undefined): readonly OpenNode[] {
    const nodes: OpenNode[] = [];
    // An explicit stack instead of recursion, because the depth of the tree is untrusted.
    const rest: { node: unknown; depth: number }[] = [{ node: plan, depth: 0 }];
    while (rest.length > 0 && nodes.length < maxNodes) {
      const next = rest.pop();
      if (next === undefined) break;
      const fields = fieldsOf(next.node);
      const name = clean(fields["nodeName"]);
      if (name === undefined) continue;
      const detail = clean(fields["simpleString"]) ?? "";
      const metrics = this.declare(itemsOf(fields["metrics"]));
      nodes.push({ name, detail, depth: next.depth, metrics });
      const children = itemsOf(fields["children"]).slice(0, maxNodes).reverse();
      rest.push(...children.map((node) => ({ node, depth: next.depth + 1 })));
    }
    return nodes;
  }

  /** Starts counting updates of these metrics. Returns those that have an accumulator and are within the limits. */
  declare(metrics: readonly unknown[]): OpenNode["metrics"] {
    return metrics.slice(0, maxMetrics).flatMap((item) => {
      const { name, accumulatorId, metricType } = fieldsOf(item);
      const accumulator = numberOf(accumulatorId);
      if (accumulator === undefined) return [];
      if (!this.#values.has(accumulator)) {
        if (!this.#hasRoom()) return [];
        this.#values.set(accumulator, undefined);
      }
      const shown = (textOf(name) ?? "").slice(0, 200);
      return [{ name: shown, type: (textOf(metricType) ?? "").slice(0, 40), accumulator }];
    });
  }

  add(id: unknown, update: unknown): void {
    const accumulator = numberOf(id);
    if (accumulator === undefined || !this.#values.has(accumulator)) return;
    // Spark logs accumulators of SQL metrics as strings. Without an update, sizes and times are -1.
    const value = typeof update === "string" ? Number(update) : numberOf(update);
    if (value === undefined || !Number.isFinite(value) || value < 0) return;
    this.#values.set(accumulator, (this.#values.get(accumulator) ?? 0) + value);
  }

  close(nodes: readonly OpenNode[]): readonly PlanNode[] {
    return nodes.map(({ metrics, ...node }) => ({
      ...node,
      metrics: metrics.map(({ name, type, accumulator }) => ({
        ...{ name, type },
        value: this.#values.get(accumulator),
      })),
    }));
  }
}

const maxNodes = 5_000;
const maxMetrics = 200;
