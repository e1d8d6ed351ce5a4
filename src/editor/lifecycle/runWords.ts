import { sentences, msg, type Message } from "../../base/message.ts";
import { recentTime } from "../../base/timeOfDay.ts";
import type { Application } from "../../spark/pods/application.ts";
import { epochOf, timesOf } from "../../spark/pods/podTimes.ts";
import type { ClusterSession } from "../apps/clusterSession.ts";

/**
 * Returns the text for a confirmation: the run profile and the start time of an application. They distinguish
 * applications with the same name. Undefined if no other application in the view has the name.
 */
export function runWords(
  session: Pick<ClusterSession, "applications" | "nowOf" | "profileOf">,
  application: Application,
): Message | undefined {
  const { driver, key, name } = application;
  if (!session.applications.some((one) => one.name === name && one.key !== key)) return undefined;
  const profile = session.profileOf(application);
  const startedAt = driver && epochOf(timesOf(driver).startedAt ?? driver.pod.creationTimestamp);
  return sentences([
    profile === undefined ? undefined : msg`Run profile: "${profile}".`,
    startedAt === undefined
      ? undefined
      : msg`Started: ${recentTime(startedAt, session.nowOf(key))}.`,
  ]);
}
