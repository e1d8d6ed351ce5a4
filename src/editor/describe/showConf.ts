import { msg, type Message } from "../../base/message.ts";
import { readDriverConf } from "../../engine/driver/driverConf.ts";
import {
  newestSparkVersion,
  nearestSparkVersion,
} from "../../spark/conf/catalogue/sparkVersions.ts";
import { sparkVersionLabel } from "../../spark/labels.ts";
import type { ConfLayer } from "../../spark/surfaces/effective/layers.ts";
import { readEffectiveConf } from "../../engine/driver/effectiveConf.ts";
import { runningLayers } from "../../spark/surfaces/effective/runningLayers.ts";
import type { TreeNode } from "../apps/treeNode.ts";
import { mayOpen } from "../mayOpen.ts";
import { confText } from "./confText.ts";
import {
  askForSubject,
  driversToDescribe,
  pathAbout,
  type DescribeContext,
  type DescribedSubject,
} from "./subjects.ts";
import { explainReadFailure, showReadFailure } from "./driverErrors.ts";

/** Shows the submitted conf of the given rows' applications, or of one that the user picks. */
export async function showConf(
  context: DescribeContext,
  nodes: readonly TreeNode[],
): Promise<void> {
  const { documents, screen, log } = context;
  const subjects = await driversToDescribe(context, nodes, msg("Show Conf of Run"));
  if (!(await mayOpen(context.screen, subjects.length, "documents"))) return;
  for (const subject of subjects) {
    const read = await askForSubject(context, subject.application.key, ({ objects }, signal) =>
      readDriverConf(objects, subject.pod.pod, signal),
    );
    if (read === undefined) return;
    const task = msg`Cannot read the conf of "${subject.application.name}"`;
    const isAnother = read.pod !== undefined && read.pod.uid !== subject.pod.pod.uid;
    if (isAnother) await showReadFailure(context, task, "anotherPod");
    else if (read.kind === "failed") await screen.showClusterError(task, read.error, log);
    else {
      const conf = read.kind === "found" ? read.conf : new Map<string, string>();
      const comment =
        read.kind === "found"
          ? screen.translated(msg`As submitted: ConfigMap "${read.map.name}", sorted.`)
          : screen.translated(
              msg("The driver pod has no conf ConfigMap, so spark-submit did not create the pod."),
            );
      await documents.show(
        pathOf(context, subject, "submitted"),
        confText(subject, conf, { comments: [comment], show: screen.translated }),
      );
    }
  }
}

/**
 * Shows the effective conf of drivers: the submitted conf, overridden by the properties that the running driver
 * reports. Shows only the submitted conf if the driver does not respond.
 */
export async function showEffectiveConf(
  context: DescribeContext,
  nodes: readonly TreeNode[],
): Promise<void> {
  const subjects = await driversToDescribe(context, nodes, msg("Show Effective Conf"));
  if (!(await mayOpen(context.screen, subjects.length, "documents"))) return;
  for (const subject of subjects) {
    const read = await askForSubject(
      context,
      subject.application.key,
      async (connection, signal) => ({
        submitted: await readDriverConf(connection.objects, subject.pod.pod, signal),
        effective: await readEffectiveConf(connection, subject.pod.pod, signal),
      }),
    );
    if (read === undefined) return;
    const { submitted, effective } = read;
    if (effective.kind === "failed") {
      const task = msg`Cannot read the conf of "${subject.application.name}"`;
      await showReadFailure(context, task, effective.error);
      continue;
    }
    const before = submitted.kind === "found" ? submitted.conf : new Map<string, string>();
    const source =
      submitted.kind === "found"
        ? msg`ConfigMap "${submitted.map.name}", as submitted`
        : msg("as submitted");
    const running =
      effective.kind === "fromDriver"
        ? msg("the running driver")
        : msg`the driver, which did not answer: ${explainReadFailure(context.screen, effective.error)}`;
    const { namespace, name } = subject.application;
    const { labels } = subject.pod.pod;
    await context.showLayers(
      { name: `${namespace}/${name}`, path: pathOf(context, subject, "effective") },
      runningLayers(submittedLayer(source, before), {
        name: running,
        conf: effective.conf,
      }),
      nearestSparkVersion(labels[sparkVersionLabel] ?? "") ?? newestSparkVersion,
    );
  }
}

const submittedLayer = (name: Message, conf: ReadonlyMap<string, string>): ConfLayer => ({
  name,
  isCode: false,
  settings: [...conf].map(([key, value]) => ({ key, value, line: undefined })),
});

// The suffix `.spark.conf` enables conf help for the document.
const pathOf = (
  context: DescribeContext,
  { application }: DescribedSubject,
  which: string,
): string => pathAbout(context, application, `${application.name}.${which}.spark.conf`);
