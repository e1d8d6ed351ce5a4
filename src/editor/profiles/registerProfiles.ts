import {
  CodeActionKind,
  CodeLens,
  Range,
  Selection,
  Uri,
  workspace,
  type TextDocument,
} from "vscode";
import { DisposableStore, type Disposable } from "../../base/disposable.ts";
import { DelayedRuns } from "../conf/delayedRuns.ts";
import type { CommandHandlers } from "../commandArguments.ts";
import type { CommandOf } from "../commandTable.ts";
import type { Log } from "../log.ts";
import type * as profilesDoor from "./door.ts";
import { lensTitles } from "./lensTitles.ts";
import { profileActions } from "./profileActions.ts";
import type { ReportFindings } from "./profileFinding.ts";
import { isTasksFile, ProfileProblems } from "./profileProblems.ts";
import { ProfilesView } from "./profilesView.ts";
import type { ProfileName } from "./profileName.ts";
import type { ProfileRuns, ProfileRunsOptions } from "./profileRuns.ts";
import { languages } from "../ui/languages.ts";
import { startTimer } from "../ui/startTimer.ts";
import { window } from "../ui/window.ts";

interface ProfilesOptions extends Omit<ProfileRunsOptions, "changed"> {
  readonly loadProfiles: () => Promise<typeof profilesDoor>;
  readonly log: Log;
}

export interface Profiles extends Disposable {
  readonly handlers: CommandHandlers<CommandOf<"profiles">>;
  /** Returns the function that shows a profile's findings. */
  readonly reportFor: (profile: ProfileName) => ReportFindings;
  readonly runs: Pick<ProfileRuns, "startedAs" | "submittedAs" | "endedAs">;
}

/** Debounce of the diagnostics of tasks.json while the user types, in ms. */
const quietMs = 150;

/** Registers the Run Profiles view, and diagnostics, quick fixes and CodeLenses of tasks.json. */
export function registerProfiles({ loadProfiles, log, ...options }: ProfilesOptions): Profiles {
  const owned = new DisposableStore();
  const problems = owned.add(new ProfileProblems(loadProfiles, log));
  const view = owned.add(new ProfilesView(options));
  const runs = owned.add(new DelayedRuns(startTimer, quietMs));
  const refresh = (document: TextDocument): void => {
    problems.refresh(document).catch(log.error);
  };
  owned.add(workspace.onDidOpenTextDocument(refresh));
  owned.add(
    workspace.onDidChangeTextDocument(({ document }) => {
      runs.ask(document.uri.toString(), () => {
        refresh(document);
      });
    }),
  );
  const files = [{ pattern: "**/.vscode/tasks.json" }, { pattern: "**/*.code-workspace" }];
  owned.add(
    languages.registerCodeLensProvider(files, {
      provideCodeLenses: async (document) => lensesOf(document, await loadProfiles()),
    }),
  );
  owned.add(
    languages.registerCodeActionsProvider(
      files,
      {
        provideCodeActions: async (document, _, { diagnostics }) => {
          const { profileFixes } = await loadProfiles();
          return profileActions(document, profileFixes(document.getText()), diagnostics);
        },
      },
      { providedCodeActionKinds: [CodeActionKind.QuickFix] },
    ),
  );
  workspace.textDocuments.forEach(refresh);
  return {
    handlers: {
      editProfile: (row) => (row ? edit(row, loadProfiles) : Promise.resolve()),
    },
    reportFor: (profile) => (findings) => problems.report(profile, findings),
    runs: view.runs,
    dispose: () => {
      owned.dispose();
    },
  };
}

function lensesOf(document: TextDocument, door: typeof profilesDoor): CodeLens[] {
  if (!isTasksFile(document) || !workspace.isTrusted) return [];
  const folder = workspace.getWorkspaceFolder(document.uri)?.uri;
  return door.profilesIn(document.getText()).flatMap(({ label, span }) => {
    if (label === undefined) return [];
    const start = document.positionAt(span.start);
    const profile: ProfileName = { kind: "profile", name: label, folder };
    return lensTitles().map(
      ([title, command]) =>
        new CodeLens(new Range(start, start), { title, command, arguments: [profile] }),
    );
  });
}

/** Opens a profile in its file. */
async function edit(
  { name, folder }: ProfileName,
  load: ProfilesOptions["loadProfiles"],
): Promise<void> {
  const uri =
    folder === undefined ? workspace.workspaceFile : Uri.joinPath(folder, ".vscode/tasks.json");
  if (uri === undefined) return;
  const document = await workspace.openTextDocument(uri);
  const { profilesIn } = await load();
  const profile = profilesIn(document.getText()).find(({ label }) => label === name);
  const editor = await window.showTextDocument(document);
  if (profile === undefined) return;
  const { start, end } = profile.spanOf([], "value");
  const range = new Range(document.positionAt(start), document.positionAt(end));
  editor.selection = new Selection(range.start, range.end);
  editor.revealRange(range);
}
