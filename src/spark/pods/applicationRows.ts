import { isAlive, type Application } from "./application.ts";
import { earlierRuns } from "./applications.ts";

/** A row of a list of applications. */
export type ApplicationRow =
  | { readonly kind: "application"; readonly application: Application }
  /** Runs of the name above that are over. `of`: their cluster, namespace and name, whatever runs there are. */
  | { readonly kind: "earlierRuns"; readonly of: string; readonly runs: readonly Application[] };

/** What runs comes first; within, the newest. Older runs of a name that are over fold into one row below it. */
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

// Before its id, a key names the cluster and the namespace.
const fullNameOf = ({ key, name }: Application): string =>
  `${key.slice(0, key.lastIndexOf("/"))}/${name}`;
