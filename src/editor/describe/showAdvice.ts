import { l10n } from "vscode";
import { readWorkload } from "../../engine/driver/readWorkload.ts";
import { start, type Running } from "../../engine/running.ts";
import { advise, type Advice } from "../../spark/advice/advise.ts";
import type { Workload } from "../../spark/advice/workload.ts";
import type { TreeNode } from "../apps/treeNode.ts";
import { mayOpen } from "../mayOpen.ts";
import { showClusterError } from "../showError.ts";
import { translated } from "../ui/translated.ts";
import {
  askForSubject,
  driversToDescribe,
  pathAbout,
  type DescribeContext,
  type DescribedSubject,
} from "./subjects.ts";

/**
 * Shows advice on the running applications of the given rows, or of one that the user picks. The documents update while
 * they are visible, and keep the last values when the driver ends.
 */
export async function showAdvice(
  context: DescribeContext,
  nodes: readonly TreeNode[],
): Promise<void> {
  const subjects = await driversToDescribe(context, nodes, l10n.t("Show Advice"));
  if (!(await mayOpen(context.screen, subjects.length, "documents"))) return;
  for (const subject of subjects) {
    const { application, pod } = subject;
    const read = await askForSubject(context, application.key, (connection, signal) =>
      readWorkload(connection, pod.pod, signal),
    );
    if (read === undefined) return;
    if (!read.ok) {
      const task = l10n.t('Cannot read the metrics of "{0}"', application.name);
      await showClusterError(task, read.error, context.log);
      continue;
    }
    const path = pathAbout(context, application, `${application.name} advice.txt`);
    await context.documents.show(path, textOf(subject, read.value));
    context.updates.add(updateAdvice(context, subject, path));
  }
}

// Executors report every 10 s.
const updateMs = 10_000;

/** Rereads the values while the document is visible; ends when it is closed or the driver has ended. */
function updateAdvice(context: DescribeContext, subject: DescribedSubject, path: string): Running {
  const { session, documents, updates, clock, log } = context;
  const { key } = subject.application;
  const running = start(async (signal) => {
    for (;;) {
      await clock.sleep(updateMs, signal);
      if (!documents.isOpen(path)) break;
      const { driver } = session.find(key) ?? {};
      if (driver?.state.kind !== "running" && driver?.state.kind !== "terminating") break;
      const connection = session.connectionOf(key);
      if (connection === undefined || !documents.isVisible(path)) continue;
      const read = await readWorkload(connection, subject.pod.pod, signal);
      signal.throwIfAborted();
      if (read.ok) documents.update(path, textOf(subject, read.value));
    }
  });
  running.done
    .finally(() => {
      updates.remove(running);
    })
    .catch(log.error);
  return running;
}

function textOf({ application }: DescribedSubject, workload: Workload): string {
  const found = advise(workload);
  const head = l10n.t(
    'Advice on "{0}", from the values of its driver at {1}: {2} stages, {3} executors.',
    application.name,
    new Date(workload.readAt).toLocaleTimeString(),
    workload.stages.length,
    workload.executors.length,
  );
  const none = l10n.t("The values support no advice.");
  return `${[head, ...(found.length === 0 ? [none] : found.map(adviceText))].join("\n\n")}\n`;
}

const adviceText = ({ fact, numbers, change, keys }: Advice): string =>
  [translated(fact), ...numbers.map(translated), translated(change), keys.join(", ")].join("\n  ");
