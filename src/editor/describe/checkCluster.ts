import { l10n } from "vscode";
import { readClusterFacts } from "../../engine/submit/clusterCheck.ts";
import {
  clusterReport,
  type CheckedProfile,
  type ClusterLine,
} from "../../spark/clusterCheck/clusterReport.ts";
import type { TreeNode } from "../apps/treeNode.ts";
import { workspaceTexts } from "../conf/workspaceTexts.ts";
import { inView } from "../inView.ts";
import { showClusterError } from "../showError.ts";
import { translated } from "../ui/translated.ts";
import { window } from "../ui/window.ts";
import { checkedProfilesOf } from "./checkedProfiles.ts";
import { documentPath } from "./documentPath.ts";
import type { DescribeContext } from "./subjects.ts";

/** Shows the resources of the chosen context's cluster, and whether the pods of a run profile fit its nodes. */
export async function checkCluster(
  { session, screen, documents, log }: DescribeContext,
  nodes: readonly TreeNode[],
): Promise<void> {
  const connected = await session.connect(new AbortController().signal);
  if (!connected.ok) {
    await showClusterError(l10n.t("Cannot check the cluster"), connected.error, log);
    return;
  }
  const profile = await pickProfile();
  if (profile === undefined) return;
  const connection = connected.value;
  const row = nodes.find((node) => node.kind === "namespace");
  const namespace = row?.namespace ?? session.watchedNamespaces[0] ?? connection.namespace;
  const facts = await inView(screen, (signal) => readClusterFacts(connection, namespace, signal));
  const lines = clusterReport(facts, profile === "none" ? undefined : profile);
  const text = [
    l10n.t(
      'Cluster of context "{0}", namespace "{1}". Only read requests were sent.',
      facts.context,
      namespace,
    ),
    ...lines.map(lineText),
  ].join("\n\n");
  const path = documentPath([facts.context, namespace], "cluster for Spark.txt");
  await documents.show(path, `${text}\n`);
}

function lineText({ state, fact, meaning, yaml }: ClusterLine): string {
  const head = `${mark(state)} ${translated(fact)}\n    ${translated(meaning)}`;
  return yaml === undefined ? head : `${head}\n\n${yaml.trimEnd()}`;
}

function mark(state: ClusterLine["state"]): string {
  switch (state) {
    case "good":
      return "✓";
    case "missing":
      return "✗";
    case "note":
      return "-";
    case "unknown":
      return "?";
  }
}

/**
 * Shows a quick pick of run profiles to compare with the nodes. "none" if there are no profiles or the user wants none;
 * undefined if the user cancels.
 */
async function pickProfile(): Promise<CheckedProfile | "none" | undefined> {
  const found: CheckedProfile[] = [];
  for await (const { text, surface } of workspaceTexts()) {
    if (surface === "profiles") found.push(...checkedProfilesOf(text, l10n.t("unnamed")));
  }
  if (found.length === 0) return "none";
  const none = { label: l10n.t("No run profile"), profile: "none" as const };
  const picked = await window.showQuickPick(
    [...found.map((profile) => ({ label: profile.name, profile })), none],
    { title: l10n.t("Which run profile's pods should be compared with the nodes?") },
  );
  return picked?.profile;
}
