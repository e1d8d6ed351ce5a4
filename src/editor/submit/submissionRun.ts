import { l10n, window } from "vscode";
import { assertNever } from "../../base/assertNever.ts";
import type { Result } from "../../base/result.ts";
import type { ClusterError } from "../../engine/clusterError.ts";
import type {
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
import {
  decodeRunProfile,
  needsConfirmation,
  profileIn,
  type Follow,
  type RunProfile,
} from "../../spark/submit/runProfile.ts";
import type { SubmissionFinding } from "../../spark/submit/submissionFinding.ts";
import type { SubmissionPlan } from "../../spark/submit/submissionPlan.ts";
import type { Surroundings } from "../../spark/submit/surroundings.ts";
import { mayChange, refusalIn } from "../guard.ts";
import type { Log } from "../log.ts";
import type { TerminalPrinter } from "../logs/terminalPrinter.ts";
import { explainClusterError } from "../showError.ts";
import { followApplication } from "./followApplication.ts";
import { planOf, type PlanPlace } from "./planOf.ts";
import { RunTerminal } from "./runTerminal.ts";

export interface RunOptions {
  /** The task's definition: a run profile, its variables filled in. */
  readonly definition: unknown;
  /** Where relative paths begin. */
  readonly workingDirectory: string;
  /** A connection of the run's own, so that it stays with its cluster whatever the window turns to. */
  readonly connect: (
    context: string | undefined,
    signal: AbortSignal,
  ) => Promise<Result<Connection, ClusterError>>;
  readonly surroundings: (workingDirectory: string) => Surroundings;
  readonly fetchTexts: PlanPlace["fetchTexts"];
  readonly uploadsFor: (
    plan: SubmissionPlan,
    progress: (progress: UploadProgress) => void,
    warn: (sentence: string) => void,
  ) => UploadTarget;
  /** Told when the driver pod is there. */
  readonly submitted: (driver: PodRecord) => void;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

export interface UploadProgress {
  readonly upload: Upload;
  readonly stage: "reading" | "sending" | "copying";
  readonly doneBytes: number;
  readonly totalBytes: number;
}

/**
 * One submission in a terminal, from the profile to the driver's end: what is sent, the log, and an exit
 * code that is the driver's. Ctrl+C before the driver pod is there stops and undoes; after, it stops
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
    const { definition, connect } = this.#options;
    const decoded = decodeRunProfile(definition);
    if (this.#report(decoded.findings)) return 1;
    const connected = await connect(decoded.value.context, signal);
    if (!connected.ok) return this.#fail(explainClusterError(connected.error));
    const connection = connected.value;
    try {
      return await this.#runOn(connection, decoded.value, signal);
    } finally {
      connection.dispose();
    }
  }

  async #runOn(connection: Connection, written: RunProfile, signal: AbortSignal): Promise<number> {
    const profile = profileIn(written, connection.context);
    const refusal = refusalIn(connection.context);
    if (refusal !== undefined) return this.#fail(refusal);
    const ask = needsConfirmation(written, connection.context)
      ? () => confirm(profile, connection)
      : undefined;
    const action = l10n.t('Submit "{0}"', nameOf(profile));
    if (!(await mayChange(connection.context, action, ask))) {
      this.#printer.note(l10n.t("not submitted"));
      return 1;
    }
    const plan = await this.#prepare(profile, connection, signal);
    if (plan === undefined) return 1;
    const submitted = await this.#submit(plan, connection, signal);
    if (submitted === undefined) return 1;
    return this.#follow(plan, submitted, profile.follow ?? "driver", connection, signal);
  }

  async #prepare(
    profile: RunProfile,
    connection: Connection,
    signal: AbortSignal,
  ): Promise<SubmissionPlan | undefined> {
    const { surroundings, fetchTexts, workingDirectory } = this.#options;
    const place = { surroundings: surroundings(workingDirectory), fetchTexts };
    const plan = await planOf(profile, connection, place, signal);
    this.#report(plan.ok ? plan.value.warnings : plan.error);
    return plan.ok ? plan.value : undefined;
  }

  async #submit(
    plan: SubmissionPlan,
    { objects, context }: Connection,
    signal: AbortSignal,
  ): Promise<Submitted | undefined> {
    const { uploadsFor, clock } = this.#options;
    this.#printer.note(
      l10n.t('submitting to namespace "{0}" of "{1}"', plan.identity.namespace, context),
    );
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
    return submitted.value;
  }

  async #follow(
    plan: SubmissionPlan,
    submitted: Submitted,
    follow: Follow,
    connection: Connection,
    signal: AbortSignal,
  ): Promise<number> {
    const { clock, random, log } = this.#options;
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
    const around = { connection, printer: this.#printer, clock, random, log };
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

  /** True if one of the findings keeps the submission from being sent. */
  #report(findings: readonly SubmissionFinding[]): boolean {
    for (const { severity, code, message } of findings) {
      this.#printer.problem(severity, `${message} (${code})`);
    }
    return findings.some(({ severity }) => severity === "error");
  }

  #fail(words: string): number {
    this.#printer.problem("error", words);
    return 1;
  }
}

const mebibytes = (bytes: number): string => (bytes / 2 ** 20).toFixed(1);

const nameOf = ({ label, name, application }: RunProfile): string => label ?? name ?? application;

async function confirm(profile: RunProfile, { context }: Connection): Promise<boolean> {
  const button = l10n.t("Submit");
  const chosen = await window.showWarningMessage(
    l10n.t('Submit "{0}" to "{1}"?', nameOf(profile), context),
    { modal: true, detail: l10n.t("The run profile asks for a confirmation in this context.") },
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
