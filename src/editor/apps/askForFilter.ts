import { l10n, QuickPickItemKind, window, type QuickPickItem } from "vscode";
import { assertNever } from "../../base/assertNever.ts";
import { DisposableStore } from "../../base/disposable.ts";
import {
  standings,
  type ApplicationFilter,
  type Standing,
} from "../../spark/pods/applicationFilter.ts";

interface FilterItem extends QuickPickItem {
  readonly means?: Partial<{ standing: Standing; namespace: string; user: string }>;
}

/** Lets the user tick what to show; what is typed is a part of the name. Undefined when the box was left. */
export async function askForFilter(
  filter: ApplicationFilter,
  namespaces: readonly string[],
  userName: string,
): Promise<ApplicationFilter | undefined> {
  const owned = new DisposableStore();
  const box = owned.add(window.createQuickPick<FilterItem>());
  box.title = l10n.t("Filter Applications");
  box.placeholder = l10n.t("Part of the name or id; tick what to show, nothing for all");
  box.canSelectMany = true;
  box.ignoreFocusOut = true;
  box.value = filter.text;
  const items = itemsFor(namespaces, userName);
  box.items = items;
  box.selectedItems = items.filter(({ means }) => isTicked(filter, means));
  try {
    return await new Promise((resolve) => {
      owned.add(
        box.onDidAccept(() => {
          resolve(filterOf(box.value.trim(), box.selectedItems));
        }),
      );
      owned.add(
        box.onDidHide(() => {
          resolve(undefined);
        }),
      );
      box.show();
    });
  } finally {
    owned.dispose();
  }
}

function itemsFor(namespaces: readonly string[], userName: string): readonly FilterItem[] {
  const separator = (label: string): FilterItem => ({ label, kind: QuickPickItemKind.Separator });
  return [
    separator(l10n.t("State")),
    ...standings.map((standing) => ({
      label: standingWords(standing),
      alwaysShow: true,
      means: { standing },
    })),
    separator(l10n.t("Whose")),
    {
      label: l10n.t("Mine"),
      description: l10n.t('Spark\'s user is "{0}"', userName),
      alwaysShow: true,
      means: { user: userName },
    },
    ...(namespaces.length < 2 ? [] : [separator(l10n.t("Namespace"))]),
    ...(namespaces.length < 2
      ? []
      : namespaces.map((namespace) => ({
          label: namespace,
          alwaysShow: true,
          means: { namespace },
        }))),
  ];
}

const isTicked = (
  { standings: some, namespaces, user }: ApplicationFilter,
  means: FilterItem["means"],
): boolean =>
  (means?.standing !== undefined && some.has(means.standing)) ||
  (means?.namespace !== undefined && namespaces.has(means.namespace)) ||
  (means?.user !== undefined && user === means.user);

const filterOf = (text: string, ticked: readonly FilterItem[]): ApplicationFilter => ({
  text,
  standings: new Set(ticked.flatMap(({ means }) => means?.standing ?? [])),
  namespaces: new Set(ticked.flatMap(({ means }) => means?.namespace ?? [])),
  user: ticked.map(({ means }) => means?.user).find((user) => user !== undefined),
});

/** `failed, of ada, "orders"`; empty where nothing is filtered. */
export function describeFilter({
  text,
  standings: some,
  namespaces,
  user,
}: ApplicationFilter): string {
  return [
    ...[...some].map(standingWords),
    ...namespaces,
    ...(user === undefined ? [] : [l10n.t("of {0}", user)]),
    ...(text === "" ? [] : [`"${text}"`]),
  ].join(", ");
}

function standingWords(standing: Standing): string {
  switch (standing) {
    case "running":
      return l10n.t("Running");
    case "waiting":
      return l10n.t("Waiting");
    case "failed":
      return l10n.t("Failed");
    case "finished":
      return l10n.t("Finished");
    default:
      return assertNever(standing);
  }
}
