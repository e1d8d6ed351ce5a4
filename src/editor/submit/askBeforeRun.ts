import type { Task } from "vscode";
import { msg } from "../../base/message.ts";
import { dateAndTime } from "../../base/timeOfDay.ts";
import { plainMask, type Mask } from "../../spark/redact.ts";
import { reportNowhere } from "../profiles/profileFinding.ts";
import { nameOfTask } from "../profiles/profileName.ts";
import type { Profiles } from "../profiles/registerProfiles.ts";
import { lastSent, type SentHere } from "../profiles/sentTexts.ts";
import type { inStatusBar } from "../progress.ts";
import type { ReadOnlyDocuments } from "../readOnlyDocuments.ts";
import type { Screen } from "../screen.ts";
import { showChecked, type AfterCheck } from "./offerNext.ts";
import { packagesPlace } from "./packages/packageAnswers.ts";
import type * as previews from "./previewSubmission.ts";
import type { ManifestBeforeRun, manifestBeforeRun, ProfileWindow } from "./profileManifest.ts";
import { nameOfChoice, placeToFix, type SubmissionChoice } from "./runDefinition.ts";
import type { Disk, RunServices } from "./submissionRun.ts";
import type { SubmitScreen, TaskHost } from "./taskPorts.ts";
import type { manifestText } from "./previewManifest.ts";

export interface AskBeforeOptions extends Pick<
  RunServices,
  "clusters" | "agree" | "memory" | "clock" | "log"
> {
  readonly profiles: Pick<Profiles, "reportFor">;
  readonly documents: ReadOnlyDocuments;
  readonly sentHere: SentHere;
  readonly screen: SubmitScreen;
  readonly host: TaskHost;
  readonly loadSubmit: () => Promise<PreviewDoor>;
  readonly loadDisk: () => Promise<Disk>;
}

/** The functions that check and preview a submission. `door.ts` exports them. */
export interface PreviewDoor extends Pick<typeof previews, "checkSubmission" | PreviewCommand> {
  readonly manifestBeforeRun: typeof manifestBeforeRun;
  readonly manifestText: typeof manifestText;
  readonly submitWindow: previews.PreviewWindow &
    ProfileWindow & { readonly screen: Screen; readonly inStatusBar: typeof inStatusBar };
}

/**
 * Shows the pre-flight check of a choice, and offers the next actions. `submit` gets the user's answers to input
 * variables.
 */
export async function checkChoice(
  options: AskBeforeOptions,
  choice: SubmissionChoice,
  submit: (answers: ReadonlyMap<string, string>) => Promise<void>,
): Promise<void> {
  const { host } = options;
  const asked = sourceOf(options, choice);
  await checkSource(options, asked, nameOfChoice(choice), ({ findings, places, answers }) => {
    const place = placeToFix(findings, places);
    return {
      submit: () => submit(answers),
      fix: place && (() => host.openAt(place.uri, place.range)),
      save: undefined,
    };
  });
}

/** As `checkChoice`, for a source other than a `SubmissionChoice`. `after`: returns the next actions. */
export async function checkSource(
  options: AskBeforeOptions,
  source: AskedSource,
  name: string,
  after: (checked: previews.CheckedSubmission) => Omit<AfterCheck, "show">,
): Promise<void> {
  const checked = await askBefore(options, source, plainMask, (door, asked, signal) =>
    door.checkSubmission({ ...asked, title: name }, door.submitWindow, signal),
  );
  if (checked === undefined) return;
  const { screen } = (await options.loadSubmit()).submitWindow;
  await showChecked({ ...checked, name }, after(checked), { ...options, screen });
}

type PreviewCommand = "describeSent" | "previewSubmission" | "comparableSubmission";

/** Returns the text of a preview or a comparison; undefined if it failed (and was reported). */
export const runPreviewText = (
  options: AskBeforeOptions,
  choice: SubmissionChoice,
  told: PreviewCommand,
  mask: Mask = plainMask,
): Promise<string | undefined> =>
  askBefore(options, sourceOf(options, choice), mask, (door, asked, signal) =>
    door[told](asked, door.submitWindow, signal),
  );

/** A submission to check or preview. `scope`: the scope of its task. */
export interface AskedSource extends Pick<previews.PreviewOptions, "source" | "folder" | "report"> {
  readonly scope: Task["scope"];
}

function sourceOf({ host, profiles }: AskBeforeOptions, choice: SubmissionChoice): AskedSource {
  const { definition, scope } = taskOf(choice, host);
  return {
    source: { kind: "profile", definition, written: definition },
    scope,
    folder: host.folderOf(scope),
    report:
      choice.kind === "profile"
        ? profiles.reportFor(nameOfTask(choice.task, host.folderOf))
        : reportNowhere,
  };
}

/** Calls `work` with the options for a submission, with progress in the status bar. Returns its result. */
export async function askBefore<T>(
  options: AskBeforeOptions,
  { scope, ...source }: AskedSource,
  mask: Mask,
  work: (door: PreviewDoor, asked: previews.PreviewOptions, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { clusters, agree, log, memory, loadSubmit, loadDisk, host } = options;
  const [door, disk] = await Promise.all([loadSubmit(), loadDisk()]);
  const { submissionEnvironment, fetchTexts, code, jvm, packages } = disk;
  const asked: previews.PreviewOptions = {
    place: {
      submissionEnvironment: submissionEnvironment(host.directoryOf(scope)),
      fetchTexts,
      collectCode: code.collect,
      jvm,
      packages: packagesPlace(packages, memory),
    },
    ...source,
    mask,
    clusters,
    agree,
    log,
  };
  const { inStatusBar, screen } = door.submitWindow;
  const title = screen.translated(msg("Querying the cluster"));
  return inStatusBar(title, (signal) => work(door, asked, signal));
}

/**
 * Returns the operator manifest that a choice runs; "another" if it runs another kind of application. Undefined if the
 * user cancels, or after a failure (reported).
 */
export async function manifestOf(
  { loadSubmit, loadDisk, log, host }: AskBeforeOptions,
  choice: SubmissionChoice,
): Promise<ManifestBeforeRun | "another" | undefined> {
  const [door, { submissionEnvironment }] = await Promise.all([loadSubmit(), loadDisk()]);
  const { definition, scope } = taskOf(choice, host);
  const place = {
    folder: host.folderOf(scope),
    submissionEnvironment: submissionEnvironment(host.directoryOf(scope)),
  };
  return door.manifestBeforeRun({ definition, ...place }, log, door.submitWindow);
}

/** Opens a diff editor with the last submission and the one that would be sent now. */
export async function compareWithLast(
  options: AskBeforeOptions,
  choice: SubmissionChoice,
): Promise<void> {
  const { documents, screen } = options;
  const name = nameOfChoice(choice);
  const last = lastSent(options.memory, name);
  if (last === undefined) {
    void screen.showInformationMessage(
      msg`Nothing to compare: "${name}" was not submitted from this workspace.`,
    );
    return;
  }
  const manifest = await manifestOf(options, choice);
  if (manifest === undefined) return;
  const sent = options.sentHere.textOf(name);
  const mask = sent === undefined ? plainMask : options.sentHere.mask;
  const text =
    manifest === "another"
      ? await runPreviewText(options, choice, "comparableSubmission", mask)
      : await textOfManifest(options, manifest, mask);
  if (text === undefined) return;
  const at = dateAndTime(last.at);
  await documents.compare(
    { path: "/last.yaml", text: sent ?? last.text },
    { path: "/now.yaml", text },
    screen.translated(
      sent === undefined
        ? msg`${name}: Submitted ${at} ↔ Now (Secrets Not Compared)`
        : msg`${name}: Submitted ${at} ↔ Now`,
    ),
  );
}

async function textOfManifest(
  { loadSubmit, log }: AskBeforeOptions,
  manifest: ManifestBeforeRun,
  mask: Mask,
): Promise<string | undefined> {
  const door = await loadSubmit();
  return door.manifestText(manifest, log, door.submitWindow.screen, mask);
}

const taskOf = (
  choice: SubmissionChoice,
  { workspaceScope }: TaskHost,
): Pick<Task, "definition" | "scope"> =>
  choice.kind === "profile"
    ? choice.task
    : { definition: choice.definition, scope: workspaceScope };
