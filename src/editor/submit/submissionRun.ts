import {
  inEnglish,
  msg,
  sentences,
  verbatim,
  type Message,
  type MessageText,
} from "../../base/message.ts";
import type { Memento, Uri } from "vscode";
import { assertNever } from "../../base/assertNever.ts";
import type { AccessConnection, AgreeToTrust, Connection } from "../../engine/ports/connection.ts";
import type { Clock, Random } from "../../engine/ports/clock.ts";
import type {
  CodeCollector,
  JvmPrograms,
  UploadProgress,
  UploadTarget,
} from "../../engine/ports/files.ts";
import type { PythonPackages } from "../../engine/ports/packages.ts";
import type { Undone } from "../../engine/submit/undoSubmission.ts";
import { sendCode, type SendReports } from "../../engine/submit/sendCode.ts";
import {
  submitPlan,
  type SubmissionFailure,
  type Submitted,
  type SubmitPorts,
} from "../../engine/submit/submitPlan.ts";
import { inMebibytes } from "../../spark/binarySize.ts";
import { decodePod } from "../../spark/pods/decodePod.ts";
import type { PodRecord } from "../../spark/pods/podRecord.ts";
import type { DebugRequest } from "../../spark/submit/debug/debugRequest.ts";
import { totalSize } from "../../spark/submit/code/sentCode.ts";
import type { FollowChoice } from "../../spark/submit/profile/runProfile.ts";
import { decodeRunProfile } from "../../spark/submit/profile/runProfile.ts";
import { defaultSecretRule } from "../../spark/redact.ts";
import { redactLine } from "../../spark/redactLine.ts";
import { runConf } from "../../spark/submit/preview/runConf.ts";
import { comparableText } from "../../spark/submit/preview/comparableText.ts";
import { filledTexts } from "../../spark/submit/profile/variables.ts";
import type { SubmissionFinding } from "../../spark/submit/plan/submissionFinding.ts";
import { silencer } from "../../spark/conf/lint/settingProblems.ts";
import { problemsOfConf } from "../../spark/submit/preflight/checkConf.ts";
import type { SeverityChoices } from "../../spark/conf/parse/directives.ts";
import { findingPlace } from "../../spark/submit/plan/findingPlace.ts";
import type { SubmissionPlan } from "../../spark/submit/plan/submissionPlan.ts";
import type { SubmissionEnvironment } from "../../spark/submit/conf/environment.ts";
import type { Log } from "../log.ts";
import type { ShownLogs } from "../logs/shownLogs.ts";
import type { LogConsole } from "../logs/logConsole.ts";
import type { WriteSent } from "../profiles/sentTexts.ts";
import type { FindingPlace, ReportFindings } from "../profiles/profileFinding.ts";
import { driverExitOf, type RunOutcome } from "../profiles/runOutcome.ts";
import type { Screen } from "../screen.ts";
import {
  followApplication,
  noteHidden,
  type EndFacts,
  type FindWatched,
  type AnnounceFollowed,
} from "./followApplication.ts";
import type { ControlledRun } from "./controlledRun.ts";
import { identityWords } from "./identityWords.ts";
import type { PlanPlace } from "./fetchTemplates.ts";
import {
  prepareRun,
  writtenText,
  type PreparedSubmission,
  type RunClusters,
  type RunRefusal,
  type RunSource,
} from "./prepareRun.ts";
import { packagesPlace } from "./packages/packageAnswers.ts";
import { forgetChangedImage, preparePackages } from "./packages/preparePackages.ts";
import { programOfSource } from "./builtProgram.ts";
import { checkPackages, type ProbeTexts } from "./checkPackages.ts";
import type { runBuild } from "./runBuild.ts";
import { sendFailureWords } from "./sendFailureWords.ts";
import { deliveryNote, resendWords } from "./deliveryWords.ts";
import type { findManifest } from "./manifestDocuments.ts";
import type { secretVariables } from "./resolveVariables.ts";
import { runQuery } from "./queryRun.ts";
import type { RunTerminalOptions } from "./runPty.ts";
import { runShell } from "./runShell.ts";
import type { TerminalRelay } from "../ui/terminalRelay.ts";

/** The options of a run. Each run has its own connection, which a context change does not affect. */
export interface SubmissionRunOptions {
  readonly services: RunServices;
  readonly disk: Disk;
  readonly events: RunEvents;
  /** The task's name. */
  readonly name: string;
  readonly source: RunSource;
  readonly folder: Uri | undefined;
  /** The base directory for relative paths. */
  readonly workingDirectory: string;
  /** Called before all other work; false ends the run. */
  readonly mayStart: () => Promise<boolean>;
  /** For an operator's application: replaces the existing object after a confirmation. */
  readonly resubmits?: boolean;
  /** The feature that controls the run. */
  readonly controlled?: ControlledRun | undefined;
}

/** The dependencies that all runs of a window share. */
export interface RunServices {
  readonly clusters: RunClusters;
  /** Asks for consent to send credentials to a server that a document names. */
  readonly agree: AgreeToTrust;
  readonly watched: FindWatched;
  readonly followed: AnnounceFollowed;
  /** Called when a driver pod was created. */
  readonly submitted: (driver: PodRecord) => void;
  readonly shownLogs: ShownLogs;
  readonly memory: Memento;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

/** The parts of the window and the VS Code settings that runs use. */
export interface RunWindow {
  readonly screen: Screen;
  /** True if logs are shown without redaction. */
  readonly showsLogSecrets: () => boolean;
  /** True if the driver pod of a shell is kept when its terminal closes. */
  readonly keepsShells: () => boolean;
  readonly runBuild: typeof runBuild;
  /** True if Python packages may be installed, because the workspace is trusted. */
  readonly mayInstall: () => boolean;
  readonly secretVariables: typeof secretVariables;
  readonly findManifest: typeof findManifest;
  /** Returns the user's severity settings for the rules of conf findings. */
  readonly severityChoices: () => SeverityChoices;
}

/** The callbacks of a run, in the order of its stages. */
export interface RunEvents {
  readonly report: ReportFindings;
  /** Receives a function that returns the text of the sent objects, for later comparison. */
  readonly sent: (write: WriteSent) => void;
  /** Receives the submitted run after the driver pod was created. */
  readonly began: (run: BegunRun) => void;
  /** Receives the outcome before the terminal closes. */
  readonly ended: (outcome: RunOutcome, exitCode: number | undefined, facts?: EndFacts) => void;
}

/** File access on the extension host's machine. */
export interface Disk {
  readonly submissionEnvironment: (workingDirectory: string) => SubmissionEnvironment;
  readonly fetchTexts: PlanPlace["fetchTexts"];
  readonly probeTexts: ProbeTexts;
  readonly code: CodeCollector;
  readonly jvm: JvmPrograms;
  readonly packages: PythonPackages;
  readonly uploadsFor: (
    plan: SubmissionPlan,
    /** The document's text before variable substitution. */
    written: string,
    progress: (progress: UploadProgress) => void,
    warn: (sentence: string) => void,
  ) => UploadTarget;
}

/** A submitted run, for the list of recent runs. */
export interface BegunRun {
  readonly driver: PodRecord;
  readonly plan: Pick<SubmissionPlan, "code" | "identity">;
  readonly context: string;
  /** The redacted entries of the conf: key and value. */
  readonly conf: readonly (readonly [string, string])[];
}

/**
 * Returns the terminal of a run, which prints the created objects and the log, and exits with the driver's exit code.
 * Ctrl+C before the driver pod exists undoes the submission; later it only detaches.
 */
export function submissionTerminal(
  options: SubmissionRunOptions,
  window: RunWindow,
): RunTerminalOptions {
  let outcome: RunOutcome = "notSubmitted";
  let facts: EndFacts | undefined;
  const changed = (now: RunOutcome, seen: EndFacts | undefined): void => {
    outcome = now;
    facts = seen;
  };
  const { controlled } = options;
  let exitCode = 1;
  return {
    ...options.services,
    ...options,
    work: async (output, signal, relay) => {
      exitCode = await new SubmissionRun(options, window, { output, relay }, changed).run(
        controlled === undefined ? signal : AbortSignal.any([signal, controlled.signal]),
      );
      return exitCode;
    },
    stoppedWords: () =>
      outcome === "notSubmitted" ? msg("canceled; nothing was submitted") : detachedWords(),
    ended: () => {
      options.events.ended(outcome, exitCode, facts);
      controlled?.ended({ outcome, exitCode });
    },
  };
}

const endWords = (exitCode: number | undefined): MessageText =>
  exitCode === undefined ? msg("no exit code") : String(exitCode);

/** Returns the message after Ctrl+C on a submitted application. */
export const detachedWords = (): Message => msg("detached; the application is still running");

class SubmissionRun {
  readonly #options: SubmissionRunOptions;
  readonly #window: RunWindow;
  readonly #output: LogConsole;
  readonly #relay: TerminalRelay;
  readonly #outcome: (outcome: RunOutcome, facts?: EndFacts) => void;
  #isConnectionTaken = false;
  #isSubmitted = false;

  constructor(
    options: SubmissionRunOptions,
    window: RunWindow,
    { output, relay }: { readonly output: LogConsole; readonly relay: TerminalRelay },
    outcome: (outcome: RunOutcome, facts: EndFacts | undefined) => void,
  ) {
    this.#options = options;
    this.#window = window;
    this.#output = output;
    this.#relay = relay;
    this.#outcome = outcome;
  }

  async run(signal: AbortSignal): Promise<number> {
    const { source, controlled } = this.#options;
    const debug =
      source.kind === "profile" ? await controlled?.request?.(source.definition) : undefined;
    if (debug === "canceled") return this.#canceled();
    signal.throwIfAborted();
    if (!(await this.#build(signal))) return this.#notSubmitted();
    const prepared = await this.#prepare(debug, signal);
    if (!prepared.ok) return this.#refuse(prepared.error);
    const { value } = prepared;
    if (value.kind === "text") {
      for (const line of value.lines) this.#output.text(line);
      return value.exitCode;
    }
    // Reject before any prompt, because a read-only context makes the answers useless.
    if (value.kind !== "status") {
      const refusal = this.#window.screen.refusalIn(value.offer);
      if (refusal !== undefined) {
        controlled?.refused?.(refusal);
        return this.#fail(refusal);
      }
    }
    if (value.kind === "submit") {
      await this.#report(value.warnings);
      this.#warnOfSettings(value.plan);
      if (!(await this.#hasPackages(value.plan, signal))) return this.#notSubmitted();
    }
    for (const line of value.verbose) this.#output.text(line);
    const opened = await value.offer.open(this.#options.services.agree, signal);
    if (!opened.ok) return this.#fail(this.#window.screen.explainClusterError(opened.error));
    const connection = opened.value;
    try {
      if (value.kind !== "submit") {
        const { clock } = this.#options.services;
        const { screen } = this.#window;
        const place = { output: this.#output, screen, clock };
        return await runQuery(value, connection, place, signal);
      }
      return await this.#runOn(value, connection, debug, signal);
    } finally {
      if (!this.#isConnectionTaken) connection.dispose();
    }
  }

  /** Checks the Maven packages of the conf. False (and reported) if no repository has one of them. */
  async #hasPackages(plan: SubmissionPlan, signal: AbortSignal): Promise<boolean> {
    const { source, disk, services } = this.#options;
    const { probeTexts: probe } = disk;
    const { memory } = services;
    const { missing, unknown } = await checkPackages(
      plan,
      writtenText(source),
      { probe, memory },
      signal,
    );
    if (unknown.length > 0) {
      this.#output.note(
        msg`no repository reported whether it has ${unknown.map(this.#shown).join(", ")}`,
      );
    }
    if (missing.length === 0) return true;
    this.#fail(
      msg`No repository has ${missing.map(this.#shown).join(", ")}. Correct spark.jars.packages, or add spark.jars.repositories.`,
    );
    return false;
  }

  readonly #shown = (text: string): string => redactLine(text, defaultSecretRule);

  /** Runs the build command of the profile or its project, if any. False (and reported) if it failed. */
  async #build(signal: AbortSignal): Promise<boolean> {
    const { source, disk, workingDirectory, folder } = this.#options;
    if (source.kind !== "profile") return true;
    const profile = decodeRunProfile(source.definition).value;
    const found = await programOfSource(profile, { jvm: disk.jvm, workingDirectory });
    // Continue, because the preparation reports the problem with its other findings.
    if (!found.ok) return true;
    const build = profile.build ?? found.value?.command;
    if (build === undefined || build === "") return true;
    this.#output.note(msg`building: ${build}`);
    const root = found.value?.root ?? workingDirectory;
    const exitCode = await this.#window.runBuild(build, root, folder, signal);
    if (exitCode !== 0) {
      this.#fail(msg`The build failed (${endWords(exitCode)}): ${build}`);
      return false;
    }
    // Only a build command in the profile needs the query, because the project's own command has written the class
    // path.
    if (found.value === undefined || profile.build === undefined) return true;
    const query = await disk.jvm.classPathCommand(found.value, profile.artifact);
    if (query === undefined) return true;
    this.#output.note(msg`reading the class path: ${query}`);
    const queryCode = await this.#window.runBuild(query, root, folder, signal);
    if (queryCode !== 0) {
      this.#output.problem(
        "warning",
        msg`The class path is unknown (${endWords(queryCode)}), so the jar is sent without its dependencies: ${query}`,
      );
    }
    return true;
  }

  #prepare(debug: DebugRequest | undefined, signal: AbortSignal): ReturnType<typeof prepareRun> {
    const { source, workingDirectory, disk, services } = this.#options;
    const { submissionEnvironment, fetchTexts, code, jvm, packages } = disk;
    const place = {
      submissionEnvironment: submissionEnvironment(workingDirectory),
      debug,
      fetchTexts,
      collectCode: code.collect,
      jvm,
      packages: packagesPlace(packages, services.memory),
    };
    return prepareRun(source, place, services.clusters, signal);
  }

  async #runOn(
    prepared: PreparedSubmission,
    connection: AccessConnection,
    debug: DebugRequest | undefined,
    signal: AbortSignal,
  ): Promise<number> {
    const { controlled } = this.#options;
    const { name, follow, needsConfirmation } = prepared;
    const { screen } = this.#window;
    if (controlled?.refused !== undefined) {
      const reason = this.#questionBefore(connection, needsConfirmation);
      if (reason !== undefined) {
        controlled.refused(reason);
        return this.#fail(reason);
      }
    }
    const ask = needsConfirmation ? () => confirm(screen, name, connection) : undefined;
    // The confirmation names debugging, because a debug port is a channel into the cluster. It covers the run and its
    // debug ports.
    const action = actionWords(prepared);
    if (!(await screen.mayChange(connection, action, ask))) return this.#canceled();
    signal.throwIfAborted();
    const plan = await this.#withPackages(prepared, connection, debug, signal);
    if (typeof plan === "number") return plan;
    for (const { key, value } of plan.debug?.entries ?? []) {
      this.#output.note(msg`debugging sets ${key}=${value}`);
    }
    const submitted = await this.#submit(plan, connection, signal);
    if (submitted === undefined) return 1;
    const driver = decodePod(submitted.driverPod.body);
    if (driver === undefined) throw new Error("the server's answer is no pod");
    this.#options.services.submitted(driver);
    const { source } = this.#options;
    const secrets = source.kind === "profile" ? this.#secretsOf(source) : [];
    this.#options.events.began({
      driver,
      plan,
      context: connection.context,
      conf: runConf(plan, secrets),
    });
    this.#isConnectionTaken = controlled?.takesConnection === true;
    if (plan.shell !== undefined) {
      const terminal = { output: this.#output, relay: this.#relay };
      const { clock } = this.#options.services;
      const place = { ...this.#window, connection, terminal, clock };
      const exitCode = await runShell(driver, place, signal);
      this.#outcome(exitCode === 0 ? "succeeded" : "failed");
      return exitCode;
    }
    await controlled?.started({ name, plan, driver, connection });
    const isFollowed = controlled !== undefined && follow === "none";
    const exitCode = await this.#follow(
      plan,
      driver,
      isFollowed ? "driver" : follow,
      connection,
      signal,
    );
    await this.#compareImage(prepared, submitted.driverPod, connection, signal);
    return exitCode;
  }

  /** Returns the plan with the Python packages that the image lacks, or an exit code if nothing may be submitted. */
  async #withPackages(
    { plan, packages }: PreparedSubmission,
    connection: AccessConnection,
    debug: DebugRequest | undefined,
    signal: AbortSignal,
  ): Promise<SubmissionPlan | number> {
    if (packages.kind === "none") return plan;
    let refused: number | undefined;
    const again = async (): Promise<PreparedSubmission | undefined> => {
      const prepared = await this.#prepare(debug, signal);
      if (!prepared.ok) refused = await this.#refuse(prepared.error);
      return prepared.ok && prepared.value.kind === "submit" ? prepared.value : undefined;
    };
    const { disk, services, controlled } = this.#options;
    const { memory, clock } = services;
    const store = disk.packages;
    const end = await preparePackages(
      packages,
      plan,
      {
        screen: this.#window.screen,
        mayInstall: this.#window.mayInstall(),
        store,
        memory,
        connection,
        clock,
        mayAsk: controlled?.refused === undefined,
        note: (text) => {
          this.#output.note(text);
        },
        problem: (severity, text) => {
          this.#output.problem(severity, text);
        },
        again: async () => (await again())?.packages,
      },
      signal,
    );
    if (end === "canceled") {
      controlled?.refused?.(
        this.#window.screen.translated(
          msg("The image lacks Python packages. Run once to choose whether to send them."),
        ),
      );
      return this.#canceled();
    }
    if (end === "failed") return refused ?? 1;
    if (end === "unchanged") return plan;
    // Make the plan again, because the prompt and the installation may have changed the files that it sends.
    return (await again())?.plan ?? refused ?? 1;
  }

  async #compareImage(
    { packages }: PreparedSubmission,
    driver: Submitted["driverPod"],
    { objects }: AccessConnection,
    signal: AbortSignal,
  ): Promise<void> {
    if (packages.kind === "none" || signal.aborted) return;
    const read = await objects.read(driver, signal);
    if (!read.ok || read.value.uid !== driver.uid) return;
    const { question } = packages;
    if (await forgetChangedImage(read.value.body, question, this.#options.disk.packages)) {
      this.#output.note(
        msg`the image "${question.image}" has changed; the next run checks its packages`,
      );
    }
  }

  /** Returns the reason why a run in this context needs a confirmation; undefined if it needs none. */
  #questionBefore(connection: AccessConnection, needsConfirmation: boolean): string | undefined {
    const { screen } = this.#window;
    return needsConfirmation
      ? screen.translated(msg("The run profile requires confirmation in this context."))
      : screen.questionIn(connection);
  }

  #notSubmitted(): number {
    this.#output.note(msg("not submitted"));
    return 1;
  }

  #canceled(): number {
    this.#refusedFor(msg("canceled"));
    this.#output.note(msg("not submitted: canceled"));
    return 1;
  }

  async #submit(
    plan: SubmissionPlan,
    { objects, exec, context, identity }: AccessConnection,
    signal: AbortSignal,
  ): Promise<Submitted | undefined> {
    const { source, disk, services, events } = this.#options;
    const { uploadsFor, code } = disk;
    const { clock } = services;
    this.#output.note(msg`submitting to namespace "${plan.identity.namespace}" of "${context}"`);
    const inWhoseName = identityWords(identity);
    if (inWhoseName !== undefined) this.#output.note(inWhoseName);
    const uploads = uploadsFor(plan, writtenText(source), this.#progressPrinter(), (sentence) => {
      this.#output.problem("warning", sentence);
    });
    if (plan.code !== undefined) {
      this.#output.note(deliveryNote(plan.code));
      const advice = resendWords(plan.code);
      if (advice !== undefined) this.#output.note(advice);
    }
    const sendPorts = { objects, exec, collector: code, clock };
    const reports = this.#sendReports(totalSize(plan.code?.files ?? []));
    const ports: SubmitPorts = {
      objects,
      uploads,
      clock,
      sendCode: (pod, files, until) => sendCode(pod, files, sendPorts, reports, until),
    };
    const submitted = await submitPlan(plan, ports, signal);
    if (!submitted.ok) {
      this.#fail(failureWords(submitted.error, this.#window.screen));
      return undefined;
    }
    for (const { kind, name } of submitted.value.created) this.#output.note(`${kind} ${name}`);
    for (const { kind, name } of submitted.value.kept) {
      this.#output.note(msg`${kind} ${name} already exists, unchanged`);
    }
    if (source.kind === "profile") {
      const secrets = this.#secretsOf(source);
      events.sent((mask) => comparableText(plan, secrets, this.#window.screen.translated, mask));
    }
    return submitted.value;
  }

  #secretsOf({ written, definition }: Extract<RunSource, { kind: "profile" }>): readonly string[] {
    return filledTexts(written, definition, this.#window.secretVariables(this.#options.folder));
  }

  async #follow(
    plan: SubmissionPlan,
    driver: PodRecord,
    follow: FollowChoice,
    connection: Connection,
    signal: AbortSignal,
  ): Promise<number> {
    const { services, controlled } = this.#options;
    this.#isSubmitted = true;
    this.#outcome(follow === "none" ? "submitted" : "detached");
    if (follow === "none") {
      noteHidden(await services.watched(connection, driver), driver, this.#output).dispose();
      return 0;
    }
    const application = {
      target: plan.identity,
      driver,
      logs: follow,
      reportIntervalMs: plan.follow.kind === "untilEnd" ? plan.follow.reportIntervalMs : 1000,
    };
    const around = { ...services, ...this.#window, connection, output: this.#output };
    const end = await followApplication(application, around, signal);
    if (!end.ok) return this.#fail(this.#window.screen.explainClusterError(end.error));
    const { outcome, exitCode } =
      controlled?.isStopped() === true ? driverExitOf(undefined) : end.value;
    this.#outcome(outcome, end.value);
    return exitCode;
  }

  /** Returns a function that prints a line when the upload of a file starts, and after each further 10 %. */
  #progressPrinter(): (progress: UploadProgress) => void {
    let printed = "";
    return ({ upload, stage, doneBytes, totalBytes }) => {
      if (stage === "reading") return;
      const tenths = totalBytes === 0 ? 10 : Math.floor((10 * doneBytes) / totalBytes);
      const words = msg`uploading ${upload.path}: ${inMebibytes((totalBytes * tenths) / 10)} of ${inMebibytes(totalBytes)} MiB`;
      const text = inEnglish(words);
      if (text !== printed) this.#output.note(words);
      printed = text;
    };
  }

  /** Returns callbacks that print why the pod does not accept the code yet, and a line after each 10 % sent. */
  #sendReports(totalBytes: number): SendReports {
    let printed = 0;
    return {
      waiting: (reason) => {
        this.#output.note(msg`waiting for the driver pod: ${reason}`);
      },
      sent: (bytes) => {
        const tenths = Math.min(10, Math.floor((10 * bytes) / Math.max(totalBytes, 1)));
        if (tenths === printed) return;
        printed = tenths;
        const done = inMebibytes((totalBytes * tenths) / 10);
        this.#output.note(msg`sending code: ${done} of ${inMebibytes(totalBytes)} MiB`);
      },
    };
  }

  /** Prints findings, each with a link to its location. */
  async #report(findings: readonly SubmissionFinding[]): Promise<void> {
    const places = await this.#options.events.report(findings);
    const files = this.#files();
    for (const [index, finding] of findings.entries()) {
      const found = places[index];
      this.#printFinding(
        finding,
        found === undefined ? findingPlace(finding, files) : linkTo(found),
      );
    }
  }

  #printFinding(
    {
      severity,
      code,
      message,
    }: Pick<SubmissionFinding, "message" | "severity"> & { readonly code: string },
    place: string | undefined,
  ): void {
    this.#output.problem(severity, `${this.#window.screen.translated(message)} (${code})`);
    if (place !== undefined) this.#output.note(place);
  }

  #files(): SubmissionEnvironment["files"] {
    const { disk, workingDirectory } = this.#options;
    return disk.submissionEnvironment(workingDirectory).files;
  }

  /**
   * Warns about keys and values that this Spark version does not know. The linter reports them only in open documents.
   */
  #warnOfSettings(plan: SubmissionPlan): void {
    const files = this.#files();
    const choices = this.#window.severityChoices();
    const found = problemsOfConf(plan).map((problem) => ({
      ...problem,
      origin: plan.conf.get(problem.key)?.origin,
    }));
    const paths = new Set(
      found.flatMap(({ origin }) => (origin?.kind === "file" ? origin.path : [])),
    );
    const silencedIn = new Map(
      [...paths].map((path) => [path, silencer(files.text(path)?.text ?? "", choices)]),
    );
    const bySetting = silencer("", choices);
    for (const problem of found) {
      const { origin } = problem;
      const isSilenced = (origin?.kind === "file" && silencedIn.get(origin.path)) || bySetting;
      if (isSilenced(problem)) continue;
      this.#printFinding({ ...problem, severity: "warning" }, findingPlace(problem, files));
    }
  }

  async #refuse(refusal: RunRefusal): Promise<number> {
    if (refusal.kind === "cluster")
      return this.#fail(this.#window.screen.explainClusterError(refusal.error));
    await this.#report(refusal.findings);
    const error = refusal.findings.find(({ severity }) => severity === "error");
    if (error !== undefined) this.#refusedFor(error.message);
    return 1;
  }

  #fail(words: MessageText): number {
    this.#output.problem("error", words);
    this.#refusedFor(words);
    return 1;
  }

  /**
   * Reports the reason with the outcome "notSubmitted", for the profile's row. Does nothing once the application was
   * submitted.
   */
  #refusedFor(words: MessageText): void {
    if (this.#isSubmitted) return;
    this.#outcome("notSubmitted", { cause: this.#shown(this.#window.screen.translated(words)) });
  }
}

function actionWords({ name, plan }: PreparedSubmission): Message {
  if (plan.shell !== undefined) return msg`Open ${plan.shell} in "${name}"`;
  return plan.debug === undefined ? msg`Submit "${name}"` : msg`Debug "${name}"`;
}

/** Returns `path:line:column`, counted from 1, which terminals link. */
const linkTo = ({ uri, range: { start } }: FindingPlace): string =>
  `${uri.fsPath}:${start.line + 1}:${start.character + 1}`;

async function confirm(screen: Screen, name: string, { context }: Connection): Promise<boolean> {
  const button = msg("Submit");
  const detail = msg("The run profile requires confirmation in this context.");
  const chosen = await screen.showWarningMessage(
    msg`Submit "${name}" to "${context}"?`,
    { modal: true, detail },
    button,
  );
  return chosen === button;
}

function failureWords(failure: SubmissionFailure, screen: Screen): Message {
  switch (failure.kind) {
    case "upload":
      return msg`Cannot upload "${failure.error.upload.path}": ${failure.error.detail}.`;
    case "write": {
      const { kind, name } = failure.object;
      const refused = msg`Cannot create ${kind} "${name}".`;
      const reason = verbatim(screen.explainClusterError(failure.error));
      return sentences([refused, reason, undoneWords(failure, screen)]);
    }
    case "send":
      return sentences([sendFailureWords(failure.error, screen), undoneWords(failure, screen)]);
    case "canceled":
      return sentences([msg("Canceled."), undoneWords(failure, screen)]);
    default:
      return assertNever(failure);
  }
}

function undoneWords({ remaining, undoError }: Undone, screen: Screen): Message {
  if (remaining.length === 0) return msg("No resources were left behind.");
  const names = remaining.map(({ kind, namespace, name }) => `${kind} ${namespace}/${name}`);
  const left = msg`These resources could not be removed; delete them manually: ${names.join(", ")}.`;
  return undoError === undefined
    ? left
    : sentences([left, verbatim(screen.explainClusterError(undoError))]);
}
