import { isAlive, type Application } from "./application.ts";
import { earlierRuns } from "./applications.ts";

export type ApplicationRow =
  | { readonly kind: "application"; readonly application: Application }
  /** Ended earlier runs of the row above. `of`: the runs' cluster, namespace, name and run profile. */
  | { readonly kind: "earlierRuns"; readonly of: string; readonly runs: readonly Application[] };

/**
 * Returns the rows of live applications, and then those of ended ones, each in the order of `applications` (newest
 * first). Ended earlier runs of the same name and run profile share one row, below the newest run or below the live
 * runs. `profileOf`: returns undefined if the run profile is unknown.
 */
export function applicationRows(
  applications: readonly Application[],
  profileOf: (application: Application) => string | undefined = () => undefined,
): readonly ApplicationRow[] {
  const earlier = earlierRuns(applications, profileOf);
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
      : [row, { kind: "earlierRuns", of: seriesOf(application, profileOf(application)), runs }];
  });
}

// Includes the cluster and the namespace, which are the part of the key before the id.
const seriesOf = ({ key, name }: Application, profile: string | undefined): string =>
  `${key.slice(0, key.lastIndexOf("/"))}/${name}${profile === undefined ? "" : `/${profile}`}`;
