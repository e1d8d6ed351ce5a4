import type { QuickPickItem } from "vscode";
import { answerInPick } from "../answeredPick.ts";
import { msg, type MessageText } from "../../base/message.ts";
import { confChanges, type ConfChange } from "../../spark/submit/profile/confChanges.ts";
import { commands } from "../ids.ts";
import type { ProfileName } from "../profiles/profileName.ts";
import type { ListedRun } from "../../spark/history/runRecord.ts";
import type { RunHistory } from "../runs/runHistory.ts";
import { runText } from "../runs/runText.ts";
import { runDuration, runOutcomeWords, startWords } from "../runs/runWords.ts";
import type { ReadOnlyDocuments } from "../readOnlyDocuments.ts";
import type { Screen } from "../screen.ts";
import { timeOfDay } from "../../base/timeOfDay.ts";

interface RecentRunOptions {
  readonly history: RunHistory;
  readonly documents: ReadOnlyDocuments;
  readonly clock: { readonly now: () => number };
}

type RecentScreen = Pick<
  Screen,
  "createQuickPick" | "icon" | "runCommand" | "showInformationMessage" | "translated"
>;

interface RunItem extends QuickPickItem {
  readonly run: ListedRun;
}

/**
 * Shows a quick pick of the last five runs of a profile. Opens one selected run as a document, or compares two. A
 * button opens the saved log of a run's driver.
 */
export async function showRecentRuns(
  profile: ProfileName,
  { history, documents, clock }: RecentRunOptions,
  screen: RecentScreen,
): Promise<void> {
  const folder = profile.folder?.toString();
  const runs = (await history.list())
    .filter((run) => run.isSubmitted && run.name === profile.name && run.folder === folder)
    .slice(0, maxRecent);
  if (runs.length === 0) {
    void screen.showInformationMessage(
      msg`"${profile.name}" was not submitted from this workspace.`,
    );
    return;
  }
  const now = clock.now();
  const textOf = async (run: ListedRun): Promise<string> =>
    runText(run, await history.timeline(run.id), screen);
  const items = runs.map((run, index) => itemOf(screen, run, runs[index + 1], now));
  const chosen = await pickRuns(
    screen,
    screen.translated(msg`Recent Runs: ${profile.name}`),
    items,
  );
  const [newer, older] = [...chosen].sort((a, b) => b.startedAt - a.startedAt);
  if (newer === undefined) return;
  if (older === undefined) {
    await documents.show("/run.txt", await textOf(newer));
    return;
  }
  await documents.compare(
    { path: "/older-run.txt", text: await textOf(older) },
    { path: "/newer-run.txt", text: await textOf(newer) },
    screen.translated(
      msg`${profile.name}: ${timeOfDay(older.startedAt, "seconds")} ↔ ${timeOfDay(newer.startedAt, "seconds")}`,
    ),
  );
}

const maxRecent = 5;

/** Shows a quick pick in which the user selects one or two runs. Empty if the user cancels. */
async function pickRuns(
  screen: RecentScreen,
  title: string,
  items: readonly RunItem[],
): Promise<readonly ListedRun[]> {
  const pick = screen.createQuickPick<RunItem>();
  pick.title = title;
  pick.placeholder = screen.translated(msg("Select a run to show it, or two to compare them"));
  pick.canSelectMany = true;
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  pick.items = items;
  const buttons = pick.onDidTriggerItemButton(({ item }) => {
    pick.hide();
    const { id: driver } = item.run;
    const node = { kind: "driver", id: `driver:${driver}`, uid: driver };
    void screen.runCommand(commands.openKept, node);
  });
  const answered = await answerInPick(pick, () => {
    const selected = pick.selectedItems.length > 0 ? pick.selectedItems : pick.activeItems;
    if (selected.length <= 2) return selected.map(({ run }) => run);
    pick.title = screen.translated(msg`${title}: select at most two`);
    return "open";
  });
  buttons.dispose();
  return answered ?? [];
}

function itemOf(
  screen: RecentScreen,
  run: ListedRun,
  before: ListedRun | undefined,
  now: number,
): RunItem {
  const { translated } = screen;
  const duration = translated(runDuration(run));
  const outcome = translated(runOutcomeWords(run));
  const changes = before === undefined ? [] : confChanges(before.conf, run.conf);
  return {
    label: duration === undefined ? outcome : translated(msg`${outcome} · ${duration}`),
    description: translated(startWords(run, now)) ?? "",
    detail:
      changes.length === 0
        ? ""
        : changes
            .slice(0, 3)
            .map((change) => translated(changeWords(change)))
            .join("; "),
    buttons: [{ iconPath: screen.icon("output"), tooltip: translated(msg("Open Kept Log")) }],
    run,
  };
}

const changeWords = ({ key, before, after }: ConfChange): MessageText =>
  after === undefined
    ? msg`without ${key}`
    : before === undefined
      ? `${key}=${after}`
      : msg`${key}: ${before} → ${after}`;
