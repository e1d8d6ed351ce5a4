import { l10n, type QuickPickItem } from "vscode";
import { assertNever } from "../../base/assertNever.ts";
import {
  lookForLeftovers,
  type FoundLeftovers,
  type WhereToLook,
} from "../../engine/lifecycle/cleanUp.ts";
import { deleteObject } from "../../engine/lifecycle/deletePod.ts";
import type { Connection } from "../../engine/ports.ts";
import type { Application } from "../../spark/pods/application.ts";
import { executorsOf } from "../../spark/pods/applicationRun.ts";
import { isActive, isSeenActive, lostDriverOf } from "../../spark/pods/isActive.ts";
import { appSelectorLabel } from "../../spark/labels.ts";
import type { Leftover } from "../../spark/pods/leftovers.ts";
import type { ClusterSession } from "../apps/clusterSession.ts";
import { whenLoaded } from "../apps/pick.ts";
import { placeWords, watchesIn } from "../apps/sessionState.ts";
import type { TreeNode } from "../apps/treeNode.ts";
import { explainClusterError } from "../showError.ts";
import { inView } from "../inView.ts";
import { actOnItems, type WorkWords } from "./actOnItems.ts";
import { askToChange, withContext } from "./askToChange.ts";
import { connectionOf, type LifecycleContext } from "./context.ts";
import { outcomeOf } from "./outcome.ts";
import { chosenApplications, namesFor } from "./targets.ts";
import { window } from "../ui/window.ts";

const claimKind = "PersistentVolumeClaim";

/**
 * Lists the leftover objects of the given rows' applications, or of all applications that have ended, and deletes the
 * selected ones. Volume claims are not preselected and need a second confirmation.
 */
export async function cleanUp(
  context: LifecycleContext,
  nodes: readonly TreeNode[],
): Promise<void> {
  const { session } = context;
  const title = l10n.t("Clean Up");
  const chosen =
    nodes.length === 0 ? undefined : await chosenApplications(session, nodes, title, () => true);
  const connection = await connectionOf(
    context,
    (chosen ?? []).map(({ key }) => key),
  );
  if (connection === undefined) return;
  await whenLoaded(session);
  // Rows with an uncertain state stay in the list: the user chose them and can decide.
  const running = chosen?.filter(isSeenActive) ?? [];
  if (running.length > 0) {
    void window.showInformationMessage(
      l10n.t(
        "Still running: {0}. Stop an application before you clean up its resources.",
        running.map(({ name }) => `"${name}"`).join(", "),
      ),
    );
  }
  const over = chosen?.filter((application) => !isSeenActive(application));
  if (over?.length === 0) return;
  const where = whereToLook(session, connection, over);
  const ids = over && new Set(over.flatMap(idsOf));
  const found = await inView((signal) => lookForLeftovers(connection.objects, where, ids, signal));
  const picked = await pickLeftovers(found, title, {
    all: placesIn(where, connection.context),
    of: (namespace) => placeWords(session.state, { context: connection.context, namespace }),
  });
  if (picked.length === 0) return;
  await deletePicked(context, connection, picked);
}

function whereToLook(
  session: ClusterSession,
  { namespace, context }: Connection,
  over: readonly Application[] | undefined,
): WhereToLook {
  const watched = watchesIn(session.state).filter((watch) => watch.context === context);
  const known = session.applications.filter(({ key }) => session.contextOf(key) === context);
  const places = over ?? [...watched, ...known];
  const named = new Set(places.flatMap((place) => place.namespace ?? []));
  const isEverywhere = over === undefined && watched.some((watch) => watch.namespace === undefined);
  const chosen = new Set(over?.map(({ key }) => key));
  return {
    isEverywhere,
    namespaces: isEverywhere || named.size === 0 ? [...named.add(namespace)] : [...named],
    knownIn: (place) => {
      const here = known.filter((application) => application.namespace === place);
      const goOn = here.filter((one) => isActive(one) && !chosen.has(one.key));
      const lost = here.flatMap((one) => {
        const pod = lostDriverOf(one);
        return pod === undefined ? [] : [pod];
      });
      return { needed: new Set(goOn.flatMap(idsOf)), lostDrivers: new Map(lost) };
    },
  };
}

/** For messages: the searched namespaces and their context. */
const placesIn = ({ isEverywhere, namespaces }: WhereToLook, context: string): string =>
  isEverywhere
    ? l10n.t('all namespaces of "{0}"', context)
    : l10n.t('{0} of "{1}"', namesFor(namespaces.toSorted()), context);

/** The values of `spark-app-selector` on its objects. For a Connect server they differ from its id. */
function idsOf(application: Application): readonly string[] {
  const { id, driver } = application;
  const pods = [...(driver === undefined ? [] : [driver]), ...executorsOf(application)];
  return [...new Set([id, ...pods.flatMap(({ pod }) => pod.labels[appSelectorLabel] ?? [])])];
}

async function pickLeftovers(
  { leftovers, notListed, notEverywhere }: FoundLeftovers,
  title: string,
  places: { readonly all: string; readonly of: (namespace: string) => string },
): Promise<readonly Leftover[]> {
  const unseen = [...new Set(notListed.map(({ kind }) => kind))].join(", ");
  const reason = notListed[0] ? explainClusterError(notListed[0].error) : "";
  const but = [
    unseen === "" ? "" : l10n.t("Not listed: {0}. {1}", unseen, reason),
    notEverywhere.length === 0
      ? ""
      : l10n.t(
          "Listed only in namespaces with applications, because listing all namespaces is forbidden: {0}.",
          notEverywhere.join(", "),
        ),
  ].filter((sentence) => sentence !== "");
  if (leftovers.length === 0) {
    const isBlind = notListed.some(({ kind }) => kind === "Pod");
    const text = isBlind
      ? l10n.t("Leftover resources cannot be identified without access to pods.")
      : l10n.t("No leftover resources found in {0}.", places.all);
    void window.showInformationMessage([text, ...but].join(" "));
    return [];
  }
  const items = leftovers.map((leftover): QuickPickItem & { readonly leftover: Leftover } => ({
    label: `${leftover.kind} ${leftover.name}`,
    description: places.of(leftover.namespace),
    detail: detailOf(leftover),
    picked: leftover.kind !== claimKind && leftover.doubt === undefined,
    leftover,
  }));
  const chosen = await window.showQuickPick(items, {
    title,
    placeHolder:
      but.length === 0
        ? l10n.t("Leftover resources in {0}; selected items are deleted in order", places.all)
        : [l10n.t("Selected items are deleted."), ...but].join(" "),
    canPickMany: true,
    matchOnDetail: true,
    ignoreFocusOut: true,
  });
  return chosen?.map(({ leftover }) => leftover) ?? [];
}

function detailOf({ kind, applicationId, doubt }: Leftover): string {
  const id = applicationId ?? "";
  switch (doubt) {
    case undefined:
      return applicationId ?? l10n.t("its owner was deleted");
    case "driverOutside":
      return kind === "Pod"
        ? l10n.t("{0}: no owner; a driver outside the cluster may still use it", id)
        : l10n.t("{0}: a driver outside the cluster may still use it", id);
    case "unowned":
      return applicationId === undefined
        ? l10n.t("no owner; a submission in progress may still need it")
        : l10n.t("{0}: no owner; a submission in progress may still need it", id);
    default:
      return assertNever(doubt);
  }
}

async function deletePicked(
  context: LifecycleContext,
  connection: Connection,
  picked: readonly Leftover[],
): Promise<void> {
  const nameOf = ({ kind, name }: Leftover): string => `${kind} ${name}`;
  const button =
    picked.length === 1 ? l10n.t("Delete") : l10n.t("Delete {0} Objects", picked.length);
  const question = l10n.t("Delete leftover resources?");
  const names = namesFor(picked.map(nameOf));
  const detail = l10n.t("This will delete: {0}. This cannot be undone.", names);
  const claims = picked.filter(({ kind }) => kind === claimKind);
  if (!(await askToChange(connection, { question, detail, buttons: [button] }))) return;
  if (claims.length > 0 && !(await confirmClaims(connection, claims))) return;
  await actOnItems(
    {
      items: picked,
      nameOf,
      words: cleanUpWords,
      act: async (leftover, signal) =>
        outcomeOf(await deleteObject(connection.objects, leftover, signal)),
    },
    context,
  );
}

async function confirmClaims(
  connection: Connection,
  claims: readonly Leftover[],
): Promise<boolean> {
  const question = l10n.t("Delete {0} volume claims with their data?", claims.length);
  const detail = l10n.t(
    "Deleting {0} also deletes the data on the volumes, unless their storage class retains it. This cannot be undone.",
    claims.map(({ name }) => name).join(", "),
  );
  const button = l10n.t("Delete Data");
  const options = { modal: true, detail: withContext(connection, detail) };
  return (await window.showWarningMessage(question, options, button)) === button;
}

const cleanUpWords: WorkWords = {
  get title() {
    return l10n.t("Cleaning up");
  },
  failed: (name) => l10n.t("{0} was not deleted", name),
  someFailed: (count, all) => l10n.t("{0} of {1} objects were not deleted", count, all),
};
