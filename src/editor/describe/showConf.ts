import { l10n } from "vscode";
import { readDriverConf } from "../../engine/driverConf.ts";
import { readEffectiveConf } from "../../engine/effectiveConf.ts";
import { redactValue } from "../../spark/submit/preview/redact.ts";
import type { TreeNode } from "../apps/treeNode.ts";
import { explainClusterError, showClusterError } from "../showError.ts";
import { secretRuleOf } from "./podDocument.ts";
import { ask, driversToDescribe, type DescribeContext, type Subject } from "./subjects.ts";

/** Shows the conf with which the applications of the given rows, or one that is picked, were submitted. */
export async function showConf(
  context: DescribeContext,
  nodes: readonly TreeNode[],
): Promise<void> {
  const { documents, log } = context;
  for (const subject of await driversToDescribe(context, nodes, l10n.t("Show Conf of Run"))) {
    const read = await ask(context, ({ objects }, signal) =>
      readDriverConf(objects, subject.pod.pod, signal),
    );
    if (read === undefined) return;
    const task = l10n.t('The conf of "{0}" was not read', subject.application.name);
    if (read.kind === "failed") await showClusterError(task, read.error, log);
    else {
      const conf = read.kind === "found" ? read.conf : new Map<string, string>();
      const comment =
        read.kind === "found"
          ? l10n.t('As submitted: ConfigMap "{0}", sorted.', read.map.name)
          : l10n.t("The driver pod names no ConfigMap: spark-submit did not make it.");
      await documents.show(pathOf(subject, "submitted"), confText(subject, conf, [comment]));
    }
  }
}

/** Shows the conf by which the drivers of the given rows' applications, or one that is picked, run. */
export async function showEffectiveConf(
  context: DescribeContext,
  nodes: readonly TreeNode[],
): Promise<void> {
  const { documents, log } = context;
  for (const subject of await driversToDescribe(context, nodes, l10n.t("Show Effective Conf"))) {
    const read = await ask(context, (connection, signal) =>
      readEffectiveConf(connection, subject.pod.pod, signal),
    );
    if (read === undefined) return;
    if (read.kind === "failed") {
      const task = l10n.t('The conf of "{0}" was not read', subject.application.name);
      await showClusterError(task, read.error, log);
      continue;
    }
    const comments =
      read.kind === "fromDriver"
        ? [l10n.t("As the running driver tells it.")]
        : [
            l10n.t("As submitted: what the application sets itself is not in it."),
            l10n.t("The driver was not heard: {0}", explainClusterError(read.error)),
          ];
    await documents.show(pathOf(subject, "effective"), confText(subject, read.conf, comments));
  }
}

// The ending makes it a conf file for the editor, with all help.
const pathOf = ({ application }: Subject, which: string): string =>
  `/${application.namespace}/${application.name}.${which}.spark.conf`;

/** A conf file's text, sorted, without secrets. */
export function confText(
  { pod }: Subject,
  conf: ReadonlyMap<string, string>,
  comments: readonly string[],
): string {
  const isSecret = secretRuleOf(pod.pod, conf);
  const keys = [...conf.keys()].sort();
  const width = Math.min(60, Math.max(0, ...keys.map((key) => key.length)));
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
