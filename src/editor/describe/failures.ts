import { localTime } from "../../base/timeOfDay.ts";
import { msg, type MessageText } from "../../base/message.ts";
import { readDriverConf } from "../../engine/driver/driverConf.ts";
import { objectNames } from "../../engine/objectNames.ts";
import type { Connection } from "../../engine/ports/connection.ts";
import { reviewAccounts } from "../../engine/submit/accountRights.ts";
import { isOfExecutors } from "../../spark/diagnosis/describe.ts";
import type { Diagnosis } from "../../spark/diagnosis/diagnosis.ts";
import { eventsSinceStart } from "../../spark/diagnosis/podEventRecord.ts";
import type { DriverReport } from "../../spark/diagnosis/driverReport.ts";
import { relatedObjects } from "../../spark/diagnosis/relatedObjects.ts";
import { sparkVersionLabel } from "../../spark/labels.ts";
import type { Application, SparkPod } from "../../spark/pods/application.ts";
import { exitOf } from "../../spark/pods/podExit.ts";
import { executorIdOf } from "../../spark/pods/executorId.ts";
import { sparkContainerOf } from "../../spark/pods/sparkContainer.ts";
import { parseQuantity } from "../../spark/quantity.ts";
import type { Failure } from "../../spark/remedy/failureDocument.ts";
import type { PodRole } from "../../spark/remedy/memorySizing.ts";
import { remediesOf, type RemedyFacts } from "../../spark/remedy/remedies.ts";
import { minorOf, newestMinor } from "../../spark/submit/conf/sparkVersion.ts";
import { pickApplication } from "../apps/pick.ts";
import { applicationNode, type TreeNode } from "../apps/treeNode.ts";
import { askForSubject, subjectOf, type AskContext } from "./subjects.ts";

/** A row whose problem has a known cause. */
export interface FailedRow {
  readonly application: Application;
  /** The pod that the cause is about; undefined if it was deleted. */
  readonly pod: SparkPod | undefined;
  readonly name: string;
  readonly role: PodRole;
  readonly diagnoses: readonly [Diagnosis, ...Diagnosis[]];
  /** The row, for commands about its log and events. */
  readonly node: TreeNode;
}

/** Returns the rows with a cause, or an application that the user picks. Shows a message if there is none. */
export async function failedRows(
  context: AskContext,
  nodes: readonly TreeNode[],
  title: MessageText,
): Promise<readonly FailedRow[]> {
  const { screen } = context;
  const picked =
    nodes.length > 0
      ? undefined
      : await pickApplication(
          context,
          title,
          (each) => rowOf(context, applicationNode(each.key)) !== undefined,
        );
  if (nodes.length === 0 && picked === undefined) return [];
  const asked = picked === undefined ? nodes : [applicationNode(picked.key)];
  const rows = asked.flatMap((node) => rowOf(context, node) ?? []);
  if (rows.length === 0) {
    void screen.showInformationMessage(msg("No problem is known for the selected rows."));
  }
  return rows;
}

function rowOf(context: AskContext, node: TreeNode): FailedRow | undefined {
  const { session } = context;
  const application = "key" in node ? session.find(node.key) : undefined;
  if (application === undefined) return undefined;
  if (node.kind === "application") return applicationRow(session, application, node);
  const subject = subjectOf(context, node);
  const [first, ...others] = subject ? session.diagnose(application, subject.pod) : [];
  if (subject === undefined || first === undefined) return undefined;
  // If the driver's diagnosis only says that executors failed, return the cause that the application's row shows.
  const ofExecutors =
    node.kind === "driver" && isOfExecutors(first)
      ? applicationRow(session, application, node)
      : undefined;
  if (ofExecutors !== undefined) return { ...ofExecutors, name: subject.name };
  const role = node.kind === "executor" ? "executor" : "driver";
  const { pod, name } = subject;
  return { application, pod, name, role, diagnoses: [first, ...others], node };
}

/**
 * Returns the cause that the application's row shows: a cause of its driver, or of most of its executors. Undefined if
 * no cause is known.
 */
function applicationRow(
  session: AskContext["session"],
  application: Application,
  node: TreeNode,
): FailedRow | undefined {
  const { name, driver } = application;
  const { fact, subject } = session.rowOf(application);
  if (fact === undefined) return undefined;
  const role = subject !== undefined && subject === driver ? "driver" : "executor";
  const others =
    subject === undefined
      ? []
      : session.diagnose(application, subject).filter(({ id }) => id !== fact.id);
  return { application, pod: subject, name, role, diagnoses: [fact, ...others], node };
}

/**
 * Reads the conf, events, largest node and service accounts that explain a cause. Leaves out those that the user may
 * not read. Undefined without a connection.
 */
export async function readFailure(
  context: AskContext,
  row: FailedRow,
): Promise<Failure | undefined> {
  const facts = await askForSubject(context, row.application.key, (connection, signal) =>
    readFacts(connection, row, context.session.reportOf(row.application.key), signal),
  );
  if (facts === undefined) return undefined;
  const { pod, diagnoses, application, name } = row;
  const [diagnosis, ...others] = diagnoses;
  const report = context.session.reportOf(application.key);
  const id = row.role === "driver" ? "driver" : String(pod && executorIdOf(pod.pod));
  return {
    subject: name,
    diagnosis,
    others,
    remedies: remediesOf(diagnosis, facts.remedy),
    facts: facts.remedy,
    exit: pod && exitOf(pod.pod),
    limitBytes: pod && parseQuantity(sparkContainerOf(pod.pod)?.memoryLimit ?? ""),
    peakHeapBytes: report?.usage?.get(id)?.peakHeapBytes,
    events: pod === undefined ? facts.events : eventsSinceStart(facts.events, pod.pod),
    localTime,
  };
}

interface ReadFacts {
  readonly remedy: RemedyFacts;
  readonly events: Failure["events"];
}

async function readFacts(
  connection: Connection,
  { application, pod, role, diagnoses: [diagnosis] }: FailedRow,
  report: DriverReport | undefined,
  signal: AbortSignal,
): Promise<ReadFacts> {
  const { namespace, driver } = application;
  const { objects, nodes, podEvents, rights } = connection;
  const known = { report, now: connection.now() };
  const related = pod === undefined ? [] : relatedObjects(application, pod, known);
  const needsAccounts = diagnosis.logKind === "forbidden";
  const [conf, node, events, accounts] = await Promise.all([
    driver && readDriverConf(objects, driver.pod, signal),
    nodes.largest(signal),
    pod && podEvents.eventsOf(pod.pod, related, signal),
    needsAccounts ? objectNames(objects, "ServiceAccount", namespace, signal) : [],
  ]);
  const reviewed = await reviewAccounts(accounts, namespace, rights, signal);
  const able = [...reviewed].filter(([, missing]) => missing.length === 0).map(([name]) => name);
  return {
    remedy: {
      role,
      namespace,
      conf: conf?.kind === "found" ? conf.conf : undefined,
      minor: minorOf(driver?.pod.labels[sparkVersionLabel] ?? "") ?? newestMinor,
      node: node.ok ? node.value : undefined,
      ableAccounts: needsAccounts ? able : undefined,
      mainClass: driver?.pod.driving?.mainClass,
    },
    events: events?.ok === true ? events.value.filter(({ isWarning }) => isWarning) : [],
  };
}
