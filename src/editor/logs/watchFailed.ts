import type { Disposable } from "../../base/disposable.ts";
import { podEndedAt } from "../../spark/pods/failedPods.ts";
import type { Application } from "../../spark/pods/application.ts";
import { failedLogsOf, hasFollowedLog, type LogPod } from "./followed.ts";

export interface WatchedApplications {
  readonly applications: readonly Application[];
  connectionOf(key: string): { readonly now: () => number } | undefined;
  onDidChange(listener: () => void): Disposable;
}

// In ms. Pods that failed earlier are not reported. 12 hours include the runs of the last night.
const recentMs = 12 * 3_600_000;

/**
 * Calls back with the pods of changed applications that failed within the last 12 hours. May report a pod more than
 * once. Reports nothing while `isWanted` returns false.
 */
export function watchFailed(
  session: WatchedApplications,
  isWanted: () => boolean,
  found: (pods: readonly LogPod[]) => void,
): Disposable {
  // Applications are immutable values, so a known object contains no new failure.
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
