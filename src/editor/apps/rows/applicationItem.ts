import { l10n, TreeItemCollapsibleState, type TreeItem } from "vscode";
import type { Diagnosis } from "../../../spark/diagnosis/diagnosis.ts";
import { isAlive, type Application } from "../../../spark/pods/application.ts";
import { isInTrouble, standingOf } from "../../../spark/pods/applicationFilter.ts";
import { isOfSets } from "../../../spark/pods/executorSets.ts";
import { canBeSuspended, isSuspended } from "../../../spark/pods/operatedApplication.ts";
import type { OperatorResource } from "../../../spark/pods/operatorResource.ts";
import { defaultSecretRule } from "../../../spark/redact.ts";
import { redactLine } from "../../../spark/redactLine.ts";
import { sessionPort } from "../../../spark/submit/session/sessionPort.ts";
import { shellKindOf } from "../../../spark/submit/shell/shellKind.ts";
import { contextValues } from "../../ids.ts";
import type { Fact } from "../../ui/markdown.ts";
import type { Mark } from "../decorateRows.ts";
import { formatMinutes } from "../formatAge.ts";
import type { TreeNode } from "../treeNode.ts";
import { diagnosisDetails, durationWords, isFromLog, timeWords } from "./details.ts";
import { iconOf } from "./icons.ts";
import { itemOf } from "./row.ts";
import { timesOf } from "../../../spark/pods/podTimes.ts";
import { applicationText, type Known } from "./rowText.ts";
import { translated } from "../../ui/translated.ts";

/** The row of an application. `now`: milliseconds since the epoch, by the cluster's clock. */
export function applicationItem(
  node: TreeNode,
  application: Application,
  known: Known,
  now: number,
): TreeItem {
  const alive = isAlive(application);
  const { driver, createdAt } = application;
  const { startedAt, endedAt } = driver === undefined ? noTimes : timesOf(driver);
  const age =
    endedAt === undefined
      ? formatMinutes(createdAt, now)
      : endedWords(durationWords(startedAt, endedAt), formatMinutes(endedAt, now));
  const { description, spoken, fact, executors } = applicationText(application, known, now, age);
  return itemOf(node, {
    label: application.name,
    state: alive ? TreeItemCollapsibleState.Expanded : TreeItemCollapsibleState.Collapsed,
    name: application.id,
    description: translated(description),
    icon: iconOf(application.state),
    mark: markOf(application),
    contextValue: `${contextOf(application, alive)}${isExplained(application, fact) ? contextValues.explained : ""}${fact === undefined ? "" : contextValues.diagnosed}`,
    spoken: l10n.t("Application {0}: {1}", application.name, translated(spoken)),
    details: () => [
      ...diagnosisDetails(fact),
      [l10n.t("Application ID"), application.id],
      [l10n.t("Run profile"), known.profile],
      [l10n.t("Spark session"), sessionWords(driver)],
      [l10n.t("Namespace"), application.namespace],
      [l10n.t("Driver"), driver?.pod.name],
      [l10n.t("Created"), timeWords(createdAt, now)],
      [l10n.t("Started"), timeWords(startedAt, now)],
      [l10n.t("Ended"), timeWords(endedAt, now)],
      [l10n.t("Duration"), durationWords(startedAt, endedAt)],
      [l10n.t("Executor pods"), translated(executors.pods)],
      [l10n.t("Registered executors"), translated(executors.registered)],
      [l10n.t("Requested executors"), translated(executors.wanted)],
      [l10n.t("Dynamic allocation"), translated(executors.allocation)],
      [l10n.t("By resource profile"), translated(executors.profiles)],
      [l10n.t("Removed executors"), translated(executors.gone)],
      ...resourceDetails(application.resource),
    ],
  });
}

/** The Connect port of a session's driver. */
function sessionWords(driver: Application["driver"]): string | undefined {
  const port = driver && sessionPort(driver.pod);
  return port === undefined ? undefined : l10n.t("Connect port {0}", port);
}

/** True if the cause is a line of the driver's log, not of an executor's. */
const isExplained = ({ driver }: Application, fact: Diagnosis | undefined): boolean =>
  driver?.state.kind === "failed" && isFromLog(fact);

/** `ran 4 min, 2 h ago`; without the last part in the first minute. */
function endedWords(duration: string | undefined, ago: string): string {
  if (duration === undefined) return ago === "" ? "" : l10n.t("{0} ago", ago);
  return ago === "" ? l10n.t("ran {0}", duration) : l10n.t("ran {0}, {1} ago", duration, ago);
}

const noTimes = { startedAt: undefined, endedAt: undefined };

function markOf(application: Application): Mark {
  if (standingOf(application) === "failed") return "failed";
  return isInTrouble(application) ? "trouble" : undefined;
}

function contextOf(application: Application, alive: boolean): string {
  const { driver } = application;
  const state = alive ? contextValues.runningApplication : contextValues.application;
  const isSession = alive && driver !== undefined && sessionPort(driver.pod) !== undefined;
  const isShell = alive && driver !== undefined && shellKindOf(driver.pod) !== undefined;
  const kind = isSession ? contextValues.session : isShell ? contextValues.shell : "";
  const own = `${state}${kind}`;
  const value = alive && isOfSets(application) ? `${own}${contextValues.scalable}` : own;
  if (canBeSuspended(application)) return `${value}${contextValues.suspendable}`;
  return isSuspended(application) ? `${value}${contextValues.suspended}` : value;
}

function resourceDetails(resource: OperatorResource | undefined): readonly Fact[] {
  if (resource === undefined) return [];
  const { kind, name, word, message, attempts } = resource;
  return [
    [kind, name],
    [
      l10n.t("Operator status"),
      message === undefined ? word : `${word}: ${redactLine(message, defaultSecretRule)}`,
    ],
    [l10n.t("Attempts"), attempts > 1 ? String(attempts) : undefined],
  ];
}
