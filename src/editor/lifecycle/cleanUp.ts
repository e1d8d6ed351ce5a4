import { msg, paragraphs, sentences, verbatim, type Message } from "../../base/message.ts";
import type { QuickPickItem } from "vscode";
import { assertNever } from "../../base/assertNever.ts";
import {
  listLeftovers,
  type FoundLeftovers,
  type ListScope,
} from "../../engine/lifecycle/cleanUp.ts";
import { deleteFinished } from "../../engine/lifecycle/deleteApplication.ts";
import { deleteObject } from "../../engine/lifecycle/deletePod.ts";
import type { Connection } from "../../engine/ports/connection.ts";
import type { Application } from "../../spark/pods/application.ts";
import { executorsOf } from "../../spark/pods/applicationRun.ts";
import { isActive, isConfirmedActive, lostDriverOf } from "../../spark/pods/isActive.ts";
import { finishedAmong } from "../../spark/pods/finishedApplications.ts";
import { isEarlierAttempt } from "../../spark/pods/operatedApplication.ts";
import { appSelectorLabel } from "../../spark/labels.ts";
import type { Leftover } from "../../spark/pods/leftovers.ts";
import type { ClusterSession } from "../apps/clusterSession.ts";
import { distinctNames } from "../apps/distinctNames.ts";
import { whenLoaded } from "../apps/pick.ts";
import { placeWords, watchesIn } from "../apps/sessionState.ts";
import type { TreeNode } from "../apps/treeNode.ts";
import type { Screen } from "../screen.ts";
import { inView } from "../inView.ts";
import { actOnItems, type WorkWords } from "./actOnItems.ts";
import { askToChange, withContext } from "./askToChange.ts";
import { connectionOf, type LifecycleContext } from "./context.ts";
import { claimKind, readDeletedObjects } from "./deletedObjects.ts";
import { askForScope, finishedItem } from "./finishedRows.ts";
import { operatorWords } from "./operated.ts";
import { outcomeOf, type Outcome } from "./outcome.ts";
import { leftoverNameIn, namesInOrder, cleanUpQuestion, type CleanUpItem } from "./removals.ts";
import { chosenApplications, namesFor } from "./targets.ts";

interface CleanUpRow extends QuickPickItem {
  readonly removal: CleanUpItem;
}

/**
 * Lists the leftovers of the given rows' applications. Without rows, prompts for leftover objects, or for finished
 * applications by state and age. Deletes the selected items. Volume claims need a second confirmation.
 */
export async function cleanUp(
  context: LifecycleContext,
  nodes: readonly TreeNode[],
): Promise<void> {
  const { session, screen } = context;
  const title = msg("Clean Up");
  const chosen =
    nodes.length === 0 ? undefined : await chosenApplications(context, nodes, title, () => true);
  const connection = await connectionOf(
    context,
    (chosen ?? []).map(({ key }) => key),
  );
  if (connection === undefined) return;
  await whenLoaded(context);
  // Keep rows with an uncertain state in the list, because the user chose them and can decide.
  const running = chosen?.filter(isConfirmedActive) ?? [];
  if (running.length > 0) {
    void screen.showInformationMessage(
      msg`Still running: ${distinctNames(running).join(", ")}. Stop an application before you clean up its resources.`,
    );
  }
  const over = chosen?.filter((application) => !isConfirmedActive(application));
  if (over?.length === 0) return;
  const where = whereToLook(session, connection, over);
  const place = placesIn(where, connection.context);
  const finished = finishedAmong(over ?? knownIn(session, connection));
  const now = connection.now();
  const scope =
    over === undefined
      ? await askForScope(screen, finished, title, place, now)
      : { kind: "rows" as const };
  if (scope === undefined) return;
  // Deleting a driver pod also deletes its log, so preselect only a group of finished applications that the user chose.
  const isGroup = scope.kind === "finished";
  const removals = (isGroup ? scope.finished : scope.kind === "rows" ? finished : []).map(
    (one): CleanUpRow => ({
      ...finishedItem(context, one, now),
      picked: isGroup,
      removal: { kind: "finished", application: one.application },
    }),
  );
  const ids = over && new Set(over.flatMap(idsOf));
  const found = isGroup
    ? nothingFound
    : await inView(screen, (signal) => listLeftovers(connection.objects, where, ids, signal));
  const picked = await pickRemovals(screen, [removals, found], title, {
    all: place,
    of: (namespace) => placeWords(session.state, { context: connection.context, namespace }),
  });
  if (picked.length === 0) return;
  await deletePicked(context, connection, picked);
}

const nothingFound: FoundLeftovers = { leftovers: [], notListed: [], notEverywhere: [] };

/** Returns the applications of the connection's context. */
const knownIn = (session: ClusterSession, { context }: Connection): readonly Application[] =>
  session.applications.filter(({ key }) => session.contextOf(key) === context);

function whereToLook(
  session: ClusterSession,
  connection: Connection,
  over: readonly Application[] | undefined,
): ListScope {
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

/** Returns the searched namespaces and their context, for messages. */
const placesIn = ({ isEverywhere, namespaces }: ListScope, context: string): Message =>
  isEverywhere
    ? msg`all namespaces of "${context}"`
    : msg`${namesFor(namespaces.toSorted())} of "${context}"`;

/**
 * Returns an application's id and the values of `spark-app-selector` on its pods, which differ from the id for a
 * Connect server.
 */
function idsOf(application: Application): readonly string[] {
  const { id, driver } = application;
  const pods = [...(driver === undefined ? [] : [driver]), ...executorsOf(application)];
  return [...new Set([id, ...pods.flatMap(({ pod }) => pod.labels[appSelectorLabel] ?? [])])];
}

async function pickRemovals(
  screen: Screen,
  [finished, { leftovers, notListed, notEverywhere }]: readonly [
    readonly CleanUpRow[],
    FoundLeftovers,
  ],
  title: Message,
  places: { readonly all: Message; readonly of: (namespace: string) => string },
): Promise<readonly CleanUpItem[]> {
  const unseen = [...new Set(notListed.map(({ kind }) => kind))].join(", ");
  const reason = notListed[0] ? screen.explainClusterError(notListed[0].error) : "";
  const but = sentences([
    unseen === "" ? undefined : msg`Not listed: ${unseen}. ${reason}`,
    notEverywhere.length === 0
      ? undefined
      : msg`Listed only in namespaces with applications, because listing all namespaces is forbidden: ${notEverywhere.join(", ")}.`,
  ]);
  if (leftovers.length + finished.length === 0) {
    const isBlind = notListed.some(({ kind }) => kind === "Pod");
    const text = isBlind
      ? msg("Leftover resources cannot be identified without access to pods.")
      : msg`No leftover resources found in ${places.all}.`;
    void screen.showInformationMessage(sentences([text, but]));
    return [];
  }
  const objects = leftovers.map((leftover): CleanUpRow => ({
    label: `${leftover.kind} ${leftover.name}`,
    description: places.of(leftover.namespace),
    detail: screen.translated(detailOf(leftover)),
    picked: leftover.kind !== claimKind && leftover.doubt === undefined,
    removal: { kind: "leftover", leftover },
  }));
  const what =
    finished.length === 0
      ? msg`Leftover resources in ${places.all}; selected items are deleted in order`
      : msg("Selected items are deleted, applications with their logs and objects");
  // The quick pick has no room for this text, so show it as a message.
  if (but !== undefined) void screen.showInformationMessage(but);
  const chosen = await screen.showQuickPick([...finished, ...objects], {
    title: screen.translated(title),
    placeHolder: screen.translated(what),
    canPickMany: true,
    matchOnDescription: finished.length > 0,
    ignoreFocusOut: true,
  });
  return chosen?.map(({ removal }) => removal) ?? [];
}

function detailOf({ kind, applicationId, doubt }: Leftover): Message {
  const id = applicationId ?? "";
  switch (doubt) {
    case undefined:
      return applicationId === undefined ? msg("its owner was deleted") : verbatim(applicationId);
    case "driverOutside":
      return kind === "Pod"
        ? msg`${id}: no owner; a driver outside the cluster may still use it`
        : msg`${id}: a driver outside the cluster may still use it`;
    case "unowned":
      return applicationId === undefined
        ? msg("no owner; a submission in progress may still need it")
        : msg`${id}: no owner; a submission in progress may still need it`;
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
  const { screen } = context;
  const detail = async (): Promise<Message | undefined> => {
    const goes = await readDeletedObjects(screen, connection, finished);
    ownedClaims = goes.claims;
    return paragraphs([
      leftovers.length === 0
        ? undefined
        : msg`This will delete: ${namesFor(leftovers.map(leftoverNameIn(leftovers)))}.`,
      operatorWords(finished.filter((one) => !isEarlierAttempt(one))),
      goes.words,
      finished.length === 0
        ? undefined
        : msg("Logs and states that are not saved will be lost. Use Keep Logs to save them."),
      msg("This cannot be undone."),
    ]);
  };
  const { question, button } = cleanUpQuestion(leftovers.length, finished);
  if (!(await askToChange(screen, connection, { question, detail, buttons: [button] }))) return;
  const looseClaims = leftovers.filter(({ kind }) => kind === claimKind).map(({ name }) => name);
  const claims = [...looseClaims, ...ownedClaims];
  if (claims.length > 0 && !(await confirmClaims(screen, connection, claims))) return;
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
    ? { kind: "notDone", words: msg("restarted by its operator") }
    : outcomeOf(deletion);

async function confirmClaims(
  { showWarningMessage }: Screen,
  connection: Connection,
  claims: readonly string[],
): Promise<boolean> {
  const question =
    claims.length === 1
      ? msg("Delete 1 volume claim with its data?")
      : msg`Delete ${claims.length} volume claims with their data?`;
  const detail = msg`Deleting ${claims.join(", ")} also deletes the data on the volumes, unless their storage class retains it. This cannot be undone.`;
  const button = msg("Delete Data");
  const options = { modal: true, detail: withContext(connection, detail) };
  return (await showWarningMessage(question, options, button)) === button;
}

const cleanUpWords: WorkWords = {
  get title() {
    return msg("Cleaning up");
  },
  failed: (name) => msg`${name} was not deleted`,
  someFailed: (count, all) => msg`${count} of ${all} items were not deleted`,
};
