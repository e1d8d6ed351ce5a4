import { msg, type Message, type MessageText } from "../../../base/message.ts";
import type { Diagnosis } from "../../../spark/diagnosis/diagnosis.ts";
import { isAlive, type Application } from "../../../spark/pods/application.ts";
import { isInTrouble, stateClassOf } from "../../../spark/pods/applicationFilter.ts";
import { hasExecutorSets } from "../../../spark/pods/executorSets.ts";
import { canBeSuspended, isSuspended } from "../../../spark/pods/operatedApplication.ts";
import type { OperatorResource } from "../../../spark/pods/operatorResource.ts";
import { sessionPort } from "../../../spark/submit/session/sessionPort.ts";
import { shellKindOf } from "../../../spark/submit/shell/shellKind.ts";
import { contextValues } from "../../ids.ts";
import type { Fact } from "../../ui/markdown.ts";
import { formatMinutes } from "../formatAge.ts";
import { causeContext, diagnosisDetails, durationWords, isFromLog, timeWords } from "./details.ts";
import { applicationIcon } from "./icons.ts";
import type { Mark, Row } from "./row.ts";
import { timesOf } from "../../../spark/pods/podTimes.ts";
import { applicationText, type RowFacts } from "./rowText.ts";

/** Returns the row of an application. `now`: the cluster's time in epoch milliseconds. */
export function applicationRow(application: Application, known: RowFacts, now: number): Row {
  const alive = isAlive(application);
  const { driver, createdAt } = application;
  const { startedAt, endedAt } = driver === undefined ? noTimes : timesOf(driver);
  const age = ageWords(application, now);
  const { description, spoken, fact, isStarved, executors } = applicationText(
    application,
    known,
    now,
    age,
  );
  return {
    label: application.name,
    state: alive ? "expanded" : "collapsed",
    name: application.id,
    description,
    icon: applicationIcon(application.state, isStarved),
    mark: markOf(application),
    contextValue: `${contextOf(application, alive)}${isExplained(application, fact) ? contextValues.explained : ""}${causeContext(fact)}`,
    spoken: msg`Application ${application.name}: ${spoken}`,
    details: () => [
      ...diagnosisDetails(fact),
      [msg("Application ID"), application.id],
      [msg("Run profile"), known.profile],
      [msg("Spark session"), sessionWords(driver)],
      [msg("Namespace"), application.namespace],
      [msg("Driver"), driver?.pod.name],
      [msg("Created"), timeWords(createdAt, now)],
      [msg("Started"), timeWords(startedAt, now)],
      [msg("Ended"), timeWords(endedAt, now)],
      [msg("Duration"), durationWords(startedAt, endedAt)],
      [msg("Executor pods"), executors.pods],
      [msg("Registered executors"), executors.registered],
      [msg("Requested executors"), executors.wanted],
      [msg("Dynamic allocation"), executors.allocation],
      [msg("By resource profile"), executors.profiles],
      [msg("Removed executors"), executors.gone],
      ...resourceDetails(application.resource),
    ],
  };
}

/** Returns the age of an application. For an ended application, returns its duration and the time since its end. */
export function ageWords({ driver, createdAt }: Application, now: number): MessageText {
  const { startedAt, endedAt } = driver === undefined ? noTimes : timesOf(driver);
  return endedAt === undefined
    ? formatMinutes(createdAt, now)
    : endedWords(durationWords(startedAt, endedAt), formatMinutes(endedAt, now));
}

/** Returns text with the Connect port of a session's driver; undefined if it is not a session. */
function sessionWords(driver: Application["driver"]): Message | undefined {
  const port = driver && sessionPort(driver.pod);
  return port === undefined ? undefined : msg`Connect port ${port}`;
}

/** True if the cause is a line of the driver's log, not of an executor's. */
const isExplained = ({ driver }: Application, fact: Diagnosis | undefined): boolean =>
  driver?.state.kind === "failed" && isFromLog(fact);

/** Returns text such as `ran 4 min, 2 h ago`. `ago` is empty in the first minute. */
function endedWords(duration: MessageText | undefined, ago: MessageText): MessageText {
  if (duration === undefined) return ago === "" ? "" : msg`${ago} ago`;
  return ago === "" ? msg`ran ${duration}` : msg`ran ${duration}, ${ago} ago`;
}

const noTimes = { startedAt: undefined, endedAt: undefined };

function markOf(application: Application): Mark {
  if (stateClassOf(application) === "failed") return "failed";
  return isInTrouble(application) ? "trouble" : undefined;
}

function contextOf(application: Application, alive: boolean): string {
  const { driver } = application;
  const state = alive ? contextValues.runningApplication : contextValues.application;
  const isSession = alive && driver !== undefined && sessionPort(driver.pod) !== undefined;
  const isShell = alive && driver !== undefined && shellKindOf(driver.pod) !== undefined;
  const kind = isSession ? contextValues.session : isShell ? contextValues.shell : "";
  const own = `${state}${kind}`;
  const value = alive && hasExecutorSets(application) ? `${own}${contextValues.scalable}` : own;
  if (canBeSuspended(application)) return `${value}${contextValues.suspendable}`;
  return isSuspended(application) ? `${value}${contextValues.suspended}` : value;
}

function resourceDetails(resource: OperatorResource | undefined): readonly Fact[] {
  if (resource === undefined) return [];
  const { kind, name, word, message, attempts } = resource;
  return [
    [kind, name],
    [msg("Operator status"), message === undefined ? word : `${word}: ${message}`],
    [msg("Attempts"), attempts > 1 ? String(attempts) : undefined],
  ];
}
