import { isAlive, type Application } from "./application.ts";
import { earlierRuns } from "./applications.ts";

export type ApplicationRow =
  | { readonly kind: "application"; readonly application: Application }
  /** Ended earlier runs of the name above. `of`: their cluster, namespace and name. */
  | { readonly kind: "earlierRuns"; readonly of: string; readonly runs: readonly Application[] };

/**
 * Live applications first, then by age, newest first. Ended earlier runs of a name are folded into
 * one row below its newest.
 */
export function applicationRows(applications: readonly Application[]): readonly ApplicationRow[] {
  const earlier = earlierRuns(applications);
  const folded = new Set([...earlier.values()].flat());
  const shown = applications.filter((application) => !folded.has(application));
  const inOrder = [
    ...shown.filter(isAlive),
    ...shown.filter((application) => !isAlive(application)),
  ];
  return inOrder.flatMap((application): readonly ApplicationRow[] => {
    const runs = earlier.get(application.key);
    const row = { kind: "application", application } as const;
    return runs === undefined
      ? [row]
      : [row, { kind: "earlierRuns", of: fullNameOf(application), runs }];
  });
}

// The part of the key before the id names the cluster and the namespace.
const fullNameOf = ({ key, name }: Application): string =>
  `${key.slice(0, key.lastIndexOf("/"))}/${name}`;
