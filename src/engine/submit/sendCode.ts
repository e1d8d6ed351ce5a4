// Sends files into the init container of a driver pod that waits for them.
import { isAbort } from "../../base/isAbort.ts";
import { inEnglish, msg, verbatim, type Message } from "../../base/message.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { SentFile } from "../../spark/submit/code/sentCode.ts";
import {
  codeContainerName,
  receiveCode,
  receiveCommand,
} from "../../spark/submit/code/streamContainer.ts";
import type { ClusterError } from "../clusterError.ts";
import type { Clock } from "../ports/clock.ts";
import type { CodeCollector } from "../ports/files.ts";
import type { Connection } from "../ports/connection.ts";
import type { PodName } from "../ports/reports.ts";
import { isTransient, needsUser } from "../watch/retryPolicy.ts";
import { type CodeProgram, writeArchive } from "./codeProgram.ts";
import { PodWait, type SendFailure } from "./podWait.ts";

export interface SendCodePorts {
  readonly objects: Pick<Connection["objects"], "read">;
  readonly exec: Connection["exec"];
  readonly collector: Pick<CodeCollector, "archive">;
  readonly clock: Clock;
}

export interface SendReports {
  /** Called with the reason why the pod is not ready for the files, whenever the reason changes. */
  readonly waiting: (reason: Message) => void;
  /** Called with the number of archive bytes sent so far. Starts over after a broken connection. */
  readonly sent: (bytes: number) => void;
}

/** Rejects. It is the `sendCode` of `SubmitPorts` for plans that have no code to stream. */
export const sendNoCode = (): Promise<never> =>
  Promise.reject(new Error("the plan has code to send"));

const maxRetries = 3;
/** Time limit from the end of the transfer to the end of the init container. */
const releaseMs = 30_000;

/**
 * Waits for the init container of `streamContainer`, sends the files, and waits until the container succeeded: only its
 * exit code shows that verified files are in place. After a broken connection, sends the archive again from its
 * beginning. There is no time limit while the pod is pending. A failure leaves the pod as it is: without code, its
 * driver never starts. Rejects with an AbortError when `signal` aborts.
 */
export async function sendCode(
  pod: PodName,
  files: readonly SentFile[],
  ports: SendCodePorts,
  reports: SendReports,
  signal: AbortSignal,
): Promise<Result<void, SendFailure>> {
  const wait = new PodWait(pod, ports, reports.waiting);
  for (let retries = 0; ; retries += 1) {
    const ready = await wait.untilWaiting(signal);
    if (!ready.ok || ready.value === "released") return ready.ok ? ok(undefined) : ready;
    const attempt = await sendOnce(pod, files, ports, reports, signal);
    if (attempt.kind === "failed") return err(attempt.failure);
    // The end of the container may close the connection before the program's exit code arrives.
    const isSent = attempt.kind === "sent";
    const end = await wait.untilEnded(isSent ? releaseMs : brokenMs, signal);
    if (!end.ok || end.value === "released") return end.ok ? ok(undefined) : end;
    if (isSent) return err({ kind: "podEnded", detail: stuck });
    if (retries >= maxRetries) return err({ kind: "cluster", error: attempt.error });
  }
}

/** Time limit in ms after a broken connection. A container that has received all files ends within this time. */
const brokenMs = 1_000;
const stuck = msg`container "${codeContainerName}" received the files but did not exit`;

type Attempt =
  | { readonly kind: "sent" }
  | { readonly kind: "broken"; readonly error: ClusterError }
  | { readonly kind: "failed"; readonly failure: SendFailure };

async function sendOnce(
  { namespace, name }: PodName,
  files: readonly SentFile[],
  { exec, collector }: SendCodePorts,
  { sent }: SendReports,
  signal: AbortSignal,
): Promise<Attempt> {
  const started = await exec.start(
    {
      namespace,
      pod: name,
      container: codeContainerName,
      command: receiveCommand(),
      terminal: undefined,
      hasInput: true,
    },
    signal,
  );
  if (!started.ok) return attemptOf(started.error);
  try {
    const archive = (): AsyncIterable<Uint8Array> => collector.archive(files, signal);
    return judge(await writeArchive(started.value, archive, sent, signal));
  } catch (error) {
    if (isAbort(error) || signal.aborted) throw error;
    if (!(error instanceof Error) || error.name !== "CodeChanged") throw error;
    const path = "path" in error ? String(error.path) : "";
    const detail = msg`"${path}" changed while it was being sent`;
    return { kind: "failed", failure: { kind: "fileChanged", detail } };
  } finally {
    started.value.dispose();
  }
}

/**
 * Decides whether a failed attempt may be repeated. The server reports a container that has just ended, or is not
 * running yet, as an internal error.
 */
const attemptOf = (error: ClusterError): Attempt =>
  needsUser(error) || !(isTransient(error) || error.kind === "notFound")
    ? { kind: "failed", failure: failureOfStart(error) }
    : { kind: "broken", error };

const failureOfStart = (error: ClusterError): SendFailure => ({ kind: "cluster", error });

/** Exit code of a program that SIGKILL ended, as when its container ends first. */
const killed = 137;

function judge({ end, stderr, isComplete }: CodeProgram): Attempt {
  if (end.kind === "failed") {
    const isAbsent = /executable file not found|no such file or directory/i.test(end.error.detail);
    return isAbsent
      ? failed({ kind: "lacksProgram", program: "bash", detail: verbatim(end.error.detail) })
      : { kind: "broken", error: end.error };
  }
  const { exitCode } = end;
  if (exitCode === 0) return { kind: "sent" };
  const last = lastLines(stderr);
  const detail = last === "" ? msg`exit code ${exitCode}` : verbatim(last);
  if (/no space left on device|disk quota exceeded/i.test(stderr))
    return failed({ kind: "volumeFull", detail });
  if (exitCode === receiveCode.noTar)
    return failed({ kind: "lacksProgram", program: "tar", detail });
  if (exitCode === receiveCode.notVerified) return failed({ kind: "notVerified", detail });
  if (isComplete && exitCode !== killed) return failed({ kind: "notUnpacked", detail });
  return {
    kind: "broken",
    error: { kind: "badResponse", status: undefined, detail: inEnglish(detail) },
  };
}

const failed = (failure: SendFailure): Attempt => ({ kind: "failed", failure });

const lastLines = (text: string): string => text.trim().split("\n").slice(-3).join("\n");
