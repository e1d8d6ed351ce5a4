import type { ExecutorPod } from "../../spark/pods/application.ts";
import { decommissioningOf, type Decommissioning } from "../../spark/pods/decommission.ts";
import { fieldsOf } from "../../base/json.ts";
import { sparkContainerOf } from "../../spark/pods/sparkContainer.ts";
import type { ClusterError } from "../clusterError.ts";
import { markExecutor } from "./markExecutor.ts";
import type { Connection } from "../ports/connection.ts";
import type { DeleteOptions, ObjectReference } from "../ports/objects.ts";
import type { ExecSession } from "../ports/channels.ts";

export type DecommissionPorts = Pick<Connection, "objects" | "evictions" | "exec">;

/** The outcome of a request to decommission an executor. */
export type Decommission =
  /** The API server accepted the eviction or the deletion of the pod. */
  | { readonly kind: "evicted" | "deleted"; readonly gracePeriodSeconds: number }
  | { readonly kind: "signalled" }
  /** The executor is already decommissioning, or being deleted. */
  | { readonly kind: "alreadyLeaving" }
  | { readonly kind: "alreadyGone" }
  /** Another pod has the name now. */
  | { readonly kind: "replaced" }
  /** Decommissioning is disabled. */
  | { readonly kind: "off" }
  /** The container has no executor process. */
  | { readonly kind: "noProcess" }
  /** The command that sends the signal started, but its result was lost (slow container or broken connection). */
  | { readonly kind: "unconfirmed" }
  | { readonly kind: "failed"; readonly error: ClusterError };

type Conf = ReadonlyMap<string, string> | undefined;

/**
 * Labels and decommissions one executor, which then takes no more tasks, migrates its blocks and exits. If the pod has
 * Spark's preStop hook, it is evicted, which honors disruption budgets; if eviction is forbidden,
 * it is deleted with the same grace period. Without the hook or the permission to delete, the executor
 * process gets the signal directly. `conf` is the driver's; undefined if unreadable.
 */
export async function decommissionExecutor(
  ports: DecommissionPorts,
  executor: ExecutorPod,
  conf: Conf,
  signal: AbortSignal,
): Promise<Decommission> {
  const { namespace, name, uid } = executor.pod;
  const pod: ObjectReference = { apiVersion: "v1", kind: "Pod", namespace, name };
  const read = await ports.objects.read(pod, signal);
  if (!read.ok) return failureOf(read.error);
  if (read.value.uid !== uid) return { kind: "replaced" };
  if (isLeaving(read.value.body)) return { kind: "alreadyLeaving" };
  const container = sparkContainerOf(executor.pod)?.name;
  const state = decommissioningOf(read.value.body, container, conf);
  if (state.kind === "off") return { kind: "off" };
  await markExecutor(ports.objects, executor.pod, "decommissioned", conf, signal);
  if (!state.hasHook) return sendSignal(ports, executor, container, state, signal);
  const ordered = await orderAway(ports, pod, uid, state.gracePeriodSeconds, signal);
  if (ordered.kind !== "failed" || ordered.error.kind !== "forbidden") return ordered;
  const signalled = await sendSignal(ports, executor, container, state, signal);
  // If the signal is forbidden too, report the refused eviction and deletion.
  return isForbidden(signalled) ? ordered : signalled;
}

async function orderAway(
  { objects, evictions }: DecommissionPorts,
  pod: ObjectReference,
  uid: string,
  gracePeriodSeconds: number,
  signal: AbortSignal,
): Promise<Decommission> {
  const evicted = await evictions.evict(pod, { uid, gracePeriodSeconds }, signal);
  if (evicted.ok) return { kind: "evicted", gracePeriodSeconds };
  if (evicted.error.kind !== "forbidden") return failureOf(evicted.error);
  const options: DeleteOptions = { uid, propagationPolicy: undefined, gracePeriodSeconds };
  const deleted = await objects.delete(pod, options, signal);
  return deleted.ok ? { kind: "deleted", gracePeriodSeconds } : failureOf(deleted.error);
}

// Avoids `ps`, which an image may lack. The init process has the same command line, so the
// executable must be Java. A marker file records the signal. It contains the process start time,
// because a volume may outlive the container and process ids repeat.
const tellProcess = (name: string): string =>
  `for p in /proc/[0-9]*; do case "$(readlink "$p/exe")" in */java) ` +
  `if tr '\\0' ' ' < "$p/cmdline" | grep -q ExecutorBackend; then ` +
  // Field 22 of stat is the start time. Skip the process name in field 2, which may contain spaces and parentheses.
  `read -r s < "$p/stat"; set -- \${s##*) }; ` +
  `m="\${TMPDIR:-/tmp}/.spark-decommissioned-\${p#/proc/}-\${20}"; [ -e "$m" ] && exit ${alreadyTold}; ` +
  `kill -s ${name} "\${p#/proc/}" || exit; (: > "$m") 2> /dev/null; exit 0; fi;; ` +
  `esac; done; exit ${noProcess}`;
const noProcess = 3;
const alreadyTold = 4;

async function sendSignal(
  { exec }: DecommissionPorts,
  { pod }: ExecutorPod,
  container: string | undefined,
  { signal: name }: Decommissioning & { readonly kind: "on" },
  signal: AbortSignal,
): Promise<Decommission> {
  const started = await exec.start(
    {
      namespace: pod.namespace,
      pod: pod.name,
      container,
      command: ["/bin/sh", "-c", tellProcess(name)],
      terminal: undefined,
    },
    signal,
  );
  if (!started.ok) return failureOf(started.error);
  const { exitCode, error, words } = await endOf(started.value, signal);
  if (error?.kind === "unreachable") return { kind: "unconfirmed" };
  if (error) return failureOf(error);
  if (exitCode === 0) return { kind: "signalled" };
  if (exitCode === alreadyTold) return { kind: "alreadyLeaving" };
  if (exitCode === noProcess) return { kind: "noProcess" };
  const detail = `the signal was not sent: ${words.trim() || `exit code ${exitCode ?? 0}`}`;
  return { kind: "failed", error: { kind: "badResponse", status: undefined, detail } };
}

async function endOf(
  session: ExecSession,
  signal: AbortSignal,
): Promise<{
  readonly exitCode: number | undefined;
  readonly error: ClusterError | undefined;
  readonly words: string;
}> {
  let words = "";
  const close = (): void => {
    session.dispose();
  };
  signal.addEventListener("abort", close, { once: true });
  try {
    for await (const item of session.items) {
      if (item.kind === "output") words += item.text;
      if (item.kind === "ended") return { exitCode: item.exitCode, error: undefined, words };
      if (item.kind === "failed") {
        signal.throwIfAborted();
        return { exitCode: undefined, error: item.error, words };
      }
    }
    return { exitCode: undefined, error: undefined, words };
  } finally {
    signal.removeEventListener("abort", close);
  }
}

function failureOf(error: ClusterError): Decommission {
  if (error.kind === "notFound") return { kind: "alreadyGone" };
  if (error.kind === "conflict") return { kind: "replaced" };
  return { kind: "failed", error };
}

const isForbidden = (outcome: Decommission): boolean =>
  outcome.kind === "failed" && outcome.error.kind === "forbidden";

const isLeaving = (pod: unknown): boolean =>
  fieldsOf(fieldsOf(pod)["metadata"])["deletionTimestamp"] !== undefined;
