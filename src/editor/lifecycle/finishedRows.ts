import { l10n, QuickPickItemKind, type QuickPickItem } from "vscode";
import { assertNever } from "../../base/assertNever.ts";
import { describeApplication } from "../../spark/pods/describeApplication.ts";
import {
  finishedGroups,
  type FinishedApplication,
  type FinishedGroup,
} from "../../spark/pods/finishedApplications.ts";
import { formatAge } from "../apps/formatAge.ts";
import { applicationPlaceOf } from "../apps/pick.ts";
import type { ClusterSession } from "../apps/clusterSession.ts";
import { window } from "../ui/window.ts";
import { translated } from "../ui/translated.ts";

export type CleanUpScope =
  | { readonly kind: "leftovers" }
  | { readonly kind: "finished"; readonly finished: readonly FinishedApplication[] };

interface ScopeItem extends QuickPickItem {
  readonly scope?: CleanUpScope;
}

/** Asks what to clean up. `now`: the cluster's time. Undefined if the user cancels. */
export async function askForScope(
  finished: readonly FinishedApplication[],
  title: string,
  place: string,
  now: number,
): Promise<CleanUpScope | undefined> {
  const groups = finishedGroups(finished, now);
  if (groups.length === 0) return { kind: "leftovers" };
  const items: readonly ScopeItem[] = [
    {
      label: l10n.t("Leftover resources"),
      description: l10n.t("objects whose application has ended or was deleted"),
      scope: { kind: "leftovers" },
    },
    { label: l10n.t("Finished applications"), kind: QuickPickItemKind.Separator },
    ...groups.map((group) => ({
      label: groupWords(group.by),
      description:
        group.finished.length === 1
          ? l10n.t("1 application")
          : l10n.t("{0} applications", group.finished.length),
      scope: { kind: "finished", finished: group.finished } as const,
    })),
  ];
  const placeHolder = l10n.t("Choose resources to clean up in {0}", place);
  return (await window.showQuickPick(items, { title, placeHolder }))?.scope;
}

function groupWords(by: FinishedGroup["by"]): string {
  switch (by.kind) {
    case "all":
      return l10n.t("All finished");
    case "state":
      return by.hasSucceeded ? l10n.t("Succeeded") : l10n.t("Failed or stopped");
    case "age":
      if (by.hours === 1) return l10n.t("Ended more than 1 hour ago");
      return by.hours === 24
        ? l10n.t("Ended more than 1 day ago")
        : l10n.t("Ended more than {0} days ago", by.hours / 24);
    default:
      return assertNever(by);
  }
}

/** A finished application as a row of the list. The state and age can be typed to filter. */
export function finishedItem(
  session: ClusterSession,
  { application, endedAt }: FinishedApplication,
  now: number,
): QuickPickItem {
  const ago =
    endedAt === undefined
      ? ""
      : l10n.t("ended {0} ago", translated(formatAge(new Date(endedAt).toISOString(), now)));
  const { driver, resource } = application;
  const object = driver?.pod.name ?? (resource && `${resource.kind} ${resource.name}`) ?? "";
  return {
    label: application.name,
    description: [translated(describeApplication(application)), ago]
      .filter((part) => part !== "")
      .join(" · "),
    detail: `${applicationPlaceOf(session, application)} · ${application.id} · ${object}`,
  };
}
