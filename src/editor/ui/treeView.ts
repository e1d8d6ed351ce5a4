import {
  window as editorWindow,
  type Event,
  type ProviderResult,
  type TreeDataProvider,
  type TreeItem,
  type TreeItemLabel,
  type TreeView,
  type TreeViewExpansionEvent,
  type TreeViewOptions,
  type TreeViewSelectionChangeEvent,
  type TreeViewVisibilityChangeEvent,
  type ViewBadge,
} from "vscode";
import { textRules, withPlainTexts, type TextRule } from "./plainText.ts";

/** The used subset of a tree view. */
export type PlainTreeView<T> = Pick<
  TreeView<T>,
  | "selection"
  | "visible"
  | "message"
  | "title"
  | "description"
  | "badge"
  | "onDidChangeSelection"
  | "onDidChangeVisibility"
  | "onDidExpandElement"
  | "onDidCollapseElement"
  | "reveal"
  | "dispose"
>;

/** As `vscode.window.createTreeView`, with sanitized texts. */
export const createTreeView = <T>(id: string, options: TreeViewOptions<T>): PlainTreeView<T> =>
  new TreatedTreeView(
    editorWindow.createTreeView(id, {
      ...options,
      treeDataProvider: plainRows(options.treeDataProvider),
    }),
  );

/**
 * Wraps a provider to sanitize its rows. Adds an optional member only if the provider has it, because VS Code checks
 * for its presence.
 */
function plainRows<T>(provider: TreeDataProvider<T>): TreeDataProvider<T> {
  const { onDidChangeTreeData } = provider;
  return {
    ...(onDidChangeTreeData === undefined ? {} : { onDidChangeTreeData }),
    getChildren: (element) => provider.getChildren(element),
    getTreeItem: (element) => {
      const item = provider.getTreeItem(element);
      return "then" in item ? item.then(plainRow) : plainRow(item);
    },
    ...(provider.getParent === undefined
      ? {}
      : { getParent: (element: T) => provider.getParent?.(element) }),
    ...(provider.resolveTreeItem === undefined
      ? {}
      : {
          resolveTreeItem: async (item, element, token): Promise<TreeItem | undefined> => {
            const resolved: ProviderResult<TreeItem> = provider.resolveTreeItem?.(
              item,
              element,
              token,
            );
            return plainRow((await resolved) ?? item);
          },
        }),
  };
}

/** Sanitizes a row in place, because VS Code passes the same object to `resolveTreeItem`. */
function plainRow(item: TreeItem): TreeItem {
  const { label, tooltip, description, command, accessibilityInformation } = item;
  if (label !== undefined) item.label = plainLabel(label);
  if (typeof description === "string") item.description = textRules.description(description);
  // Keep Markdown, because only `markdown.ts` creates it.
  if (typeof tooltip === "string") item.tooltip = textRules.block(tooltip);
  if (accessibilityInformation !== undefined) {
    const spoken = textRules.description;
    item.accessibilityInformation = withPlainTexts(accessibilityInformation, { label: spoken });
  }
  if (command !== undefined) {
    item.command = withPlainTexts(command, { title: textRules.title, tooltip: textRules.title });
  }
  return item;
}

const plainLabel = (label: string | TreeItemLabel): string | TreeItemLabel =>
  typeof label === "string"
    ? textRules.label(label)
    : withPlainTexts(label, { label: textRules.label });

class TreatedTreeView<T> implements PlainTreeView<T> {
  readonly #view: TreeView<T>;

  constructor(view: TreeView<T>) {
    this.#view = view;
  }

  get selection(): readonly T[] {
    return this.#view.selection;
  }

  get visible(): boolean {
    return this.#view.visible;
  }

  get message(): string {
    return this.#view.message ?? "";
  }
  set message(message: string) {
    this.#view.message = textRules.message(message);
  }

  get title(): string {
    return this.#view.title ?? "";
  }
  set title(title: string) {
    this.#view.title = textRules.title(title);
  }

  get description(): string {
    return this.#view.description ?? "";
  }
  set description(description: string) {
    this.#view.description = textRules.title(description);
  }

  get badge(): ViewBadge | undefined {
    return this.#view.badge;
  }
  set badge(badge: ViewBadge | undefined) {
    const tooltip: TextRule = textRules.title;
    this.#view.badge = badge && withPlainTexts(badge, { tooltip });
  }

  get onDidChangeSelection(): Event<TreeViewSelectionChangeEvent<T>> {
    return this.#view.onDidChangeSelection;
  }

  get onDidChangeVisibility(): Event<TreeViewVisibilityChangeEvent> {
    return this.#view.onDidChangeVisibility;
  }

  get onDidExpandElement(): Event<TreeViewExpansionEvent<T>> {
    return this.#view.onDidExpandElement;
  }

  get onDidCollapseElement(): Event<TreeViewExpansionEvent<T>> {
    return this.#view.onDidCollapseElement;
  }

  reveal(...given: Parameters<TreeView<T>["reveal"]>): Thenable<void> {
    return this.#view.reveal(...given);
  }

  dispose(): void {
    this.#view.dispose();
  }
}
