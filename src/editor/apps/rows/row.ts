import { TreeItem, type ThemeIcon, type TreeItemCollapsibleState } from "vscode";
import { markdownOfFacts, type Fact } from "../../ui/markdown.ts";
import { rowUri, type Mark } from "../decorateRows.ts";
import type { TreeNode } from "../treeNode.ts";

/** The contents of a tree row of any kind. */
export interface Row {
  readonly label: string;
  readonly state: TreeItemCollapsibleState;
  /** The name in other tools; undefined for a row that groups others. */
  readonly name?: string;
  /** Only for rows with a name. */
  readonly mark?: Mark;
  readonly description: string;
  readonly icon: ThemeIcon;
  readonly contextValue: string;
  /** The label for screen readers. */
  readonly spoken: string;
  /** The tooltip. VS Code asks for it when the mouse hovers. */
  readonly details?: Details;
}

/** Asynchronous if a part of the tooltip is requested when the mouse hovers. */
type Details = () => readonly Fact[] | Promise<readonly Fact[]>;

type RowItem = TreeItem & { readonly details: Details };

export function itemOf(node: TreeNode, row: Row): TreeItem {
  const item = new TreeItem(row.label, row.state);
  item.id = node.id;
  if (row.name !== undefined) item.resourceUri = rowUri(row.name, row.mark);
  item.description = row.description;
  item.iconPath = row.icon;
  item.contextValue = row.contextValue;
  item.accessibilityInformation = { label: row.spoken };
  return Object.assign(item, { details: row.details ?? (() => []) });
}

/** Adds the tooltip to an item of `itemOf`. */
export async function withTooltip(item: TreeItem): Promise<TreeItem> {
  if ("details" in item) item.tooltip = markdownOfFacts(await (item as RowItem).details());
  return item;
}
