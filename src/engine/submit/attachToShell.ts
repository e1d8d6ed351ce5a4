// Attaches a terminal to the shell of a driver pod.
import type { Message } from "../../base/message.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { decodePod } from "../../spark/pods/decodePod.ts";
import type { PodRecord } from "../../spark/pods/podRecord.ts";
import { sparkContainerOf } from "../../spark/pods/sparkContainer.ts";
import { attachedInput } from "../../spark/submit/shell/shellScript.ts";
import type { ExecSession, TerminalSize } from "../ports/channels.ts";
import type { Connection } from "../ports/connection.ts";
import type { PodName } from "../ports/reports.ts";
import { PodWait, stageOfSpark, type PodWaitPorts, type SendFailure } from "./podWait.ts";

export interface AttachPorts extends PodWaitPorts {
  readonly exec: Connection["exec"];
}

/**
 * Waits until the shell's container runs, attaches a terminal, and starts the shell. The caller disposes the session,
 * which does not end the shell. Rejects with an AbortError when `signal` aborts.
 */
export async function attachToShell(
  driver: PodRecord,
  { exec, ...ports }: AttachPorts,
  { size, waiting }: { readonly size: TerminalSize; readonly waiting: (reason: Message) => void },
  signal: AbortSignal,
): Promise<Result<ExecSession, SendFailure>> {
  const { namespace, name: pod } = driver;
  const ready = await new PodWait(driver, ports, waiting, stageOfSpark).untilWaiting(signal);
  if (!ready.ok) return ready;
  const attached = await exec.start(
    {
      ...{ namespace, pod, container: sparkContainerOf(driver)?.name },
      command: undefined,
      terminal: size,
    },
    signal,
  );
  if (!attached.ok) return err({ kind: "cluster", error: attached.error });
  attached.value.type(attachedInput);
  return ok(attached.value);
}

/**
 * Returns the exit code of a shell whose terminal has ended; undefined if the pod was deleted, cannot be read, or still
 * runs after 5 s.
 */
export async function shellExitCode(
  { namespace, name, uid }: PodName,
  { objects, clock }: PodWaitPorts,
  signal: AbortSignal,
): Promise<number | undefined> {
  const reference = { apiVersion: "v1", kind: "Pod", namespace, name };
  // The node reports the end of a container a moment after its terminal has ended.
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const read = await objects.read(reference, signal);
    const found = read.ok ? decodePod(read.value.body) : undefined;
    if (found?.uid !== uid) return undefined;
    const state = sparkContainerOf(found)?.state;
    if (state?.kind === "terminated") return state.exitCode;
    await clock.sleep(250, signal);
  }
  return undefined;
}
