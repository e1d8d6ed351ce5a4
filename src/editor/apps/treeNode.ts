/**
 * What a row of the tree stands for. A node is a name, not a state: the same object for as long as the row
 * exists, so that the editor keeps its selection and expansion while the state behind it changes.
 */
export type TreeNode =
  | { readonly kind: "namespace"; readonly id: string; readonly namespace: string }
  | { readonly kind: "application"; readonly id: string; readonly key: string }
  | { readonly kind: "driver"; readonly id: string; readonly key: string; readonly uid: string }
  | { readonly kind: "executor"; readonly id: string; readonly key: string; readonly uid: string }
  | { readonly kind: "endedExecutors"; readonly id: string; readonly key: string };

/** Nodes by id: gives the same object for the same row. */
export class TreeNodes {
  readonly #byId = new Map<string, TreeNode>();

  namespace(namespace: string): TreeNode {
    const id = `namespace:${namespace}`;
    return this.#keep({ kind: "namespace", id, namespace });
  }

  application(key: string): TreeNode {
    return this.#keep({ kind: "application", id: `application:${key}`, key });
  }

  driver(key: string, uid: string): TreeNode {
    return this.#keep({ kind: "driver", id: `pod:${uid}`, key, uid });
  }

  executor(key: string, uid: string): TreeNode {
    return this.#keep({ kind: "executor", id: `pod:${uid}`, key, uid });
  }

  endedExecutors(key: string): TreeNode {
    return this.#keep({ kind: "endedExecutors", id: `ended:${key}`, key });
  }

  /** Forgets what belongs to an application that is gone. */
  forget(key: string): void {
    for (const [id, node] of this.#byId) {
      if (node.kind !== "namespace" && node.key === key) this.#byId.delete(id);
    }
  }

  #keep(node: TreeNode): TreeNode {
    const known = this.#byId.get(node.id);
    if (known) return known;
    this.#byId.set(node.id, node);
    return node;
  }
}
