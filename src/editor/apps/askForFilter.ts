import { l10n, QuickPickItemKind, type QuickPickItem } from "vscode";
import { assertNever } from "../../base/assertNever.ts";
import { DisposableStore } from "../../base/disposable.ts";
import {
  standings,
  type ApplicationFilter,
  type Standing,
} from "../../spark/pods/applicationFilter.ts";
import { readFilterText } from "./readFilterText.ts";
import { window } from "../ui/window.ts";

interface FilterItem extends QuickPickItem {
  readonly means?: Partial<{ standing: Standing; namespace: string; user: string }>;
}

/** Asks for states, namespaces and a part of the name. Undefined if the user cancels. */
export async function askForFilter(
  filter: ApplicationFilter,
  namespaces: readonly string[],
  userName: string,
): Promise<ApplicationFilter | undefined> {
  const owned = new DisposableStore();
  const box = owned.add(window.createQuickPick<FilterItem>());
  box.title = l10n.t("Filter Applications");
  box.placeholder = l10n.t("Filter by name or ID; select states");
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
          resolve(filterOf(box.value, box.selectedItems));
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
    separator(l10n.t("User")),
    {
      label: l10n.t("Mine"),
      description: l10n.t('Spark user "{0}"', userName),
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

function filterOf(typed: string, selected: readonly FilterItem[]): ApplicationFilter {
  const words = standings.map((standing) => [standingWords(standing), standing] as const);
  const { text, standing } = readFilterText(typed, new Map(words));
  const chosen = selected.flatMap(({ means }) => means?.standing ?? []);
  return {
    text,
    standings: new Set(standing === undefined ? chosen : [...chosen, standing]),
    namespaces: new Set(selected.flatMap(({ means }) => means?.namespace ?? [])),
    user: selected.map(({ means }) => means?.user).find((user) => user !== undefined),
  };
}

/** `Failed, user ada, "orders"`; empty without a filter. */
export function describeFilter({
  text,
  standings: some,
  namespaces,
  user,
}: ApplicationFilter): string {
  return [
    ...[...some].map(standingWords),
    ...namespaces,
    ...(user === undefined ? [] : [l10n.t("user {0}", user)]),
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
