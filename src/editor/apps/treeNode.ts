import type { ProgressPart } from "../../spark/progress/progressTree.ts";

/** One of the lists of an application's executors. */
export type ExecutorList = "live" | "ended";

/**
 * Identifies a row. VS Code keeps selection and expansion by object, so each row has the same node as long as it
 * exists. A node contains no state of the row.
 */
export type TreeNode =
  | {
      readonly kind: "namespace";
      readonly id: string;
      readonly context: string;
      readonly namespace: string;
    }
  /** A page of rows. `group`: the id of the parent row; undefined for the root. */
  | {
      readonly kind: "applicationPage";
      readonly id: string;
      readonly group: string | undefined;
      readonly page: number;
    }
  | { readonly kind: "application"; readonly id: string; readonly key: string }
  | { readonly kind: "earlierRuns"; readonly id: string }
  | { readonly kind: "driver"; readonly id: string; readonly key: string; readonly uid: string }
  | { readonly kind: "executor"; readonly id: string; readonly key: string; readonly uid: string }
  | {
      readonly kind: "executorPage";
      readonly id: string;
      readonly key: string;
      readonly list: ExecutorList;
      readonly page: number;
    }
  | { readonly kind: "endedExecutors"; readonly id: string; readonly key: string }
  | ProgressNode;

/**
 * The progress row of an application, or the row of a query, job, stage or task below it. Has no `key`, because no
 * command applies to such a row.
 */
export interface ProgressNode {
  readonly kind: "progress";
  readonly id: string;
  readonly applicationKey: string;
  /** Undefined for the row directly below the application. */
  readonly above: ProgressNode | undefined;
  readonly part: ProgressPart | undefined;
}

/** Returns a node as in the row of an application, for commands on an application that may have no row. */
export const applicationNode = (key: string) =>
  ({ kind: "application", id: `application:${key}`, key }) as const;

/** Caches the nodes: returns the same object for the same id until the node is removed. */
export class TreeNodes {
  readonly #byId = new Map<string, TreeNode>();
  /**
   * Node ids by owner: an application's key, or the id of a namespace or of a group of earlier runs; undefined for the
   * root.
   */
  readonly #owned = new Map<string | undefined, Set<string>>();

  namespace(context: string, namespace: string): TreeNode {
    const id = `namespace:${context}/${namespace}`;
    return this.#keep(id, { kind: "namespace", id, context, namespace });
  }

  applicationPage(top: TreeNode | undefined, page: number): TreeNode {
    const group = top?.id;
    const id = `applications:${group ?? ""}:${page}`;
    return this.#keep(group, { kind: "applicationPage", id, group, page });
  }

  application(key: string): TreeNode {
    return this.#keep(key, applicationNode(key));
  }

  /**
   * Returns the node that groups earlier runs. `of`: identifies the runs' common name, so that the node is the same
   * object when runs are added.
   */
  earlierRuns(of: string): TreeNode {
    const id = `earlier:${of}`;
    return this.#keep(id, { kind: "earlierRuns", id });
  }

  driver(key: string, uid: string): TreeNode {
    return this.#keep(key, { kind: "driver", id: podId(key, uid), key, uid });
  }

  executor(key: string, uid: string): TreeNode {
    return this.#keep(key, { kind: "executor", id: podId(key, uid), key, uid });
  }

  executorPage(key: string, list: ExecutorList, page: number): TreeNode {
    const id = `page:${list}:${page}:${key}`;
    return this.#keep(key, { kind: "executorPage", id, key, list, page });
  }

  endedExecutors(key: string): TreeNode {
    return this.#keep(key, { kind: "endedExecutors", id: `ended:${key}`, key });
  }

  progress(key: string): ProgressNode {
    const id = `progress:${key}`;
    const node: ProgressNode = {
      ...{ kind: "progress", id, applicationKey: key, above: undefined, part: undefined },
    };
    return this.#keepProgress(node);
  }

  /** Returns the nodes of these parts. Removes the other nodes below `above`, because jobs, stages and tasks end. */
  progressBelow(above: ProgressNode, parts: readonly ProgressPart[]): readonly ProgressNode[] {
    const { applicationKey } = above;
    const nodes = parts.map((part) =>
      this.#keepProgress({
        ...{ kind: "progress", id: `${above.id}/${part.id}`, applicationKey, above, part },
      }),
    );
    const kept = new Set(nodes);
    for (const id of this.#owned.get(applicationKey) ?? []) {
      const node = this.#byId.get(id);
      if (node?.kind === "progress" && isGone(node, above, kept)) {
        this.#byId.delete(id);
        this.#owned.get(applicationKey)?.delete(id);
      }
    }
    return nodes;
  }

  find(id: string): TreeNode | undefined {
    return this.#byId.get(id);
  }

  findPod(key: string, uid: string): TreeNode | undefined {
    return this.find(podId(key, uid));
  }

  /** Removes the nodes of the owners for which `isThere` returns false. Keeps those of the root. */
  keep(isThere: (owner: string) => boolean): void {
    for (const owner of this.#owned.keys()) {
      if (owner !== undefined && !isThere(owner)) this.forget(owner);
    }
  }

  /** Removes the nodes of an owner. */
  forget(owner: string): void {
    for (const id of this.#owned.get(owner) ?? []) this.#byId.delete(id);
    this.#owned.delete(owner);
  }

  forgetPod(key: string, uid: string): void {
    const id = podId(key, uid);
    this.#byId.delete(id);
    this.#owned.get(key)?.delete(id);
  }

  #keepProgress(node: ProgressNode): ProgressNode {
    const kept = this.#keep(node.applicationKey, node);
    return kept.kind === "progress" ? kept : node;
  }

  #keep(owner: string | undefined, node: TreeNode): TreeNode {
    const known = this.#byId.get(node.id);
    if (known) return known;
    this.#byId.set(node.id, node);
    const ids = this.#owned.get(owner) ?? new Set();
    this.#owned.set(owner, ids);
    ids.add(node.id);
    return node;
  }
}

/** True if the node is below `above`, but it or its ancestor directly below `above` is not in `current`. */
function isGone(
  node: ProgressNode,
  above: ProgressNode,
  current: ReadonlySet<ProgressNode>,
): boolean {
  let child = node;
  while (child.above !== undefined && child.above !== above) child = child.above;
  return child.above === above && !current.has(child);
}

const podId = (key: string, uid: string): string => `pod:${key}:${uid}`;
