import { l10n, window, type Memento, type Uri } from "vscode";
import { assertNever } from "../../base/assertNever.ts";
import type {
  AccessConnection,
  Clock,
  Connection,
  ObjectReference,
  Random,
  UploadTarget,
} from "../../engine/ports.ts";
import { submitPlan, type SubmissionFailure, type Submitted } from "../../engine/submitPlan.ts";
import { decodePod } from "../../spark/pods/decodePod.ts";
import type { PodRecord } from "../../spark/pods/podRecord.ts";
import type { Upload } from "../../spark/submit/driverSpec.ts";
import type { Follow } from "../../spark/submit/runProfile.ts";
import { comparableText } from "../../spark/submit/preview/comparableText.ts";
import { filledTexts } from "../../spark/submit/profile/variables.ts";
import type { SubmissionFinding } from "../../spark/submit/submissionFinding.ts";
import { findingPlace } from "../../spark/submit/findingPlace.ts";
import type { SubmissionPlan } from "../../spark/submit/submissionPlan.ts";
import type { Surroundings } from "../../spark/submit/surroundings.ts";
import { mayChange, refusalIn } from "../guard.ts";
import type { Log } from "../log.ts";
import type { TraceSink } from "../logs/loggedTrace.ts";
import type { TerminalPrinter } from "../logs/terminalPrinter.ts";
import type { ReportFindings } from "../profiles/profileFinding.ts";
import { explainClusterError } from "../showError.ts";
import { followApplication, type FindWatched, type TellFollowed } from "./followApplication.ts";
import { guardedContext, identityWords, mayUseIdentity } from "./foreignServer.ts";
import type { PlanPlace } from "./planOf.ts";
import {
  prepareRun,
  type PreparedSubmission,
  type RunClusters,
  type RunRefusal,
  type RunSource,
} from "./prepareRun.ts";
import { passwordInputs } from "./resolveVariables.ts";
import { runQuery } from "./queryRun.ts";
import { RunTerminal } from "./runTerminal.ts";

/** A run's connection is its own, so that it stays with its cluster whatever the window turns to. */
export interface RunOptions extends RunClusters {
  readonly source: RunSource;
  /** The profile as it is written, its variables not filled in. */
  readonly written: unknown;
  readonly folder: Uri | undefined;
  /** Why the run is confirmed whatever the profile and the settings say, if it is. */
  readonly confirmation: string | undefined;
  readonly report: ReportFindings;
  /** Told what was sent, as a later submission is compared with it. */
  readonly sent: (text: string) => void;
  /** Where relative paths begin. */
  readonly workingDirectory: string;
  readonly surroundings: (workingDirectory: string) => Surroundings;
  readonly fetchTexts: PlanPlace["fetchTexts"];
  readonly uploadsFor: (
    plan: SubmissionPlan,
    progress: (progress: UploadProgress) => void,
    warn: (sentence: string) => void,
  ) => UploadTarget;
  readonly watched: FindWatched;
  readonly followed: TellFollowed;
  /** Told when the driver pod is there. */
  readonly submitted: (driver: PodRecord) => void;
  /** Told of the traces in what is printed. */
  readonly traces: TraceSink;
  /** For an application of an operator: what is there under its name is replaced, once that is confirmed. */
  readonly resubmits?: boolean;
  readonly clock: Clock;
  readonly random: Random;
  /** Keeps what the user has agreed to. */
  readonly memory: Memento;
  readonly log: Log;
}

export interface UploadProgress {
  readonly upload: Upload;
  readonly stage: "reading" | "sending" | "copying";
  readonly doneBytes: number;
  readonly totalBytes: number;
}

/**
 * One run in a terminal, from the profile or the command line to the driver's end: what is sent, the log, and
 * an exit code that is the driver's. Ctrl+C before the driver pod is there stops and undoes; after, it stops
 * following, and the application runs on.
 */
export const submissionTerminal = (options: RunOptions): RunTerminal =>
  new RunTerminal({
    work: (printer, signal) => new SubmissionRun(options, printer).run(signal),
    stoppedWords: () => l10n.t("stopped following; the application runs on"),
    clock: options.clock,
    log: options.log,
  });

class SubmissionRun {
  readonly #options: RunOptions;
  readonly #printer: TerminalPrinter;

  constructor(options: RunOptions, printer: TerminalPrinter) {
    this.#options = options;
    this.#printer = printer;
  }

  async run(signal: AbortSignal): Promise<number> {
    const { source, surroundings, fetchTexts, workingDirectory } = this.#options;
    const place = { surroundings: surroundings(workingDirectory), fetchTexts };
    const prepared = await prepareRun(source, place, this.#options, signal);
    if (!prepared.ok) return this.#refuse(prepared.error);
    const { value } = prepared;
    if (value.kind === "text") {
      for (const line of value.lines) this.#printer.text(line);
      return value.exitCode;
    }
    const { connection, verbose } = value;
    try {
      if (value.kind === "submit") await this.#report(value.warnings);
      for (const line of verbose) this.#printer.text(line);
      if (!(await mayUseIdentity(connection, this.#options.memory))) {
        this.#printer.note(l10n.t("nothing was sent"));
        return 1;
      }
      if (value.kind !== "submit") {
        return await runQuery(value, this.#printer, this.#options.clock, signal);
      }
      return await this.#runOn(value, signal);
    } finally {
      connection.dispose();
    }
  }

  async #runOn(prepared: PreparedSubmission, signal: AbortSignal): Promise<number> {
    const { plan, connection, name, follow, needsConfirmation } = prepared;
    const context = guardedContext(connection);
    const refusal = refusalIn(context);
    if (refusal !== undefined) return this.#fail(refusal);
    const reason =
      this.#options.confirmation ??
      (needsConfirmation
        ? l10n.t("The run profile asks for a confirmation in this context.")
        : undefined);
    const ask = reason === undefined ? undefined : () => confirm(name, connection, reason);
    if (!(await mayChange(context, l10n.t('Submit "{0}"', name), ask))) {
      this.#printer.note(l10n.t("not submitted"));
      return 1;
    }
    signal.throwIfAborted();
    const submitted = await this.#submit(plan, connection, signal);
    if (submitted === undefined) return 1;
    return this.#follow(plan, submitted, follow, connection, signal);
  }

  async #submit(
    plan: SubmissionPlan,
    { objects, context, identity }: AccessConnection,
    signal: AbortSignal,
  ): Promise<Submitted | undefined> {
    const { uploadsFor, clock } = this.#options;
    this.#printer.note(
      l10n.t('submitting to namespace "{0}" of "{1}"', plan.identity.namespace, context),
    );
    const inWhoseName = identityWords(identity);
    if (inWhoseName !== undefined) this.#printer.note(inWhoseName);
    const uploads = uploadsFor(plan, this.#progressPrinter(), (sentence) => {
      this.#printer.problem("warning", sentence);
    });
    const submitted = await submitPlan(plan, { objects, uploads, clock }, signal);
    if (!submitted.ok) {
      this.#fail(failureWords(submitted.error));
      return undefined;
    }
    for (const { kind, name } of submitted.value.created) this.#printer.note(`${kind} ${name}`);
    for (const { kind, name } of submitted.value.kept) {
      this.#printer.note(l10n.t("{0} {1} was there already and is left as it is", kind, name));
    }
    const { source, written, folder, sent } = this.#options;
    if (source.kind === "profile") {
      const secrets = filledTexts(written, source.definition, passwordInputs(folder));
      sent(comparableText(plan, secrets));
    }
    return submitted.value;
  }

  async #follow(
    plan: SubmissionPlan,
    submitted: Submitted,
    follow: Follow,
    connection: Connection,
    signal: AbortSignal,
  ): Promise<number> {
    const { watched, followed, clock, random, log, traces } = this.#options;
    const driver = decodePod(submitted.driverPod.body);
    if (driver === undefined) throw new Error("the server's answer is no pod");
    this.#options.submitted(driver);
    if (follow === "none") return 0;
    const application = {
      target: plan.identity,
      driver,
      logs: follow,
      reportIntervalMs: plan.follow.kind === "untilEnd" ? plan.follow.reportIntervalMs : 1000,
    };
    const ports = { watched, followed, clock, random, log, traces };
    const around = { connection, printer: this.#printer, ...ports };
    const end = await followApplication(application, around, signal);
    return end.ok ? end.value : this.#fail(explainClusterError(end.error));
  }

  /** One line at the start of a stage, one at each further tenth. */
  #progressPrinter(): (progress: UploadProgress) => void {
    let printed = "";
    return ({ upload, stage, doneBytes, totalBytes }) => {
      if (stage === "reading") return;
      const tenths = totalBytes === 0 ? 10 : Math.floor((10 * doneBytes) / totalBytes);
      const words = l10n.t(
        "uploading {0}: {1} of {2} MiB",
        upload.path,
        mebibytes((totalBytes * tenths) / 10),
        mebibytes(totalBytes),
      );
      if (words !== printed) this.#printer.note(words);
      printed = words;
    };
  }

  /** Says what was found, each with a link to where it stands. */
  async #report(findings: readonly SubmissionFinding[]): Promise<void> {
    const places = await this.#options.report(findings);
    const { files } = this.#options.surroundings(this.#options.workingDirectory);
    for (const [index, finding] of findings.entries()) {
      const { severity, code, message } = finding;
      this.#printer.problem(severity, `${message} (${code})`);
      const place = places[index] ?? findingPlace(finding, files);
      if (place !== undefined) this.#printer.note(place);
    }
  }

  async #refuse(refusal: RunRefusal): Promise<number> {
    if (refusal.kind === "cluster") return this.#fail(explainClusterError(refusal.error));
    await this.#report(refusal.findings);
    return 1;
  }

  #fail(words: string): number {
    this.#printer.problem("error", words);
    return 1;
  }
}

const mebibytes = (bytes: number): string => (bytes / 2 ** 20).toFixed(1);

async function confirm(name: string, { context }: Connection, detail: string): Promise<boolean> {
  const button = l10n.t("Submit");
  const chosen = await window.showWarningMessage(
    l10n.t('Submit "{0}" to "{1}"?', name, context),
    { modal: true, detail },
    button,
  );
  return chosen === button;
}

function failureWords(failure: SubmissionFailure): string {
  switch (failure.kind) {
    case "upload":
      return l10n.t(
        '"{0}" was not uploaded: {1}.',
        failure.error.upload.path,
        failure.error.detail,
      );
    case "write": {
      const { kind, name } = failure.object;
      const refused = l10n.t('{0} "{1}" was not created.', kind, name);
      return `${refused} ${explainClusterError(failure.error)} ${undoneWords(failure.remaining)}`;
    }
    case "cancelled":
      return l10n.t("Cancelled. {0}", undoneWords(failure.remaining));
    default:
      return assertNever(failure);
  }
}

const undoneWords = (remaining: readonly ObjectReference[]): string =>
  remaining.length === 0
    ? l10n.t("Nothing of it is left in the cluster.")
    : l10n.t(
        "These could not be deleted again, do it by hand: {0}",
        remaining.map(({ kind, namespace, name }) => `${kind} ${namespace}/${name}`).join(", "),
      );
