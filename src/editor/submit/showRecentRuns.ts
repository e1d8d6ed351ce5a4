import {
  commands as editorCommands,
  l10n,
  ThemeIcon,
  type Memento,
  type QuickPickItem,
} from "vscode";
import { DisposableStore } from "../../base/disposable.ts";
import { binarySize } from "../../spark/binarySize.ts";
import { confChanges, type ConfChange } from "../../spark/submit/profile/confChanges.ts";
import { durationWords, timeWords } from "../apps/rows/details.ts";
import { commands } from "../ids.ts";
import { outcomeWords } from "../profiles/outcomeWords.ts";
import type { ProfileName } from "../profiles/profileName.ts";
import { recentRuns, type RecentRun } from "../profiles/recentRuns.ts";
import type { ReadOnlyDocuments } from "../readOnlyDocuments.ts";
import { window } from "../ui/window.ts";

interface RecentRunOptions {
  readonly memory: Memento;
  readonly documents: ReadOnlyDocuments;
  readonly clock: { readonly now: () => number };
}

interface RunItem extends QuickPickItem {
  readonly run: RecentRun;
}

/** Lists the last runs of a profile. One is shown as a document, two are compared; a button opens the saved log. */
export async function showRecentRuns(
  profile: ProfileName,
  { memory, documents, clock }: RecentRunOptions,
): Promise<void> {
  const runs = recentRuns(memory, profile);
  if (runs.length === 0) {
    void window.showInformationMessage(
      l10n.t('"{0}" was not submitted from this workspace.', profile.name),
    );
    return;
  }
  const now = clock.now();
  const items = runs.map((run, index) => itemOf(run, runs[index + 1], now));
  const chosen = await pickRuns(l10n.t("Recent Runs: {0}", profile.name), items);
  const [newer, older] = [...chosen].sort((a, b) => b.startedAt - a.startedAt);
  if (newer === undefined) return;
  if (older === undefined) {
    await documents.show("/run.txt", runText(newer, now));
    return;
  }
  await documents.compare(
    { path: "/older-run.txt", text: runText(older, now) },
    { path: "/newer-run.txt", text: runText(newer, now) },
    l10n.t("{0}: {1} ↔ {2}", profile.name, clockTime(older.startedAt), clockTime(newer.startedAt)),
  );
}

const openLog = { iconPath: new ThemeIcon("output") };

/** The selected runs: at most two. Empty if the user cancels. */
function pickRuns(title: string, items: readonly RunItem[]): Promise<readonly RecentRun[]> {
  const owned = new DisposableStore();
  const pick = owned.add(window.createQuickPick<RunItem>());
  pick.title = title;
  pick.placeholder = l10n.t("Select a run to show it, or two to compare them");
  pick.canSelectMany = true;
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  pick.items = items;
  return new Promise<readonly RecentRun[]>((resolve) => {
    owned.add(
      pick.onDidAccept(() => {
        const selected = pick.selectedItems.length > 0 ? pick.selectedItems : pick.activeItems;
        if (selected.length > 2) {
          pick.title = l10n.t("{0}: select at most two", title);
          return;
        }
        resolve(selected.map(({ run }) => run));
        pick.hide();
      }),
    );
    owned.add(
      pick.onDidTriggerItemButton(({ item }) => {
        pick.hide();
        const { driver } = item.run;
        const node = { kind: "driver", id: `driver:${driver}`, uid: driver };
        void editorCommands.executeCommand(commands.openKept, node);
      }),
    );
    owned.add(
      pick.onDidHide(() => {
        resolve([]);
      }),
    );
    pick.show();
  }).finally(() => {
    owned.dispose();
  });
}

function itemOf(run: RecentRun, before: RecentRun | undefined, now: number): RunItem {
  const duration = durationOf(run);
  const outcome = outcomeOf(run);
  const changes = before === undefined ? [] : confChanges(before.conf, run.conf);
  return {
    label: duration === undefined ? outcome : l10n.t("{0} · {1}", outcome, duration),
    description: startOf(run, now),
    detail: changes.length === 0 ? "" : changes.slice(0, 3).map(changeWords).join("; "),
    buttons: [{ ...openLog, tooltip: l10n.t("Open Kept Log") }],
    run,
  };
}

const changeWords = ({ key, before, after }: ConfChange): string =>
  after === undefined
    ? l10n.t("without {0}", key)
    : before === undefined
      ? `${key}=${after}`
      : l10n.t("{0}: {1} → {2}", key, before, after);

/** Lines that are equal in two runs are equal in their texts, so that a diff shows the differences only. */
function runText(run: RecentRun, now: number): string {
  const { sent } = run;
  const rows: readonly (readonly [string, string | undefined])[] = [
    [l10n.t("Outcome"), outcomeOf(run)],
    [l10n.t("Duration"), durationOf(run)],
    [l10n.t("Started"), startOf(run, now)],
    [l10n.t("Application"), `${run.namespace}/${run.applicationId}`],
    [l10n.t("Sent files"), sent && l10n.t("{0} ({1})", sent.files, binarySize(sent.bytes))],
  ];
  const width = Math.max(...rows.map(([name]) => name.length)) + 2;
  return [
    ...rows.flatMap(([name, value]) =>
      value === undefined ? [] : [`${`${name}:`.padEnd(width)}${value}`],
    ),
    "",
    ...run.conf.map(([key, value]) => `${key}=${value.replaceAll("\n", "\\n")}`),
    "",
  ].join("\n");
}

/** Runs that are followed are stored as detached, since the window may close before their end. */
const outcomeOf = ({ outcome, exitCode }: RecentRun): string =>
  outcome === "detached" ? l10n.t("running when last seen") : outcomeWords(outcome, exitCode);

const isoTime = (at: number | undefined): string | undefined =>
  at === undefined ? undefined : new Date(at).toISOString();

const durationOf = ({ startedAt, endedAt }: RecentRun): string | undefined =>
  durationWords(isoTime(startedAt), isoTime(endedAt));

const startOf = ({ startedAt }: RecentRun, now: number): string =>
  timeWords(isoTime(startedAt), now) ?? "";

const clockTime = (at: number): string => new Date(at).toLocaleTimeString();
