import type { Task } from "vscode";
import { msg } from "../../base/message.ts";
import { CustomExecution, l10n, tasks, TaskScope } from "vscode";
import { taskType } from "../ids.ts";
import { plainMask } from "../../spark/redact.ts";
import { redactKnown } from "../../spark/redactText.ts";
import { folderOf } from "../profiles/profileTasks.ts";
import { reportNowhere } from "../profiles/profileFinding.ts";
import type { ReadOnlyDocuments } from "../readOnlyDocuments.ts";
import { checkPath, summaryOf } from "./nextActions.ts";
import type { PreviewOptions } from "./previewSubmission.ts";
import type { PastedChoice } from "./readPasted.ts";
import { recordRun } from "./recordRun.ts";
import { confirmStart, consentWindow } from "./startConsent.ts";
import type { SubmitOptions } from "./submitOptions.ts";
import { directoryOf, runTask } from "../ui/runTask.ts";
import { pickFolder, writeProfile } from "./writeProfile.ts";
import { window } from "../ui/window.ts";
import { inStatusBar } from "../progress.ts";
import { labelAt } from "./runDefinition.ts";

/** Submits, previews, checks or saves a spark-submit line; `undefined`: asks for one. */
export async function submitPasted(
  options: SubmitOptions,
  documents: ReadOnlyDocuments,
  text: string | undefined,
): Promise<void> {
  const [door, disk] = await Promise.all([options.loadSubmit(), options.loadDisk()]);
  const choice = await door.readPasted(
    {
      text,
      surroundings: disk.surroundings(directoryOf(TaskScope.Workspace)),
      fetchTexts: disk.fetchTexts,
      server: () => serverInUse(options),
    },
    door.submitWindow,
  );
  if (choice !== undefined) await act(options, documents, choice);
}

async function act(
  options: SubmitOptions,
  documents: ReadOnlyDocuments,
  choice: PastedChoice,
): Promise<void> {
  switch (choice.action) {
    case "run":
      return run(options, choice);
    case "preview":
      return preview(options, choice, documents);
    case "check":
      return check(options, choice, documents);
    case "save":
      return save(options, choice);
  }
}

/** Shows a preview, then offers the next action. The answers about variables are kept. */
async function preview(
  options: SubmitOptions,
  choice: PastedChoice,
  documents: ReadOnlyDocuments,
): Promise<void> {
  const text = await askAbout(options, choice, (door, asked, signal) =>
    door.previewSubmission(asked, door.submitWindow, signal),
  );
  if (text === undefined) return;
  await documents.show("/preview.yaml", text);
  const submit = l10n.t("Submit");
  const store = l10n.t("Save as Run Profile…");
  const message = l10n.t('"{0}" has not been submitted yet.', choice.name);
  const chosen = await window.showInformationMessage(message, submit, store);
  if (chosen === submit) await run(options, choice);
  if (chosen === store) await save(options, choice);
}

/** Shows the check, then offers the next action. */
async function check(
  options: SubmitOptions,
  choice: PastedChoice,
  documents: ReadOnlyDocuments,
): Promise<void> {
  const checked = await askAbout(options, choice, (door, asked, signal) =>
    door.checkSubmission({ ...asked, title: choice.name }, door.submitWindow, signal),
  );
  if (checked === undefined) return;
  const show = (): Promise<void> => documents.show(checkPath(choice.name), checked.text);
  await show();
  const { fixFor, offerNext, openPastedText, submitWindow } = await options.loadSubmit();
  const { screen } = submitWindow;
  const edit = {
    fix: () => openPastedText(choice.line.written, undefined),
    fixTitle: msg("Edit Command"),
  };
  const after = {
    submit: () => run(options, choice),
    ...fixFor(checked.findings, edit, screen),
    save: () => save(options, choice),
    show,
  };
  const at = options.clock.now();
  await offerNext({ name: choice.name, at, summary: summaryOf(checked.findings) }, after, screen);
}

async function askAbout<T>(
  options: SubmitOptions,
  choice: PastedChoice,
  work: (
    door: Awaited<ReturnType<SubmitOptions["loadSubmit"]>>,
    asked: PreviewOptions,
    signal: AbortSignal,
  ) => Promise<T>,
): Promise<T> {
  const { clusters, agree, log } = options;
  const [door, { surroundings, fetchTexts, code }] = await Promise.all([
    options.loadSubmit(),
    options.loadDisk(),
  ]);
  const asked: PreviewOptions = {
    place: {
      surroundings: surroundings(directoryOf(TaskScope.Workspace)),
      fetchTexts,
      collectCode: code.collect,
    },
    source: { kind: "line", line: choice.line },
    folder: undefined,
    report: reportNowhere,
    clusters,
    agree,
    log,
  };
  return inStatusBar(l10n.t("Asking the cluster"), (signal) => work(door, asked, signal));
}

const run = async (options: SubmitOptions, choice: PastedChoice): Promise<void> => {
  await tasks.executeTask(await lineTask(options, choice));
};

/** A task that submits the line. Its definition omits the line, which may contain secrets. */
async function lineTask(
  options: SubmitOptions,
  { line, name, secrets }: PastedChoice,
): Promise<Task> {
  const [{ openRun }, disk] = await Promise.all([options.loadSubmit(), options.loadDisk()]);
  const { clock } = options;
  let starts = 0;
  const label = labelAt(name, clock.now());
  const folder = folderOf(TaskScope.Workspace);
  const execution = new CustomExecution(() => {
    const recorded = recordRun(
      { kind: "profile", name, folder },
      {
        history: options.history,
        definition: undefined,
        commit: () => options.commitOf(folder),
        now: () => clock.now(),
        error: options.log.error,
      },
    );
    return Promise.resolve(
      openRun({
        name: label,
        source: { kind: "line", line },
        folder: undefined,
        // The command itself is the consent for the first start. VS Code can rerun the task.
        mayStart: async () => {
          starts += 1;
          return (
            starts === 1 ||
            confirmStart(
              name,
              { type: taskType, application: name },
              consentWindow(window, options.clusters),
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
        workingDirectory: directoryOf(TaskScope.Workspace),
        services: options,
        disk,
      }),
    );
  });
  // VS Code identifies tasks by this member, so it is unique.
  const definition = { type: taskType, application: `${label} ${clock.now()}`, label };
  return runTask(definition, TaskScope.Workspace, label, "spark-submit", execution);
}

async function save({ loadSubmit }: SubmitOptions, choice: PastedChoice): Promise<void> {
  const folder = await pickFolder();
  if (folder === undefined) return;
  const label = await window.showInputBox({
    title: l10n.t("Save as Run Profile"),
    prompt: l10n.t("Profile name"),
    value: choice.name,
    validateInput: (text) => (text.trim() === "" ? l10n.t("Enter a name") : undefined),
  });
  if (label === undefined) return;
  const { profileOfPasted, insertProfile, submitWindow } = await loadSubmit();
  const { profile, inputs, losses } = profileOfPasted(choice, submitWindow.screen);
  await writeProfile(folder, { label, profile, inputs }, insertProfile);
  if (losses.length > 0) {
    void window.showWarningMessage(
      l10n.t('Profile "{0}" differs from the command. {1}', label, losses.join(" ")),
    );
  }
}

async function serverInUse({ clusters }: SubmitOptions): Promise<string | undefined> {
  const target = await clusters.target(undefined, new AbortController().signal);
  return target.ok ? target.value.server : undefined;
}
