import type { Disposable } from "../../base/disposable.ts";
import { podEndedAt } from "../../spark/pods/failedPods.ts";
import type { Application } from "../../spark/pods/application.ts";
import { failedLogsOf, hasFollowedLog, type LogPod } from "./followed.ts";

export interface WatchedApplications {
  readonly applications: readonly Application[];
  connectionOf(key: string): { readonly now: () => number } | undefined;
  onDidChange(listener: () => void): Disposable;
}

// The night before. Older logs are left on the cluster.
const recentMs = 12 * 3_600_000;

/** Calls back with the failed pods of changed applications, also with some of them again. */
export function watchFailed(
  session: WatchedApplications,
  isWanted: () => boolean,
  found: (pods: readonly LogPod[]) => void,
): Disposable {
  // Applications are immutable values, so a known object has nothing new.
  let known: WeakSet<Application> = new WeakSet();
  return session.onDidChange(() => {
    if (!isWanted()) {
      known = new WeakSet();
      return;
    }
    const pods: LogPod[] = [];
    for (const application of session.applications) {
      if (known.has(application)) continue;
      known.add(application);
      const now = session.connectionOf(application.key)?.now();
      if (now === undefined) continue;
      const isRecent = ({ pod }: LogPod): boolean => now - (podEndedAt(pod) ?? now) < recentMs;
      pods.push(
        ...failedLogsOf(application).filter((one) => hasFollowedLog(one.pod) && isRecent(one)),
      );
    }
    if (pods.length > 0) found(pods);
  });
}
