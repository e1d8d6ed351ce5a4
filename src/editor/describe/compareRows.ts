import { localTime } from "../../base/timeOfDay.ts";
import { msg } from "../../base/message.ts";
import { ok, type Result } from "../../base/result.ts";
import { numberedMask, type Mask } from "../../spark/redact.ts";
import { readEffectiveConf } from "../../engine/driver/effectiveConf.ts";
import type { Connection } from "../../engine/ports/connection.ts";
import { executorsOf } from "../../spark/pods/applicationRun.ts";
import { describeApplication } from "../../spark/pods/describeApplication.ts";
import { describeState } from "../../spark/pods/describeState.ts";
import { comparableConf, comparablePod } from "../../spark/submit/preview/comparable.ts";
import { printYaml } from "../../spark/printYaml.ts";
import { applicationPlaceOf } from "../apps/pick.ts";
import { executorName } from "../apps/rows/podRow.ts";
import type { TreeNode } from "../apps/treeNode.ts";
import { readPodDocument } from "./podDocument.ts";
import { confText } from "./confText.ts";
import {
  askForSubject,
  pathAbout,
  podsToDescribe,
  subjectOf,
  type DescribeContext,
  type DescribedSubject,
} from "./subjects.ts";
import { showReadFailure, type ReadFailure } from "./driverErrors.ts";

/**
 * Compares two executor pods, or the conf of two runs, without fields that always differ. Shows a quick pick for the
 * second if one row is given, and for both without rows. If the user picks a driver, compares its run.
 */
export async function compareRows(
  context: DescribeContext,
  nodes: readonly TreeNode[],
): Promise<void> {
  const { screen } = context;
  const title = msg("Compare With");
  const [first, given] = await podsToDescribe(context, nodes, title);
  // A missing pod was already reported; do not prompt for a replacement.
  if (first === undefined || (nodes.length > 1 && given === undefined)) return;
  const areRuns =
    nodes.length > 0
      ? nodes.every(({ kind }) => kind === "application")
      : first.pod.pod.uid === first.application.driver?.pod.uid;
  const second =
    given ?? (areRuns ? await pickRun(context, first) : await pickOther(context, first));
  if (second === undefined) return;
  const read = areRuns ? readConf : readPod;
  // Both sides share the mask, so that different secrets get different numbers.
  const mask = numberedMask();
  const textOf = (
    subject: DescribedSubject,
  ): Promise<Awaited<ReturnType<typeof read>> | undefined> =>
    askForSubject(context, subject.application.key, (connection, signal) =>
      read(connection, subject, { screen, mask }, signal),
    );
  const [left, right] = await Promise.all([textOf(first), textOf(second)]);
  if (left === undefined || right === undefined) return;
  if (!left.ok || !right.ok) {
    const failed = left.ok ? right : left;
    if (!failed.ok) await showReadFailure(context, msg("Cannot compare"), failed.error);
    return;
  }
  const names: readonly [string, string] = areRuns
    ? [nameOfRun(first), nameOfRun(second)]
    : first.name === second.name
      ? [nameOfPod(first), nameOfPod(second)]
      : [first.name, second.name];
  const ending = areRuns ? "spark.conf" : "yaml";
  await context.documents.compare(
    {
      path: `/compared/1${pathAbout(context, first.application, `${names[0]}.${ending}`)}`,
      text: left.value,
    },
    {
      path: `/compared/2${pathAbout(context, second.application, `${names[1]}.${ending}`)}`,
      text: right.value,
    },
    screen.translated(msg`${names[0]} and ${names[1]}`),
  );
}

interface ReadOptions {
  readonly screen: DescribeContext["screen"];
  readonly mask: Mask;
}

async function readPod(
  connection: Connection,
  subject: DescribedSubject,
  { mask }: ReadOptions,
  signal: AbortSignal,
): Promise<Result<string, ReadFailure>> {
  const read = await readPodDocument(connection, subject, mask, signal);
  return read.ok ? ok(printYaml(comparablePod(read.value))) : read;
}

async function readConf(
  connection: Connection,
  subject: DescribedSubject,
  { screen, mask }: ReadOptions,
  signal: AbortSignal,
): Promise<Result<string, ReadFailure>> {
  const read = await readEffectiveConf(connection, subject.pod.pod, signal);
  if (read.kind === "failed") return { ok: false, error: read.error };
  const source =
    read.kind === "fromDriver"
      ? screen.translated(msg("from the running driver"))
      : screen.translated(msg("as submitted, without properties set by the application"));
  return ok(
    confText(
      subject,
      comparableConf(read.conf),
      { comments: [source], show: screen.translated },
      0,
      mask,
    ),
  );
}

const nameOfPod = ({ name, pod: { pod } }: DescribedSubject): string =>
  `${name} ${pod.namespace}/${pod.name}`;

const nameOfRun = ({ application }: DescribedSubject): string =>
  `${application.name} ${application.id}`;

async function pickRun(
  { session, screen }: DescribeContext,
  first: DescribedSubject,
): Promise<DescribedSubject | undefined> {
  const { name, key } = first.application;
  const others = session.applications.filter((one) => one.key !== key && one.driver !== undefined);
  const sameName = (application: DescribedSubject["application"]): number =>
    application.name === name ? 0 : 1;
  const items = others
    .toSorted((a, b) => sameName(a) - sameName(b))
    .map((application) => ({
      label: application.name,
      description: screen.translated(describeApplication(application)),
      detail: `${applicationPlaceOf(session, application)} · ${application.id} · ${localTime(Date.parse(application.createdAt))}`,
      application,
    }));
  const chosen = await screen.showQuickPick(items, {
    title: screen.translated(msg("Compare With")),
    placeHolder: screen.translated(msg`Run to compare "${name}" with`),
  });
  const pod = chosen?.application.driver;
  return chosen && pod && { application: chosen.application, pod, name: chosen.application.name };
}

async function pickOther(
  context: DescribeContext,
  { application, pod, name }: DescribedSubject,
): Promise<DescribedSubject | undefined> {
  const { session, screen } = context;
  const current = session.find(application.key) ?? application;
  const items = [...executorsOf(current)]
    .filter((executor) => executor.pod.uid !== pod.pod.uid)
    .map((executor) => ({
      label: screen.translated(executorName(executor)),
      description: screen.translated(describeState(executor.state)),
      detail: executor.pod.name,
      node: {
        kind: "executor",
        id: executor.pod.uid,
        key: application.key,
        uid: executor.pod.uid,
      } as const,
    }));
  const chosen = await screen.showQuickPick(items, {
    title: screen.translated(msg("Compare With")),
    placeHolder: screen.translated(msg`Executor to compare ${name} with`),
  });
  return chosen && subjectOf(context, chosen.node);
}
