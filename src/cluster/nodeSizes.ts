import { err, ok, type Result } from "../base/result.ts";
import { fieldAt, listAt, nonEmptyTextAt } from "../base/json.ts";
import type { ClusterError } from "../engine/clusterError.ts";
import type { NodeSizes } from "../engine/ports/reports.ts";
import type { NodeSize, NodeTaint } from "../spark/diagnosis/diagnosis.ts";
import { parseQuantity } from "../spark/quantity.ts";
import type { ApiClient } from "./apiRequest.ts";
import { findResource, pathOf, queryOf } from "./resources.ts";

// A node object takes 10 to 30 KB, mostly its image list. A small page is parsed within a UI frame.
const pageSize = 50;
const maxPages = 100;

export class ApiNodeSizes implements NodeSizes {
  readonly #api: ApiClient;

  constructor(api: ApiClient) {
    this.#api = api;
  }

  async largest(signal: AbortSignal): Promise<Result<NodeSize | undefined, ClusterError>> {
    const resource = findResource("v1", "Node");
    const path = resource.ok ? pathOf(resource.value, undefined, undefined) : resource;
    if (!path.ok) return path;
    let largest: NodeSize | undefined;
    let token: string | undefined;
    for (let page = 0; page < maxPages; page += 1) {
      const answer = await this.#api.request(
        {
          method: "GET",
          path: path.value + queryOf({ limit: String(pageSize), continue: token }),
          subject: { verb: "list", resource: "nodes", namespace: undefined, name: "" },
          accept: "application/json",
          body: undefined,
        },
        signal,
      );
      if (!answer.ok) return err(answer.error);
      for (const node of listAt(answer.value, "items")) largest = larger(largest, node);
      token = nonEmptyTextAt(fieldAt(answer.value, "metadata"), "continue");
      if (!token) return ok(largest);
    }
    // The result would be incomplete: a larger node may be on a page that was not read.
    return ok(undefined);
  }
}

/**
 * Merges a node into `largest`: the maximum of each resource, and the taints with another effect than PreferNoSchedule,
 * at most 20. A missing amount is 0.
 */
function larger(largest: NodeSize | undefined, node: unknown): NodeSize {
  const allocatable = fieldAt(fieldAt(node, "status"), "allocatable");
  const amount = (resource: string): number =>
    parseQuantity(nonEmptyTextAt(allocatable, resource) ?? "") ?? 0;
  const taints = withTaintsOf(largest?.taints ?? [], node);
  return {
    cores: Math.max(largest?.cores ?? 0, amount("cpu")),
    memoryBytes: Math.max(largest?.memoryBytes ?? 0, amount("memory")),
    ...(taints.length === 0 ? {} : { taints }),
  };
}

const maxTaints = 20;

function withTaintsOf(known: readonly NodeTaint[], node: unknown): readonly NodeTaint[] {
  const all = [...known];
  for (const item of listAt(fieldAt(node, "spec"), "taints")) {
    const key = nonEmptyTextAt(item, "key");
    const effect = nonEmptyTextAt(item, "effect");
    if (key === undefined || effect === undefined || effect === "PreferNoSchedule") continue;
    const taint = { key, value: nonEmptyTextAt(item, "value") ?? "", effect };
    const isKnown = all.some(
      (one) => one.key === key && one.value === taint.value && one.effect === effect,
    );
    if (!isKnown && all.length < maxTaints) all.push(taint);
  }
  return all;
}
