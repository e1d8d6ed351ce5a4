import { EventEmitter, l10n, window, type Pseudoterminal } from "vscode";
import { assertNever } from "../../base/assertNever.ts";
import { DisposableStore } from "../../base/disposable.ts";
import type { Result } from "../../base/result.ts";
import type { ClusterError } from "../../engine/clusterError.ts";
import { PodStore } from "../../engine/podStore.ts";
import type {
  Clock,
  Connection,
  ObjectReference,
  Random,
  UploadTarget,
} from "../../engine/ports.ts";
import { startReflector } from "../../engine/reflector.ts";
import { isAbort, start, type Running } from "../../engine/running.ts";
import { followDriver, type DriverEnd, type FollowReport } from "../../engine/submitFollow.ts";
import { submitPlan, type SubmissionFailure, type Submitted } from "../../engine/submitPlan.ts";
import { startTail, type Tail } from "../../engine/tail.ts";
import { appSelectorLabel, executorRole, roleLabel } from "../../spark/labels.ts";
import { hasTargetEnded, logTargetOf } from "../../spark/logs/targets.ts";
import { decodePod } from "../../spark/pods/decodePod.ts";
import { describeState } from "../../spark/pods/describeState.ts";
import { displayState } from "../../spark/pods/displayState.ts";
import { executorIdOf } from "../../spark/pods/executorId.ts";
import { exitOf } from "../../spark/pods/podExit.ts";
import type { PodRecord } from "../../spark/pods/podRecord.ts";
import { findPod, podsOf } from "../../spark/pods/podSnapshot.ts";
import {
  decodeRunProfile,
  needsConfirmation,
  profileIn,
  type Follow,
  type RunProfile,
} from "../../spark/submit/runProfile.ts";
import type { Upload } from "../../spark/submit/driverSpec.ts";
import type { SubmissionFinding } from "../../spark/submit/submissionFinding.ts";
import type { SubmissionPlan } from "../../spark/submit/submissionPlan.ts";
import type { Surroundings } from "../../spark/submit/surroundings.ts";
import { endWords, noticeWords, TerminalPrinter } from "../logs/terminalPrinter.ts";
import type { Log } from "../log.ts";
import { mayChange, refusalIn } from "../guard.ts";
import { explainClusterError } from "../showError.ts";
import { planOf } from "./planOf.ts";

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

const interrupt = "\x03";

/**
 * One submission in a terminal, from the profile to the driver's end: what is sent, the log, and an exit
 * code that is the driver's. Ctrl+C before the driver pod is there stops and undoes; after, it stops
 * following, and the application runs on.
 */
export class SubmissionRun implements Pseudoterminal {
  readonly #options: RunOptions;
  readonly #owned = new DisposableStore();
  readonly #writes = this.#owned.add(new EventEmitter<string>());
  readonly #closes = this.#owned.add(new EventEmitter<number>());
  readonly #printer: TerminalPrinter;
  readonly onDidWrite = this.#writes.event;
  readonly onDidClose = this.#closes.event;
  #work: Running | undefined;
  #connection: Connection | undefined;

  constructor(options: RunOptions) {
    this.#options = options;
    this.#printer = new TerminalPrinter((text) => {
      this.#writes.fire(text);
    }, options.clock);
  }

  open(): void {
    const work = start(async (signal) => {
      try {
        const exitCode = await this.#run(signal);
        this.#connection?.dispose();
        this.#closes.fire(exitCode);
      } catch (error) {
        if (isAbort(error) || signal.aborted) {
          this.#printer.note(l10n.t("stopped following; the application runs on"));
          // What a shell gives for Ctrl+C.
          this.#closes.fire(130);
          return;
        }
        this.#options.log.error(error);
        this.#printer.problem("error", l10n.t("Internal error; the log has the details."));
        this.#closes.fire(1);
      }
    });
    this.#work = work;
    work.done.catch(this.#options.log.error);
  }

  handleInput(input: string): void {
    if (input === interrupt) this.#work?.dispose();
  }

  close(): void {
    this.#work?.dispose();
    // The undo goes on; only the terminal is gone.
    void this.#work?.done.finally(() => {
      this.#owned.dispose();
    });
  }

  async #run(signal: AbortSignal): Promise<number> {
    const { definition, connect } = this.#options;
    const decoded = decodeRunProfile(definition);
    if (this.#report(decoded.findings)) return 1;
    const connected = await connect(decoded.value.context, signal);
    if (!connected.ok) return this.#fail(explainClusterError(connected.error));
    const connection = connected.value;
    const profile = profileIn(decoded.value, connection.context);
    const refusal = refusalIn(connection.context);
    if (refusal !== undefined) return this.#fail(refusal);
    const ask = needsConfirmation(decoded.value, connection.context)
      ? () => confirm(profile, connection)
      : undefined;
    const action = l10n.t('Submit "{0}"', nameOf(profile));
    if (!(await mayChange(connection.context, action, ask))) {
      this.#printer.note(l10n.t("not submitted"));
      return 1;
    }
    const plan = this.#prepare(profile, connection);
    if (plan === undefined) return 1;
    const submitted = await this.#submit(plan, connection, signal);
    if (submitted === undefined) return 1;
    return this.#follow(plan, submitted, profile.follow ?? "driver", connection, signal);
  }

  #prepare(profile: RunProfile, connection: Connection): SubmissionPlan | undefined {
    const { surroundings, workingDirectory } = this.#options;
    const plan = planOf(profile, connection, surroundings(workingDirectory));
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
    const { clock, random } = this.#options;
    const driver = decodePod(submitted.driverPod.body);
    if (driver === undefined) throw new Error("the server's answer is no pod");
    this.#options.submitted(driver);
    if (follow === "none") return 0;
    const life = new DisposableStore();
    try {
      let last: PodRecord | undefined;
      const tail = this.#tail(driver, "", () => last, connection, signal);
      life.add(tail);
      if (follow === "all") this.#tailExecutors(plan, connection, life, signal);
      const { objects, pods } = connection;
      let words = "";
      const report = (news: FollowReport): void => {
        if (news.kind !== "state") return;
        last = decodePod(news.pod.body) ?? last;
        const state = last === undefined ? "" : describeState(displayState(last));
        if (state !== words) this.#printer.note(l10n.t("driver: {0}", state));
        words = state;
        tail.wake();
      };
      const ports = { objects, pods, clock, random };
      const interval = plan.follow.kind === "untilEnd" ? plan.follow.reportIntervalMs : 1000;
      const end = await followDriver(plan.identity, ports, interval, report, signal);
      if (!end.ok) return this.#fail(explainClusterError(end.error));
      await Promise.race([tail.done, clock.sleep(lastWordsMs, signal)]);
      return this.#end(end.value);
    } finally {
      life.dispose();
    }
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

  #tail(
    pod: PodRecord,
    prefix: string,
    now: () => PodRecord | undefined,
    { logs }: Connection,
    signal: AbortSignal,
  ): Tail {
    const { clock, random, log } = this.#options;
    const target = logTargetOf({ pod, state: displayState(pod) });
    const tail = startTail(
      logs,
      target,
      {
        lines: (lines) => this.#printer.lines(lines, prefix, signal),
        notice: (notice) => {
          if (notice.kind !== "waiting") this.#printer.note(`${prefix}${noticeWords(notice)}`);
        },
        ended: (end) => {
          if (end.kind === "failed") this.#printer.note(`${prefix}${endWords(end)}`);
        },
      },
      {
        clock,
        random,
        tailLines: undefined,
        hasEnded: () => {
          const known = now();
          return known === undefined ? undefined : hasTargetEnded(known, target);
        },
      },
    );
    tail.done.catch(log.error);
    return tail;
  }

  /** Follows each executor from its start, its lines marked with its number. */
  #tailExecutors(
    { identity }: SubmissionPlan,
    connection: Connection,
    life: DisposableStore,
    signal: AbortSignal,
  ): void {
    const { clock, random, log } = this.#options;
    const store = life.add(new PodStore({ clock, log, intervalMs: 200 }));
    const selection = {
      namespace: identity.namespace,
      labelSelector: `${appSelectorLabel}=${identity.applicationId},${roleLabel}=${executorRole}`,
    };
    const followed = new Set<string>();
    life.add(
      store.subscribe(({ snapshot }) => {
        for (const pod of podsOf(snapshot)) {
          if (followed.has(pod.uid)) continue;
          followed.add(pod.uid);
          const prefix = `[${executorIdOf(pod) ?? pod.name}] `;
          life.add(
            this.#tail(pod, prefix, () => findPod(store.snapshot, pod.uid), connection, signal),
          );
        }
      }),
    );
    const reflector = life.add(
      startReflector(connection.pods, selection, store, { clock, random, log }),
    );
    reflector.done.catch(log.error);
  }

  #end(end: DriverEnd): number {
    if (end.kind === "gone") {
      this.#printer.problem("error", l10n.t("The driver pod is gone; how it ended is not known."));
      return 1;
    }
    const pod = decodePod(end.pod.body);
    if (end.kind === "succeeded") return 0;
    const exitCode = pod && exitOf(pod)?.exitCode;
    return exitCode === undefined || exitCode === 0 ? 1 : exitCode;
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

// The end of a log may come a little after the end of its pod.
const lastWordsMs = 5_000;

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
