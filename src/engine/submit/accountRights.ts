import {
  defaultDriverRights,
  type NeededRight,
} from "../../spark/submit/preflight/neededRights.ts";
import type { ClusterError } from "../clusterError.ts";
import type { AccessReviews, AccessSubject } from "../ports/accessReviews.ts";

/** Returns the user and groups with which the API server authenticates a service account. */
export const accountSubject = (namespace: string, account: string): AccessSubject => ({
  user: `system:serviceaccount:${namespace}:${account}`,
  groups: ["system:serviceaccounts", `system:serviceaccounts:${namespace}`, "system:authenticated"],
});

/** The results of several permission checks. */
export interface RightsReview {
  readonly missing: readonly NeededRight[];
  /** The reason why at least one permission is unknown; undefined if all are known. */
  readonly unknown: ClusterError | undefined;
}

export async function reviewRights(
  needed: readonly NeededRight[],
  namespace: string,
  subject: AccessSubject | undefined,
  rights: AccessReviews,
  signal: AbortSignal,
): Promise<RightsReview> {
  const answers = await Promise.all(
    needed.map(async (right) => {
      const { verb, group, resource } = right;
      const can = await rights.can({ verb, group, resource, namespace, subject }, signal);
      return { right, can };
    }),
  );
  return {
    missing: answers.filter(({ can }) => can.ok && !can.value).map(({ right }) => right),
    unknown: answers.flatMap(({ can }) => (can.ok ? [] : [can.error]))[0],
  };
}

// Maximum number of accounts. Each takes seven reviews, and drivers rarely use more accounts in one namespace.
const maxAccounts = 20;

/**
 * Returns the permissions that a driver with the default conf needs and that each service account lacks, by account.
 * Reviews up to 20 accounts in turn. Stops when `signal` aborts or a review fails, usually because the user may not
 * review other accounts; the remaining accounts are absent. Does not throw after an abort.
 */
export async function reviewAccounts(
  accounts: readonly string[],
  namespace: string,
  rights: AccessReviews,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, readonly NeededRight[]>> {
  const lacking = new Map<string, readonly NeededRight[]>();
  for (const account of accounts.slice(0, maxAccounts)) {
    if (signal.aborted) break;
    const subject = accountSubject(namespace, account);
    const review = await reviewRights(
      defaultDriverRights,
      namespace,
      subject,
      rights,
      signal,
    ).catch((error: unknown) => {
      if (signal.aborted) return undefined;
      throw error;
    });
    if (review === undefined || review.unknown !== undefined) break;
    lacking.set(account, review.missing);
  }
  return lacking;
}
