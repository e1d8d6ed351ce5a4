import { TreeItem, TreeItemCollapsibleState } from "vscode";
import { msg } from "../../../base/message.ts";
import { defaultSecretRule } from "../../../spark/redact.ts";
import { redactLine } from "../../../spark/redactLine.ts";
import { markdownOfFacts } from "../../ui/markdown.ts";
import { themeIcon } from "../../ui/themeIcon.ts";
import { translated } from "../../ui/translated.ts";
import { rowUri } from "../decorateRows.ts";
import type { TreeNode } from "../treeNode.ts";
import type { Details, Row } from "./row.ts";

type RowItem = TreeItem & { readonly details: Details };

const states: Readonly<Record<Row["state"], TreeItemCollapsibleState>> = {
  none: TreeItemCollapsibleState.None,
  collapsed: TreeItemCollapsibleState.Collapsed,
  expanded: TreeItemCollapsibleState.Expanded,
};

export function itemOf(node: TreeNode, row: Row): TreeItem {
  const item = new TreeItem(translated(row.label), states[row.state]);
  item.id = node.id;
  if (row.name !== undefined) item.resourceUri = rowUri(row.name, row.mark);
  item.description = translated(row.description);
  item.iconPath = themeIcon(row.icon);
  item.contextValue = row.contextValue;
  item.accessibilityInformation = { label: translated(row.spoken) };
  return Object.assign(item, { details: row.details ?? (() => []) });
}

export function deletedItem(node: TreeNode): TreeItem {
  const item = new TreeItem(translated(msg("deleted")));
  item.id = node.id;
  return item;
}

/** Adds the redacted tooltip to an item of `itemOf`. Its values may be Kubernetes messages and log lines. */
export async function withTooltip(item: TreeItem): Promise<TreeItem> {
  if (!("details" in item)) return item;
  const facts = await (item as RowItem).details();
  item.tooltip = markdownOfFacts(
    facts.map(([name, value]) => [name, redactLine(translated(value) ?? "", defaultSecretRule)]),
  );
  return item;
}
