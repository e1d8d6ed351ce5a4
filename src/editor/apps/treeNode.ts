/** One of the lists of an application's executors. */
export type ExecutorList = "live" | "ended";

/**
 * What a row of the tree stands for. A node is a name, not a state: the same object for as long as the row
 * exists, so that the editor keeps its selection and expansion while the state behind it changes.
 */
export type TreeNode =
  | {
      readonly kind: "namespace";
      readonly id: string;
      readonly context: string;
      readonly namespace: string;
    }
  /** `group`: the id of the namespace's node; undefined: applications are not grouped. */
  | {
      readonly kind: "applicationPage";
      readonly id: string;
      readonly group: string | undefined;
      readonly page: number;
    }
  | { readonly kind: "application"; readonly id: string; readonly key: string }
  /** `key`: of the newest run. */
  | { readonly kind: "earlierRuns"; readonly id: string; readonly key: string }
  | { readonly kind: "driver"; readonly id: string; readonly key: string; readonly uid: string }
  | { readonly kind: "executor"; readonly id: string; readonly key: string; readonly uid: string }
  | {
      readonly kind: "executorPage";
      readonly id: string;
      readonly key: string;
      readonly list: ExecutorList;
      readonly page: number;
    }
  | { readonly kind: "endedExecutors"; readonly id: string; readonly key: string };

/** Nodes by id: gives the same object for the same row. */
export class TreeNodes {
  readonly #byId = new Map<string, TreeNode>();
  /** Ids of what belongs to an application. */
  readonly #ofApplication = new Map<string, Set<string>>();

  namespace(context: string, namespace: string): TreeNode {
    const id = `namespace:${context}/${namespace}`;
    return this.#keep({ kind: "namespace", id, context, namespace });
  }

  applicationPage(group: string | undefined, page: number): TreeNode {
    const id = `applications:${group ?? ""}:${page}`;
    return this.#keep({ kind: "applicationPage", id, group, page });
  }

  application(key: string): TreeNode {
    return this.#keep({ kind: "application", id: `application:${key}`, key });
  }

  earlierRuns(key: string): TreeNode {
    return this.#keep({ kind: "earlierRuns", id: `earlier:${key}`, key });
  }

  driver(key: string, uid: string): TreeNode {
    return this.#keep({ kind: "driver", id: `pod:${key}:${uid}`, key, uid });
  }

  executor(key: string, uid: string): TreeNode {
    return this.#keep({ kind: "executor", id: `pod:${key}:${uid}`, key, uid });
  }

  executorPage(key: string, list: ExecutorList, page: number): TreeNode {
    return this.#keep({ kind: "executorPage", id: `page:${list}:${page}:${key}`, key, list, page });
  }

  endedExecutors(key: string): TreeNode {
    return this.#keep({ kind: "endedExecutors", id: `ended:${key}`, key });
  }

  find(id: string): TreeNode | undefined {
    return this.#byId.get(id);
  }

  /** Forgets what belongs to an application that is gone. */
  forget(key: string): void {
    for (const id of this.#ofApplication.get(key) ?? []) this.#byId.delete(id);
    this.#ofApplication.delete(key);
  }

  #keep(node: TreeNode): TreeNode {
    const known = this.#byId.get(node.id);
    if (known) return known;
    this.#byId.set(node.id, node);
    if ("key" in node) {
      const ids = this.#ofApplication.get(node.key) ?? new Set();
      this.#ofApplication.set(node.key, ids);
      ids.add(node.id);
    }
    return node;
  }
}
