import { l10n, window } from "vscode";
import { ok, type Result } from "../../base/result.ts";
import { readEffectiveConf } from "../../engine/effectiveConf.ts";
import type { Connection } from "../../engine/ports.ts";
import { executorsOf } from "../../spark/pods/applicationRun.ts";
import { describeApplication } from "../../spark/pods/describeApplication.ts";
import { describeState } from "../../spark/pods/describeState.ts";
import { comparableConf, comparablePod } from "../../spark/submit/preview/comparable.ts";
import { printYaml } from "../../spark/submit/preview/printYaml.ts";
import { placeOf } from "../apps/pick.ts";
import { executorName } from "../apps/treeItem.ts";
import type { TreeNode } from "../apps/treeNode.ts";
import { readPodDocument } from "./podDocument.ts";
import { confText } from "./showConf.ts";
import {
  ask,
  pathAbout,
  podsToDescribe,
  subjectOf,
  type DescribeContext,
  type Subject,
} from "./subjects.ts";
import { showUnheard, type Unread } from "./unheard.ts";

/**
 * Shows in what two pods differ, or with which conf two runs were made, leaving out what is each one's own.
 * The second is picked where only one row was given; without rows both are, and a driver stands for its run.
 */
export async function compareRows(
  context: DescribeContext,
  nodes: readonly TreeNode[],
): Promise<void> {
  const title = l10n.t("Compare With");
  const [first, given] = await podsToDescribe(context, nodes, title);
  // Of one that has no pod it was said, and nobody is asked for another in its place.
  if (first === undefined || (nodes.length > 1 && given === undefined)) return;
  const areRuns =
    nodes.length > 0
      ? nodes.every(({ kind }) => kind === "application")
      : first.pod.pod.uid === first.application.driver?.pod.uid;
  const second =
    given ?? (areRuns ? await pickRun(context, first) : await pickOther(context, first));
  if (second === undefined) return;
  const read = areRuns ? readConf : readPod;
  const textOf = (subject: Subject): Promise<Awaited<ReturnType<typeof read>> | undefined> =>
    ask(context, subject.application.key, (connection, signal) =>
      read(connection, subject, signal),
    );
  const [left, right] = await Promise.all([textOf(first), textOf(second)]);
  if (left === undefined || right === undefined) return;
  if (!left.ok || !right.ok) {
    const failed = left.ok ? right : left;
    if (!failed.ok) await showUnheard(l10n.t("Nothing was compared"), failed.error, context.log);
    return;
  }
  const names: readonly [string, string] = areRuns
    ? [nameOfRun(first), nameOfRun(second)]
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
    l10n.t("{0} and {1}", ...names),
  );
}

async function readPod(
  connection: Connection,
  subject: Subject,
  signal: AbortSignal,
): Promise<Result<string, Unread>> {
  const read = await readPodDocument(connection, subject, signal);
  return read.ok ? ok(printYaml(comparablePod(read.value))) : read;
}

async function readConf(
  connection: Connection,
  subject: Subject,
  signal: AbortSignal,
): Promise<Result<string, Unread>> {
  const read = await readEffectiveConf(connection, subject.pod.pod, signal);
  if (read.kind === "failed") return { ok: false, error: read.error };
  const source =
    read.kind === "fromDriver"
      ? l10n.t("as the running driver tells it")
      : l10n.t("as it was submitted; what the application has set itself is not in it");
  return ok(confText(subject, comparableConf(read.conf), [source], 0));
}

const nameOfRun = ({ application }: Subject): string => `${application.name} ${application.id}`;

async function pickRun({ session }: DescribeContext, first: Subject): Promise<Subject | undefined> {
  const { name, key } = first.application;
  const others = session.applications.filter((one) => one.key !== key && one.driver !== undefined);
  const sameName = (application: Subject["application"]): number =>
    application.name === name ? 0 : 1;
  const items = others
    .toSorted((a, b) => sameName(a) - sameName(b))
    .map((application) => ({
      label: application.name,
      description: describeApplication(application),
      detail: `${placeOf(session, application)} · ${application.id} · ${application.createdAt}`,
      application,
    }));
  const chosen = await window.showQuickPick(items, {
    title: l10n.t("Compare With"),
    placeHolder: l10n.t('Run to compare "{0}" with', name),
    matchOnDetail: true,
  });
  const pod = chosen?.application.driver;
  return chosen && pod && { application: chosen.application, pod, name: chosen.application.name };
}

async function pickOther(
  { session }: DescribeContext,
  { application, pod, name }: Subject,
): Promise<Subject | undefined> {
  const current = session.find(application.key) ?? application;
  const items = [...executorsOf(current)]
    .filter((executor) => executor.pod.uid !== pod.pod.uid)
    .map((executor) => ({
      label: executorName(executor),
      description: describeState(executor.state),
      detail: executor.pod.name,
      node: {
        kind: "executor",
        id: executor.pod.uid,
        key: application.key,
        uid: executor.pod.uid,
      } as const,
    }));
  const chosen = await window.showQuickPick(items, {
    title: l10n.t("Compare With"),
    placeHolder: l10n.t("Executor to compare {0} with", name),
    matchOnDetail: true,
  });
  return chosen && subjectOf(session, chosen.node);
}
