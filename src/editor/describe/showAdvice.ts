import { msg } from "../../base/message.ts";
import { readWorkload } from "../../engine/driver/readWorkload.ts";
import { adviceDocument } from "../../spark/advice/adviceDocument.ts";
import { fixesOfLines, type LineFix } from "../../spark/remedy/failureDocument.ts";
import type { Workload } from "../../spark/advice/workload.ts";
import type { SparkPod } from "../../spark/pods/application.ts";
import { applicationNode, type TreeNode } from "../apps/treeNode.ts";
import { mayOpen } from "../mayOpen.ts";
import { showReadFailure } from "./driverErrors.ts";
import {
  askForSubject,
  driversToDescribe,
  pathAbout,
  type DescribeContext,
  type DescribedSubject,
} from "./subjects.ts";
import { updateWhileVisible } from "./updateWhileVisible.ts";

export interface AdviceContext extends DescribeContext {
  /** Shows fixes in a document about an application. `fixes`: returns the fixes for its current text. */
  readonly showFixes: (path: string, node: TreeNode, fixes: () => readonly LineFix[]) => void;
}

/**
 * Shows advice on the running applications of the given rows, or of one that the user picks. The documents update while
 * they are visible, and keep the last values when the driver ends.
 */
export async function adviseOn(context: AdviceContext, nodes: readonly TreeNode[]): Promise<void> {
  const subjects = await driversToDescribe(context, nodes, msg("Show Advice"));
  if (!(await mayOpen(context.screen, subjects.length, "documents"))) return;
  for (const subject of subjects) {
    const { application, pod } = subject;
    const task = msg`Cannot read the metrics of "${application.name}"`;
    if (!canAnswer(pod)) {
      await showReadFailure(context, task, "notRunning");
      continue;
    }
    const read = await askForSubject(context, application.key, (connection, signal) =>
      readWorkload(connection, pod.pod, signal),
    );
    if (read === undefined) return;
    if (!read.ok) {
      await context.screen.showClusterError(task, read.error, context.log);
      continue;
    }
    const path = pathAbout(context, application, `${application.name} advice.txt`);
    const { key } = application;
    let shown = read.value;
    let advice = adviceOf(context, subject, shown);
    const node = applicationNode(key);
    context.showFixes(path, node, () => advice.fixes);
    await context.documents.show(path, advice.text);
    const sooner = (signal: AbortSignal): Promise<void> => untilWorkEnds(context, key, signal);
    updateWhileVisible(
      context,
      { key, paths: [path], everyMs, sooner },
      async (connection, signal) => {
        const { driver } = context.session.find(key) ?? {};
        if (driver === undefined || !canAnswer(driver)) return "ended";
        const again = await readWorkload(connection, pod.pod, signal, shown);
        signal.throwIfAborted();
        if (again.ok) {
          shown = again.value;
          advice = adviceOf(context, subject, shown);
          context.documents.update(path, advice.text);
        }
        return undefined;
      },
    );
  }
}

const canAnswer = ({ state }: SparkPod): boolean =>
  state.kind === "running" || state.kind === "terminating";

// Polling interval in ms: that at which executors send their metrics to the driver.
const everyMs = 10_000;

/**
 * Resolves when the last active stage ends; never resolves if no stage is active. The caller then reads the final
 * metrics, which are lost when the driver ends.
 */
function untilWorkEnds(
  { session }: DescribeContext,
  key: string,
  signal: AbortSignal,
): Promise<void> {
  const isActive = (): boolean => (session.progressOf(key)?.stages.length ?? 0) > 0;
  return new Promise((resolve) => {
    if (!isActive()) return;
    const listening = session.onDidProgress((changed) => {
      if (changed === key && !isActive()) resolve();
    });
    signal.addEventListener("abort", () => {
      listening.dispose();
    });
  });
}

interface ShownAdvice {
  readonly text: string;
  readonly fixes: readonly LineFix[];
}

function adviceOf(
  { screen }: DescribeContext,
  { application }: DescribedSubject,
  workload: Workload,
): ShownAdvice {
  const { lines, remedies } = adviceDocument(application.name, workload);
  const text = lines.map((line) => screen.translated(line.text)).join("\n");
  return { text: `${text}\n`, fixes: fixesOfLines(lines, remedies) };
}
