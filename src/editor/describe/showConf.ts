import { l10n } from "vscode";
import { readDriverConf } from "../../engine/driverConf.ts";
import { newestSparkVersion, nearestSparkVersion } from "../../spark/conf/sparkVersions.ts";
import { sparkVersionLabel } from "../../spark/labels.ts";
import type { ConfLayer } from "../../spark/surfaces/effective/layers.ts";
import { readEffectiveConf } from "../../engine/effectiveConf.ts";
import { runningLayers } from "../../spark/surfaces/effective/runningLayers.ts";
import { redactValue } from "../../spark/redact.ts";
import type { TreeNode } from "../apps/treeNode.ts";
import { mayOpen } from "../mayOpen.ts";
import { showClusterError } from "../showError.ts";
import { secretRuleOf } from "./podDocument.ts";
import {
  ask,
  driversToDescribe,
  pathAbout,
  type DescribeContext,
  type Subject,
} from "./subjects.ts";
import { explainUnheard, showUnheard } from "./unheard.ts";

/** Shows the conf with which the applications of the given rows, or one that is picked, were submitted. */
export async function showConf(
  context: DescribeContext,
  nodes: readonly TreeNode[],
): Promise<void> {
  const { documents, log } = context;
  const subjects = await driversToDescribe(context, nodes, l10n.t("Show Conf of Run"));
  if (!(await mayOpen(subjects.length, "documents"))) return;
  for (const subject of subjects) {
    const read = await ask(context, subject.application.key, ({ objects }, signal) =>
      readDriverConf(objects, subject.pod.pod, signal),
    );
    if (read === undefined) return;
    const task = l10n.t('The conf of "{0}" was not read', subject.application.name);
    const isAnother = read.pod !== undefined && read.pod.uid !== subject.pod.pod.uid;
    if (isAnother) await showUnheard(task, "anotherPod", log);
    else if (read.kind === "failed") await showClusterError(task, read.error, log);
    else {
      const conf = read.kind === "found" ? read.conf : new Map<string, string>();
      const comment =
        read.kind === "found"
          ? l10n.t('As submitted: ConfigMap "{0}", sorted.', read.map.name)
          : l10n.t("The driver pod names no ConfigMap: spark-submit did not make it.");
      await documents.show(
        pathOf(context, subject, "submitted"),
        confText(subject, conf, [comment]),
      );
    }
  }
}

/**
 * Shows the conf by which the drivers of the given rows' applications, or one that is picked, run: what was
 * submitted, and over it what the application has set itself.
 */
export async function showEffectiveConf(
  context: DescribeContext,
  nodes: readonly TreeNode[],
): Promise<void> {
  const subjects = await driversToDescribe(context, nodes, l10n.t("Show Effective Conf"));
  if (!(await mayOpen(subjects.length, "documents"))) return;
  for (const subject of subjects) {
    const read = await ask(context, subject.application.key, async (connection, signal) => ({
      submitted: await readDriverConf(connection.objects, subject.pod.pod, signal),
      effective: await readEffectiveConf(connection, subject.pod.pod, signal),
    }));
    if (read === undefined) return;
    const { submitted, effective } = read;
    if (effective.kind === "failed") {
      const task = l10n.t('The conf of "{0}" was not read', subject.application.name);
      await showUnheard(task, effective.error, context.log);
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
        : l10n.t("the driver, which was not heard: {0}", explainUnheard(effective.error));
    const { namespace, name } = subject.application;
    const { labels } = subject.pod.pod;
    await context.showLayers(
      { name: `${namespace}/${name}`, path: pathOf(context, subject, "effective") },
      runningLayers(submittedLayer(source, before), { name: running, conf: effective.conf }),
      nearestSparkVersion(labels[sparkVersionLabel] ?? "") ?? newestSparkVersion,
    );
  }
}

const submittedLayer = (name: string, conf: ReadonlyMap<string, string>): ConfLayer => ({
  name,
  isCode: false,
  settings: [...conf].map(([key, value]) => ({ key, value, place: "" })),
});

// The ending makes it a conf file for the editor, with all help.
const pathOf = (context: DescribeContext, { application }: Subject, which: string): string =>
  pathAbout(context, application, `${application.name}.${which}.spark.conf`);

/** Where values stand below each other. */
const columnOf = (conf: ReadonlyMap<string, string>): number =>
  Math.min(60, Math.max(0, ...[...conf.keys()].map((key) => key.length)));

/** A conf file's text, sorted, without secrets. `width`: of the keys; where two stand side by side there is no room. */
export function confText(
  { pod }: Subject,
  conf: ReadonlyMap<string, string>,
  comments: readonly string[],
  width = columnOf(conf),
): string {
  const isSecret = secretRuleOf(pod.pod, conf);
  const keys = [...conf.keys()].sort();
  const lines = keys.map((key) => {
    const value = redactValue(key, conf.get(key) ?? "", isSecret);
    return `${key.padEnd(width)}  ${value.replaceAll("\n", "\\n")}`;
  });
  return [
    ...comments.map((comment) => `# ${comment.replaceAll(/\s+/g, " ")}`),
    "",
    ...lines,
    "",
  ].join("\n");
}
