import { msg, type Message, type MessageText } from "../../base/message.ts";
import { readExecutors, type ExecutorReading } from "../../engine/driver/readExecutors.ts";
import { executorRowsOf, executorTable } from "../../spark/diagnosis/executorTable.ts";
import type { Application } from "../../spark/pods/application.ts";
import { pickApplication } from "../apps/pick.ts";
import type { TreeNode } from "../apps/treeNode.ts";
import { tableLanguage } from "../ids.ts";
import { mayOpen } from "../mayOpen.ts";
import { explainReadFailure } from "./driverErrors.ts";
import { askForSubject, pathAbout, type DescribeContext } from "./subjects.ts";
import { updateWhileVisible } from "./updateWhileVisible.ts";
import { timeOfDay } from "../../base/timeOfDay.ts";

/**
 * Shows CPU, memory, garbage collection and tasks of all executors of the given rows' applications, or of one that the
 * user picks. The documents update while they are visible.
 */
export async function showExecutors(
  context: DescribeContext,
  nodes: readonly TreeNode[],
): Promise<void> {
  const { session, documents, clock } = context;
  const keys = new Set(nodes.flatMap((node) => ("key" in node ? [node.key] : [])));
  const applications =
    nodes.length === 0
      ? [await pickApplication(context, msg("Show Executors"), () => true)]
      : [...keys].map((key) => session.find(key));
  const known = applications.filter((application) => application !== undefined);
  if (!(await mayOpen(context.screen, known.length, "documents"))) return;
  for (const application of known) {
    const reading = await askForSubject(context, application.key, (connection, signal) =>
      readExecutors(connection, application, signal),
    );
    if (reading === undefined) return;
    const path = pathAbout(context, application, `${application.name} executors.txt`);
    await documents.show(path, textOf(context, application, reading), tableLanguage);
    const { key } = application;
    updateWhileVisible(context, { key, paths: [path], everyMs }, async (connection, signal) => {
      const now = session.find(key) ?? application;
      const before = clock.now();
      const again = await readExecutors(connection, now, signal);
      signal.throwIfAborted();
      documents.update(path, textOf(context, now, again));
      return (clock.now() - before) / maxShare;
    });
  }
}

// Polling interval in ms: half the interval at which executors send their metrics to the driver. metrics-server
// measures every 15 s.
const everyMs = 5_000;
/** The maximum share of time spent on reading. It makes the polling of a driver with many executors less frequent. */
const maxShare = 0.1;

function textOf(
  { session, screen, clock }: DescribeContext,
  application: Application,
  { executors, metrics }: ExecutorReading,
): string {
  const { name, namespace, key } = application;
  const byDriver = executors.ok ? (executors.value.usage ?? new Map()) : undefined;
  const byMetrics = metrics.ok ? metrics.value : undefined;
  const rows = executorRowsOf(application, { byDriver, byMetrics });
  const count = rows.filter((row) => row.name !== "driver").length;
  return [
    screen.translated(
      msg`Executors of "${name}" in namespace "${namespace}" of "${session.contextOf(key) ?? ""}", ${timeOfDay(clock.now())}`,
    ),
    screen.translated(countWords(count)),
    ...(executors.ok
      ? []
      : [
          screen.translated(
            msg`No metrics from the driver. ${explainReadFailure(screen, executors.error)}`,
          ),
        ]),
    ...(metrics.ok
      ? []
      : [
          screen.translated(
            msg`No CPU and memory usage from metrics-server. ${metricsWords(screen, metrics.error)}`,
          ),
        ]),
    ...(rows.length === 0 ? [] : [executorTable(rows, screen.translated)]),
    "",
  ].join("\n\n");
}

function countWords(count: number): Message {
  if (count === 0) return msg("No executors.");
  return count === 1
    ? msg("The driver and 1 executor, sorted by memory usage.")
    : msg`The driver and ${count} executors, sorted by memory usage.`;
}

function metricsWords(
  { explainClusterError }: DescribeContext["screen"],
  error: Extract<ExecutorReading["metrics"], { readonly ok: false }>["error"],
): MessageText {
  if (error === "silent") return msg("It did not answer within 5 seconds.");
  return error.kind === "notFound"
    ? msg("It is not installed in this cluster.")
    : explainClusterError(error);
}
