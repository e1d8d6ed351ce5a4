import { dotted, msg, verbatim, type Message, type MessageText } from "../../base/message.ts";
import type { QuickPickItem } from "vscode";
import type { Screen } from "../screen.ts";
import { assertNever } from "../../base/assertNever.ts";
import { describeApplication } from "../../spark/pods/describeApplication.ts";
import type { Application } from "../../spark/pods/application.ts";
import {
  finishedGroups,
  type FinishedApplication,
  type FinishedGroup,
} from "../../spark/pods/finishedApplications.ts";
import { formatAge } from "../apps/formatAge.ts";
import { applicationPlaceOf, type PickContext } from "../apps/pick.ts";

export type CleanUpScope =
  | { readonly kind: "leftovers" }
  | { readonly kind: "finished"; readonly finished: readonly FinishedApplication[] };

interface ScopeItem extends QuickPickItem {
  readonly scope?: CleanUpScope;
}

/** Shows a quick pick of the kinds of objects to clean up. `now`: the cluster's time. Undefined if the user cancels. */
export async function askForScope(
  {
    showQuickPick,
    translated,
    separator,
  }: Pick<Screen, "separator" | "showQuickPick" | "translated">,
  finished: readonly FinishedApplication[],
  title: MessageText,
  place: Message,
  now: number,
): Promise<CleanUpScope | undefined> {
  const groups = finishedGroups(finished, now);
  if (groups.length === 0) return { kind: "leftovers" };
  const items: readonly ScopeItem[] = [
    {
      label: translated(msg("Leftover resources")),
      description: translated(msg("objects whose application has ended or was deleted")),
      scope: { kind: "leftovers" },
    },
    { label: translated(msg("Finished applications")), kind: separator },
    ...groups.map((group) => ({
      label: translated(groupWords(group.by)),
      description: translated(
        group.finished.length === 1
          ? msg("1 application")
          : msg`${group.finished.length} applications`,
      ),
      scope: { kind: "finished", finished: group.finished } as const,
    })),
  ];
  const placeHolder = translated(msg`Choose resources to clean up in ${place}`);
  return (await showQuickPick(items, { title: translated(title), placeHolder }))?.scope;
}

function groupWords(by: FinishedGroup["by"]): Message {
  switch (by.kind) {
    case "all":
      return msg("All finished");
    case "state":
      return by.hasSucceeded ? msg("Succeeded") : msg("Failed or stopped");
    case "age":
      if (by.hours === 1) return msg("Ended more than 1 hour ago");
      return by.hours === 24
        ? msg("Ended more than 1 day ago")
        : msg`Ended more than ${by.hours / 24} days ago`;
    default:
      return assertNever(by);
  }
}

/** Returns the state with the cause of a failure, as in the row of the application. */
function stateWords(session: PickContext["session"], application: Application): Message {
  return application.driver?.state.kind === "failed"
    ? session.describe(application).start.spoken
    : describeApplication(application);
}

/** Returns the row of a finished application. The user can filter the list by its state and age. */
export function finishedItem(
  { session, screen }: PickContext,
  { application, endedAt }: FinishedApplication,
  now: number,
): QuickPickItem {
  const ago =
    endedAt === undefined
      ? undefined
      : msg`ended ${formatAge(new Date(endedAt).toISOString(), now)} ago`;
  const { driver, resource } = application;
  const profile = session.profileOf(application);
  const object = driver?.pod.name ?? (resource && `${resource.kind} ${resource.name}`) ?? "";
  return {
    label: application.name,
    description: screen.translated(
      dotted([
        stateWords(session, application),
        ago,
        profile === undefined ? undefined : verbatim(profile),
      ]),
    ),
    detail: `${applicationPlaceOf(session, application)} · ${application.id} · ${object}`,
  };
}
