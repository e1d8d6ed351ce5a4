import type { Pseudoterminal, Task, Uri } from "vscode";
import { msg } from "../../base/message.ts";
import type { RunCommit } from "../../spark/history/runRecord.ts";
import { plainMask } from "../../spark/redact.ts";
import { redactKnown } from "../../spark/redactText.ts";
import { taskType } from "../ids.ts";
import { reportNowhere } from "../profiles/profileFinding.ts";
import type { RunHistory } from "../runs/runHistory.ts";
import {
  askBefore,
  checkSource,
  type AskBeforeOptions,
  type AskedSource,
  type PreviewDoor,
} from "./askBeforeRun.ts";
import { profileOfPasted } from "./profileOfPasted.ts";
import { askLabel } from "./profileName.ts";
import { readPasted, type PastedChoice, type PastedWindow } from "./readPasted.ts";
import { recordRun } from "./recordRun.ts";
import { labelAt } from "./runDefinition.ts";
import { confirmStart, consentWindow } from "./startConsent.ts";
import type { RunServices, SubmissionRunOptions } from "./submissionRun.ts";

/** Dependencies of `submitPasted`. More than a dozen members, because `openRun` needs all services of a run. */
interface PastedOptions extends AskBeforeOptions, RunServices {
  readonly loadSubmit: () => Promise<
    PreviewDoor & { readonly openRun: (run: SubmissionRunOptions) => Pseudoterminal }
  >;
  readonly history: Pick<RunHistory, "update">;
  readonly commitOf: (folder: Uri | undefined) => Promise<RunCommit | undefined>;
}

/** Submits, previews, checks or saves a spark-submit line. Without `text`, searches for a line or prompts for one. */
export async function submitPasted(
  options: PastedOptions,
  text: string | undefined,
  window: PastedWindow,
): Promise<void> {
  const { clusters, host } = options;
  const disk = await options.loadDisk();
  const choice = await readPasted(
    {
      text,
      submissionEnvironment: disk.submissionEnvironment(host.directoryOf(host.workspaceScope)),
      fetchTexts: disk.fetchTexts,
      server: async () => {
        const target = await clusters.target(undefined, new AbortController().signal);
        return target.ok ? target.value.server : undefined;
      },
    },
    window,
  );
  if (choice === undefined) return;
  const act = actionsOf(options, choice, window);
  await act[choice.action]();
}

/** Returns the actions of a line. All actions use the same answers about the line's variables. */
function actionsOf(
  options: PastedOptions,
  choice: PastedChoice,
  { openText }: PastedWindow,
): Readonly<Record<PastedChoice["action"], () => Promise<void>>> {
  const { documents, host, screen } = options;
  const { name, line } = choice;
  const asked: AskedSource = {
    source: { kind: "line", line },
    scope: host.workspaceScope,
    folder: undefined,
    report: reportNowhere,
  };
  const run = async (): Promise<void> => {
    await host.execute(lineTask(options, choice));
  };
  const save = (): Promise<void> => saveLine(options, choice);
  return {
    run,
    save,
    preview: async () => {
      const text = await askBefore(options, asked, plainMask, (door, about, signal) =>
        door.previewSubmission(about, door.submitWindow, signal),
      );
      if (text === undefined) return;
      await documents.show("/preview.yaml", text);
      const submit = msg("Submit");
      const store = msg("Save as Run Profile…");
      const question = msg`"${name}" has not been submitted yet.`;
      const chosen = await screen.showInformationMessage(question, submit, store);
      if (chosen === submit) await run();
      if (chosen === store) await save();
    },
    check: () =>
      checkSource(options, asked, name, () => ({
        submit: run,
        save,
        fix: () => openText(line.written, undefined),
        fixTitle: msg("Edit Command"),
      })),
  };
}

/** Makes a task that submits the line. Its definition omits the line, which may contain secrets. */
function lineTask(options: PastedOptions, { line, name, secrets }: PastedChoice): Task {
  const { clock, host, screen, log } = options;
  const scope = host.workspaceScope;
  const label = labelAt(name, clock.now());
  const folder = host.folderOf(scope);
  let starts = 0;
  const open = async (): Promise<Pseudoterminal> => {
    const [{ openRun }, disk] = await Promise.all([options.loadSubmit(), options.loadDisk()]);
    const recorded = recordRun(
      { kind: "profile", name, folder },
      {
        history: options.history,
        definition: undefined,
        commit: () => options.commitOf(folder),
        now: () => clock.now(),
        error: log.error,
      },
    );
    return openRun({
      name: label,
      source: { kind: "line", line },
      folder: undefined,
      // The command is the consent for the first start. Confirm later ones, because VS Code can rerun the task.
      mayStart: async () => {
        starts += 1;
        return (
          starts === 1 ||
          confirmStart(
            name,
            { type: taskType, application: name },
            consentWindow(screen, options.clusters),
          )
        );
      },
      events: {
        report: reportNowhere,
        sent: () => undefined,
        began: (run) => {
          recorded.began({
            ...run,
            conf: run.conf.map(([key, value]) => [key, redactKnown(value, secrets, plainMask)]),
          });
        },
        ended: recorded.ended,
      },
      workingDirectory: host.directoryOf(scope),
      services: options,
      disk,
    });
  };
  // VS Code identifies tasks by this member, so it is unique.
  const definition = { type: taskType, application: `${label} ${clock.now()}`, label };
  return host.newTask({ definition, scope, name: label }, open);
}

async function saveLine({ host, screen }: PastedOptions, choice: PastedChoice): Promise<void> {
  const folder = await host.pickFolder();
  if (folder === undefined) return;
  const label = await askLabel(screen, msg("Save as Run Profile"), choice.name);
  if (label === undefined) return;
  const { profile, inputs, losses } = profileOfPasted(choice, screen);
  await host.writeProfile(folder, { label, profile, inputs });
  if (losses.length > 0) {
    void screen.showWarningMessage(
      msg`Profile "${label}" differs from the command. ${losses.join(" ")}`,
    );
  }
}
