import { translated } from "../ui/translated.ts";
import { verbatim } from "../../base/message.ts";
import { l10n } from "vscode";
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
import { showClusterError } from "../showError.ts";
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
  const { documents, log } = context;
  const subjects = await driversToDescribe(context, nodes, l10n.t("Show Conf of Run"));
  if (!(await mayOpen(context.screen, subjects.length, "documents"))) return;
  for (const subject of subjects) {
    const read = await askForSubject(context, subject.application.key, ({ objects }, signal) =>
      readDriverConf(objects, subject.pod.pod, signal),
    );
    if (read === undefined) return;
    const task = l10n.t('The conf of "{0}" was not read', subject.application.name);
    const isAnother = read.pod !== undefined && read.pod.uid !== subject.pod.pod.uid;
    if (isAnother) await showReadFailure(task, "anotherPod", log);
    else if (read.kind === "failed") await showClusterError(task, read.error, log);
    else {
      const conf = read.kind === "found" ? read.conf : new Map<string, string>();
      const comment =
        read.kind === "found"
          ? l10n.t('As submitted: ConfigMap "{0}", sorted.', read.map.name)
          : l10n.t("The driver pod has no conf ConfigMap, so spark-submit did not create it.");
      await documents.show(
        pathOf(context, subject, "submitted"),
        confText(subject, conf, { comments: [comment], show: translated }),
      );
    }
  }
}

/** Shows the effective conf of running drivers: the submitted conf, overridden by settings of the application itself. */
export async function showEffectiveConf(
  context: DescribeContext,
  nodes: readonly TreeNode[],
): Promise<void> {
  const subjects = await driversToDescribe(context, nodes, l10n.t("Show Effective Conf"));
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
      const task = l10n.t('The conf of "{0}" was not read', subject.application.name);
      await showReadFailure(task, effective.error, context.log);
      continue;
    }
    const before = submitted.kind === "found" ? submitted.conf : new Map<string, string>();
    const source =
      submitted.kind === "found"
        ? l10n.t('ConfigMap "{0}", as submitted', submitted.map.name)
        : l10n.t("as submitted");
    const running =
      effective.kind === "fromDriver"
        ? l10n.t("the running driver")
        : l10n.t("the driver, which did not answer: {0}", explainReadFailure(effective.error));
    const { namespace, name } = subject.application;
    const { labels } = subject.pod.pod;
    await context.showLayers(
      { name: `${namespace}/${name}`, path: pathOf(context, subject, "effective") },
      runningLayers(submittedLayer(source, before), {
        name: verbatim(running),
        conf: effective.conf,
      }),
      nearestSparkVersion(labels[sparkVersionLabel] ?? "") ?? newestSparkVersion,
    );
  }
}

const submittedLayer = (name: string, conf: ReadonlyMap<string, string>): ConfLayer => ({
  name: verbatim(name),
  isCode: false,
  settings: [...conf].map(([key, value]) => ({ key, value, line: undefined })),
});

// The suffix enables conf help for the document.
const pathOf = (
  context: DescribeContext,
  { application }: DescribedSubject,
  which: string,
): string => pathAbout(context, application, `${application.name}.${which}.spark.conf`);
