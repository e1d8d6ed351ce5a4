import { l10n } from "vscode";
import { readExecutors, type ExecutorReading } from "../../engine/driver/readExecutors.ts";
import { start, type Running } from "../../engine/running.ts";
import { executorRowsOf, executorTable } from "../../spark/diagnosis/executorTable.ts";
import type { Application } from "../../spark/pods/application.ts";
import { pickApplication } from "../apps/pick.ts";
import type { TreeNode } from "../apps/treeNode.ts";
import { mayOpen } from "../mayOpen.ts";
import { explainClusterError } from "../showError.ts";
import { translated } from "../ui/translated.ts";
import { explainReadFailure } from "./driverErrors.ts";
import { askForSubject, pathAbout, type DescribeContext } from "./subjects.ts";

/**
 * Shows CPU, memory, garbage collection and tasks of all executors of the given rows' applications, or of one that the
 * user picks. The documents update while they are visible.
 */
export async function showExecutors(
  context: DescribeContext,
  nodes: readonly TreeNode[],
): Promise<void> {
  const { session, documents } = context;
  const keys = new Set(nodes.flatMap((node) => ("key" in node ? [node.key] : [])));
  const applications =
    nodes.length === 0
      ? [await pickApplication(context, l10n.t("Show Executors"), () => true)]
      : [...keys].map((key) => session.find(key));
  const known = applications.filter((application) => application !== undefined);
  if (!(await mayOpen(context.screen, known.length, "documents"))) return;
  for (const application of known) {
    const reading = await askForSubject(context, application.key, (connection, signal) =>
      readExecutors(connection, application, signal),
    );
    if (reading === undefined) return;
    const path = pathAbout(context, application, `${application.name} executors.txt`);
    await documents.show(path, textOf(context, application, reading));
    context.updates.add(updateExecutors(context, application, path));
  }
}

// Executors send their metrics to the driver every 10 s, metrics-server measures every 15 s.
const updateMs = 5_000;
/** A refresh may take this share of the time, so that a driver with many executors is asked less often. */
const maxShare = 0.1;

/** Rereads the usage while the document is visible; ends when it is closed. */
function updateExecutors(context: DescribeContext, first: Application, path: string): Running {
  const { session, documents, updates, clock, log } = context;
  const running = start(async (signal) => {
    let pauseMs = updateMs;
    for (;;) {
      await clock.sleep(pauseMs, signal);
      if (!documents.isOpen(path)) break;
      const connection = session.connectionOf(first.key);
      if (connection === undefined || !documents.isVisible(path)) continue;
      const application = session.find(first.key) ?? first;
      const before = clock.now();
      const reading = await readExecutors(connection, application, signal);
      signal.throwIfAborted();
      documents.update(path, textOf(context, application, reading));
      pauseMs = Math.max(updateMs, (clock.now() - before) / maxShare);
    }
  });
  running.done
    .finally(() => {
      updates.remove(running);
    })
    .catch(log.error);
  return running;
}

function textOf(
  { session, clock }: DescribeContext,
  application: Application,
  { executors, metrics }: ExecutorReading,
): string {
  const { name, namespace, key } = application;
  const byDriver = executors.ok ? (executors.value.usage ?? new Map()) : undefined;
  const byMetrics = metrics.ok ? metrics.value : undefined;
  const rows = executorRowsOf(application, { byDriver, byMetrics });
  const count = rows.filter((row) => row.name !== "driver").length;
  return [
    l10n.t(
      'Executors of "{0}" in namespace "{1}" of "{2}", {3}',
      name,
      namespace,
      session.contextOf(key) ?? "",
      new Date(clock.now()).toLocaleTimeString(),
    ),
    count === 1
      ? l10n.t("1 executor, the largest user of memory first.")
      : l10n.t("{0} executors, the largest user of memory first.", count),
    ...(executors.ok
      ? []
      : [l10n.t("No values from the driver. {0}", explainReadFailure(executors.error))]),
    ...(metrics.ok
      ? []
      : [l10n.t("No CPU and memory from metrics-server. {0}", metricsWords(metrics.error))]),
    ...(rows.length === 0 ? [] : [executorTable(rows, translated)]),
    "",
  ].join("\n\n");
}

function metricsWords(
  error: Extract<ExecutorReading["metrics"], { readonly ok: false }>["error"],
): string {
  if (error === "silent") return l10n.t("It did not answer within 5 seconds.");
  return error.kind === "notFound"
    ? l10n.t("It is not installed in this cluster.")
    : explainClusterError(error);
}
