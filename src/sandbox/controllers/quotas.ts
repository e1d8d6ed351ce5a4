import { disposable, DisposableStore, type Disposable } from "../../base/disposable.ts";
import type { ApiContext } from "../api/context.ts";
import type { KubeObject } from "../kubeObject.ts";
import { formatQuantity, usageOf } from "../rules/limits.ts";
import { sorted } from "../rules/podRules.ts";
import { asObject } from "../schema/schema.ts";

/** Updates the usage in the status of each ResourceQuota. */
export function countQuotas({ objects, kinds }: ApiContext): Disposable {
  const owned = new DisposableStore();
  const due = new Set<string>();
  let timer: NodeJS.Timeout | undefined;

  const count = (quota: KubeObject): void => {
    const { namespace = "", name } = quota.metadata;
    const hard = asObject(asObject(quota["spec"])?.["hard"]) ?? {};
    const used: Record<string, number> = {};
    for (const kind of kinds.all().filter(({ namespaced }) => namespaced)) {
      for (const object of objects.list(kind.resource, namespace)) {
        for (const [what, amount] of Object.entries(usageOf(kind, object))) {
          if (hard[what] !== undefined) used[what] = (used[what] ?? 0) + amount;
        }
      }
    }
    const status = {
      hard,
      used: Object.fromEntries(
        Object.keys(hard).map((what) => [what, formatQuantity(what, used[what] ?? 0)]),
      ),
    };
    objects.update({ resource: "resourcequotas", namespace, name }, (present) =>
      JSON.stringify(sorted(present["status"])) === JSON.stringify(sorted(status))
        ? present
        : { ...present, status },
    );
  };

  owned.add(
    objects.onDidChange(({ object, kind, resource }) => {
      if (resource === "resourcequotas" && kind === "added") count(object);
      due.add(object.metadata.namespace ?? "");
      // Batch changes that happen together.
      timer ??= setTimeout(() => {
        timer = undefined;
        const namespaces = new Set(due);
        due.clear();
        for (const quota of objects.list("resourcequotas")) {
          if (namespaces.has(quota.metadata.namespace ?? "")) count(quota);
        }
      }, 50).unref();
    }),
  );
  owned.add(
    disposable(() => {
      clearTimeout(timer);
    }),
  );
  return owned;
}
