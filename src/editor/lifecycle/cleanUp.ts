import { l10n, type QuickPickItem } from "vscode";
import { assertNever } from "../../base/assertNever.ts";
import {
  lookForLeftovers,
  type FoundLeftovers,
  type WhereToLook,
} from "../../engine/lifecycle/cleanUp.ts";
import { deleteFinished } from "../../engine/lifecycle/deleteApplication.ts";
import { deleteObject } from "../../engine/lifecycle/deletePod.ts";
import type { Connection } from "../../engine/ports/connection.ts";
import type { Application } from "../../spark/pods/application.ts";
import { executorsOf } from "../../spark/pods/applicationRun.ts";
import { isActive, isSeenActive, lostDriverOf } from "../../spark/pods/isActive.ts";
import { finishedAmong } from "../../spark/pods/finishedApplications.ts";
import { isEarlierAttempt } from "../../spark/pods/operatedApplication.ts";
import { appSelectorLabel } from "../../spark/labels.ts";
import type { Leftover } from "../../spark/pods/leftovers.ts";
import type { ClusterSession } from "../apps/clusterSession.ts";
import { distinctNames } from "../apps/distinctNames.ts";
import { whenLoaded } from "../apps/pick.ts";
import { placeWords, watchesIn } from "../apps/sessionState.ts";
import type { TreeNode } from "../apps/treeNode.ts";
import { explainClusterError } from "../showError.ts";
import { inView } from "../progress.ts";
import { actOnItems, type WorkWords } from "./actOnItems.ts";
import { askToChange, withContext } from "./askToChange.ts";
import { connectionOf, type LifecycleContext } from "./context.ts";
import { claimKind, readDeletedObjects } from "./deletedObjects.ts";
import { askForScope, finishedItem } from "./finishedRows.ts";
import { operatorWords } from "./operated.ts";
import { outcomeOf, type Outcome } from "./outcome.ts";
import { leftoverNameIn, namesInOrder, cleanUpQuestion, type CleanUpItem } from "./removals.ts";
import { chosenApplications, namesFor } from "./targets.ts";
import { window } from "../ui/window.ts";

interface CleanUpRow extends QuickPickItem {
  readonly removal: CleanUpItem;
}

/**
 * Lists what remains of the given rows' applications, or what the user chooses: leftover objects, or finished
 * applications by state and age. Deletes the selected ones. Volume claims need a second confirmation.
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
        distinctNames(running).join(", "),
      ),
    );
  }
  const over = chosen?.filter((application) => !isSeenActive(application));
  if (over?.length === 0) return;
  const where = whereToLook(session, connection, over);
  const place = placesIn(where, connection.context);
  const finished = finishedAmong(over ?? knownIn(session, connection));
  const now = connection.now();
  const scope =
    over === undefined ? await askForScope(finished, title, place, now) : { kind: "rows" as const };
  if (scope === undefined) return;
  // The logs of finished applications go with their driver pods, so only a group that the user chose is preselected.
  const isGroup = scope.kind === "finished";
  const removals = (isGroup ? scope.finished : scope.kind === "rows" ? finished : []).map(
    (one): CleanUpRow => ({
      ...finishedItem(session, one, now),
      picked: isGroup,
      removal: { kind: "finished", application: one.application },
    }),
  );
  const ids = over && new Set(over.flatMap(idsOf));
  const found = isGroup
    ? nothingFound
    : await inView((signal) => lookForLeftovers(connection.objects, where, ids, signal));
  const picked = await pickRemovals(removals, found, title, {
    all: place,
    of: (namespace) => placeWords(session.state, { context: connection.context, namespace }),
  });
  if (picked.length === 0) return;
  await deletePicked(context, connection, picked);
}

const nothingFound: FoundLeftovers = { leftovers: [], notListed: [], notEverywhere: [] };

/** The applications of the connection's context. */
const knownIn = (session: ClusterSession, { context }: Connection): readonly Application[] =>
  session.applications.filter(({ key }) => session.contextOf(key) === context);

function whereToLook(
  session: ClusterSession,
  connection: Connection,
  over: readonly Application[] | undefined,
): WhereToLook {
  const { namespace, context } = connection;
  const watched = watchesIn(session.state).filter((watch) => watch.context === context);
  const known = knownIn(session, connection);
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

async function pickRemovals(
  finished: readonly CleanUpRow[],
  { leftovers, notListed, notEverywhere }: FoundLeftovers,
  title: string,
  places: { readonly all: string; readonly of: (namespace: string) => string },
): Promise<readonly CleanUpItem[]> {
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
  if (leftovers.length + finished.length === 0) {
    const isBlind = notListed.some(({ kind }) => kind === "Pod");
    const text = isBlind
      ? l10n.t("Leftover resources cannot be identified without access to pods.")
      : l10n.t("No leftover resources found in {0}.", places.all);
    void window.showInformationMessage([text, ...but].join(" "));
    return [];
  }
  const objects = leftovers.map((leftover): CleanUpRow => ({
    label: `${leftover.kind} ${leftover.name}`,
    description: places.of(leftover.namespace),
    detail: detailOf(leftover),
    picked: leftover.kind !== claimKind && leftover.doubt === undefined,
    removal: { kind: "leftover", leftover },
  }));
  const what =
    finished.length === 0
      ? l10n.t("Leftover resources in {0}; selected items are deleted in order", places.all)
      : l10n.t("Selected items are deleted, applications with their logs and objects");
  const chosen = await window.showQuickPick([...finished, ...objects], {
    title,
    placeHolder:
      but.length === 0 ? what : [l10n.t("Selected items are deleted."), ...but].join(" "),
    canPickMany: true,
    matchOnDescription: finished.length > 0,
    matchOnDetail: true,
    ignoreFocusOut: true,
  });
  return chosen?.map(({ removal }) => removal) ?? [];
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
  picked: readonly CleanUpItem[],
): Promise<void> {
  const leftovers = picked.flatMap((one) => (one.kind === "leftover" ? [one.leftover] : []));
  const finished = picked.flatMap((one) => (one.kind === "finished" ? [one.application] : []));
  let ownedClaims: readonly string[] = [];
  const names = namesInOrder(picked);
  const detail = async (): Promise<string> => {
    const goes = await readDeletedObjects(connection, finished);
    ownedClaims = goes.claims;
    const parts = [
      leftovers.length === 0
        ? ""
        : l10n.t("This will delete: {0}.", namesFor(leftovers.map(leftoverNameIn(leftovers)))),
      operatorWords(finished.filter((one) => !isEarlierAttempt(one))),
      goes.words,
      finished.length === 0
        ? ""
        : l10n.t("Logs and states that are not saved will be lost. Use Keep Logs to save them."),
      l10n.t("This cannot be undone."),
    ];
    return parts.filter((part) => part !== "").join("\n\n");
  };
  const { question, button } = cleanUpQuestion(leftovers.length, finished);
  if (!(await askToChange(connection, { question, detail, buttons: [button] }))) return;
  const looseClaims = leftovers.filter(({ kind }) => kind === claimKind).map(({ name }) => name);
  const claims = [...looseClaims, ...ownedClaims];
  if (claims.length > 0 && !(await confirmClaims(connection, claims))) return;
  await actOnItems(
    {
      items: picked.map((removal, index) => ({ removal, name: names[index] ?? "" })),
      nameOf: ({ name }) => name,
      words: cleanUpWords,
      act: async ({ removal }, signal) =>
        removal.kind === "leftover"
          ? outcomeOf(await deleteObject(connection.objects, removal.leftover, signal))
          : outcomeOfFinished(
              await deleteFinished(connection.objects, removal.application, signal),
            ),
    },
    context,
  );
}

const outcomeOfFinished = (deletion: Awaited<ReturnType<typeof deleteFinished>>): Outcome =>
  deletion.kind === "restarted"
    ? { kind: "notDone", words: l10n.t("restarted by its operator") }
    : outcomeOf(deletion);

async function confirmClaims(connection: Connection, claims: readonly string[]): Promise<boolean> {
  const question =
    claims.length === 1
      ? l10n.t("Delete 1 volume claim with its data?")
      : l10n.t("Delete {0} volume claims with their data?", claims.length);
  const detail = l10n.t(
    "Deleting {0} also deletes the data on the volumes, unless their storage class retains it. This cannot be undone.",
    claims.join(", "),
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
  someFailed: (count, all) => l10n.t("{0} of {1} items were not deleted", count, all),
};
