import type { Task } from "vscode";
import { CustomExecution, l10n, ProgressLocation, tasks, TaskScope, window } from "vscode";
import type { Disposable } from "../../base/disposable.ts";
import { commands, taskType } from "../ids.ts";
import { reportNowhere } from "../profiles/profileFinding.ts";
import type { ReadOnlyDocuments } from "../readOnlyDocuments.ts";
import { registerTrustedCommand } from "../registerCommand.ts";
import { withSignal } from "../withSignal.ts";
import type { PastedChoice } from "./readPasted.ts";
import type { SubmitOptions } from "./submitOptions.ts";
import { directoryOf, runTask } from "./runTask.ts";
import { pickFolder, writeProfile } from "./writeProfile.ts";

/** The command that takes a spark-submit line from wherever it was copied. */
export const registerPasted = (options: SubmitOptions, documents: ReadOnlyDocuments): Disposable =>
  registerTrustedCommand(
    commands.submitPasted,
    (text) => submitPasted(options, documents, typeof text === "string" ? text : undefined),
    options.log,
  );

async function submitPasted(
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
      return tell(options, choice, "checkSubmission", (text) => documents.show("/check.md", text));
    case "save":
      return save(options, choice);
  }
}

/** Shows what was asked for; the command can be run from there without being read again. */
async function tell(
  options: SubmitOptions,
  choice: PastedChoice,
  told: "previewSubmission" | "checkSubmission",
  show: (text: string) => Promise<void>,
): Promise<void> {
  const { connect, connectTo, memory, log } = options;
  const [door, { surroundings, fetchTexts }] = await Promise.all([
    options.loadSubmit(),
    options.loadDisk(),
  ]);
  const source = { kind: "line", line: choice.line } as const;
  const place = { surroundings: surroundings(directoryOf(TaskScope.Workspace)), fetchTexts };
  const asked = {
    source,
    folder: undefined,
    ...place,
    report: reportNowhere,
    connect,
    connectTo,
    memory,
    log,
  };
  const text = await window.withProgress(
    { location: ProgressLocation.Window, title: l10n.t("Asking the cluster") },
    (_, token) => withSignal(token, (signal) => door[told](asked, signal)),
  );
  if (text === undefined) return;
  await show(text);
  const run = l10n.t("Run Now");
  const saved = l10n.t("Save as Run Profile…");
  const chosen = await window.showInformationMessage(
    l10n.t('"{0}" has not been submitted yet.', choice.name),
    run,
    saved,
  );
  if (chosen === run) await tasks.executeTask(await lineTask(options, choice));
  if (chosen === saved) await save(options, choice);
}

/** A task that sends the line itself. Its definition tells nothing of it, as a line may hold secrets. */
async function lineTask(options: SubmitOptions, { line, name }: PastedChoice): Promise<Task> {
  const [{ openRun }, disk] = await Promise.all([options.loadSubmit(), options.loadDisk()]);
  const { connect, connectTo, watched, followed, submitted, traces, clock, random, memory, log } =
    options;
  const execution = new CustomExecution(() =>
    Promise.resolve(
      openRun({
        source: { kind: "line", line },
        written: undefined,
        folder: undefined,
        confirmation: undefined,
        report: reportNowhere,
        sent: () => undefined,
        workingDirectory: directoryOf(TaskScope.Workspace),
        connect,
        connectTo,
        watched,
        followed,
        submitted,
        traces,
        clock,
        random,
        memory,
        log,
        ...disk,
      }),
    ),
  );
  const label = `${name} ${new Date(clock.now()).toLocaleTimeString()}`;
  // The editor takes two tasks for one by this member; as a profile it would be refused.
  const definition = { type: taskType, application: `${label} ${clock.now()}`, label };
  return runTask(definition, TaskScope.Workspace, label, "spark-submit", execution);
}

async function save({ loadSubmit }: SubmitOptions, choice: PastedChoice): Promise<void> {
  const folder = await pickFolder();
  if (folder === undefined) return;
  const label = await window.showInputBox({
    title: l10n.t("Save as Run Profile"),
    prompt: l10n.t("Name of the profile"),
    value: choice.name,
    validateInput: (text) => (text.trim() === "" ? l10n.t("Type a name") : undefined),
  });
  if (label === undefined) return;
  const { profile, inputs, losses } = (await loadSubmit()).profileOfPasted(choice);
  await writeProfile(folder, label, profile, inputs);
  if (losses.length > 0) {
    void window.showWarningMessage(
      l10n.t('The profile "{0}" does not say all that the line said. {1}', label, losses.join(" ")),
    );
  }
}

async function serverInUse({ connect }: SubmitOptions): Promise<string | undefined> {
  const connected = await connect(undefined, new AbortController().signal);
  if (!connected.ok) return undefined;
  connected.value.dispose();
  return connected.value.server;
}
