import type { Task } from "vscode";
import { CustomExecution, l10n, ProgressLocation, tasks, TaskScope } from "vscode";
import { taskType } from "../ids.ts";
import { reportNowhere, type ReportFindings } from "../profiles/profileFinding.ts";
import type { ReadOnlyDocuments } from "../readOnlyDocuments.ts";
import { withSignal } from "../withSignal.ts";
import type { PastedChoice } from "./readPasted.ts";
import { confirmStart } from "./startConsent.ts";
import type { SubmitOptions } from "./submitOptions.ts";
import { directoryOf, runTask } from "../ui/runTask.ts";
import { pickFolder, writeProfile } from "./writeProfile.ts";
import { window } from "../ui/window.ts";

/** Submits, previews, checks or saves a spark-submit line; `undefined`: asks for one. */
export async function submitPasted(
  options: SubmitOptions,
  documents: ReadOnlyDocuments,
  text: string | undefined,
): Promise<void> {
  const [door, disk] = await Promise.all([options.loadSubmit(), options.loadDisk()]);
  const choice = await door.readPasted({
    text,
    surroundings: disk.surroundings(directoryOf(TaskScope.Workspace)),
    server: () => serverInUse(options),
  });
  if (choice !== undefined) await act(options, documents, choice);
}

async function act(
  options: SubmitOptions,
  documents: ReadOnlyDocuments,
  choice: PastedChoice,
): Promise<void> {
  switch (choice.action) {
    case "run":
      await tasks.executeTask(await lineTask(options, choice));
      return;
    case "preview":
      return tell(options, choice, "previewSubmission", (text) =>
        documents.show("/preview.yaml", text),
      );
    case "check":
      return tell(options, choice, "checkSubmission", (text) => documents.show("/check.txt", text));
    case "save":
      return save(options, choice);
  }
}

/** Shows a preview or check, then offers the next action. The answers about variables are kept. */
async function tell(
  options: SubmitOptions,
  choice: PastedChoice,
  told: "previewSubmission" | "checkSubmission",
  show: (text: string) => Promise<void>,
): Promise<void> {
  const { clusters, agree, log } = options;
  const [door, { surroundings, fetchTexts, code }] = await Promise.all([
    options.loadSubmit(),
    options.loadDisk(),
  ]);
  const source = { kind: "line", line: choice.line } as const;
  const place = {
    surroundings: surroundings(directoryOf(TaskScope.Workspace)),
    fetchTexts,
    collectCode: code.collect,
  };
  let errors = 0;
  const report: ReportFindings = (findings) => {
    errors = findings.filter(({ severity }) => severity === "error").length;
    return reportNowhere(findings);
  };
  const asked = {
    source,
    folder: undefined,
    ...place,
    report,
    clusters,
    agree,
    log,
  };
  const text = await window.withProgress(
    { location: ProgressLocation.Window, title: l10n.t("Asking the cluster") },
    (_, token) => withSignal(token, (signal) => door[told](asked, signal)),
  );
  if (text === undefined) return;
  await show(text);
  const chosen = await chooseNext(choice.name, errors);
  if (chosen === "submit") await tasks.executeTask(await lineTask(options, choice));
  if (chosen === "save") await save(options, choice);
  if (chosen === "edit") await door.openPastedText(choice.line.written, undefined);
}

/** VS Code keeps an error message with buttons open until the user answers. */
async function chooseNext(
  name: string,
  errors: number,
): Promise<"submit" | "save" | "edit" | undefined> {
  const save = l10n.t("Save as Run Profile…");
  if (errors === 0) {
    const submit = l10n.t("Submit");
    const message = l10n.t('"{0}" has not been submitted yet.', name);
    const chosen = await window.showInformationMessage(message, submit, save);
    return chosen === submit ? "submit" : chosen === save ? "save" : undefined;
  }
  const edit = l10n.t("Edit Command");
  const anyway = l10n.t("Submit Anyway");
  const message =
    errors === 1
      ? l10n.t('The check of "{0}" found 1 error. It has not been submitted.', name)
      : l10n.t('The check of "{0}" found {1} errors. It has not been submitted.', name, errors);
  const chosen = await window.showErrorMessage(message, edit, anyway, save);
  if (chosen === edit) return "edit";
  if (chosen === anyway) return "submit";
  return chosen === save ? "save" : undefined;
}

/** A task that submits the line. Its definition omits the line, which may contain secrets. */
async function lineTask(options: SubmitOptions, { line, name }: PastedChoice): Promise<Task> {
  const [{ openRun }, disk] = await Promise.all([options.loadSubmit(), options.loadDisk()]);
  const { clusters, agree, watched, followed, submitted, shownLogs, clock, random, log } = options;
  let starts = 0;
  const label = `${name} ${new Date(clock.now()).toLocaleTimeString()}`;
  const execution = new CustomExecution(() =>
    Promise.resolve(
      openRun({
        name: label,
        source: { kind: "line", line },
        folder: undefined,
        // The command itself is the consent for the first start. VS Code can rerun the task.
        mayStart: async () => {
          starts += 1;
          return starts === 1 || confirmStart(name, { type: taskType, application: name });
        },
        report: reportNowhere,
        sent: () => undefined,
        ended: () => undefined,
        workingDirectory: directoryOf(TaskScope.Workspace),
        memory: options.memory,
        clusters,
        watched,
        followed,
        submitted,
        shownLogs,
        clock,
        random,
        agree,
        log,
        ...disk,
      }),
    ),
  );
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
  const { profileOfPasted, insertProfile } = await loadSubmit();
  const { profile, inputs, losses } = profileOfPasted(choice);
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
