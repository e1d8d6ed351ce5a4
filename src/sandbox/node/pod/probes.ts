import { disposable, type Disposable } from "../../../base/disposable.ts";
import { numberOf, type Fields } from "../../../spark/pods/fields.ts";
import type { Clock } from "../../clock.ts";
import { isAbort } from "../abort.ts";
import type { ProbeKind } from "../spec/podSpec.ts";
import { act } from "./actions.ts";
import type { ContainerLife } from "./containerLife.ts";

const kinds: readonly ProbeKind[] = ["startup", "readiness", "liveness"];
const names = { startup: "Startup", readiness: "Readiness", liveness: "Liveness" };

/** Asks a running container how it is, until this is disposed of. */
export function startProbes(
  life: ContainerLife,
  podAddress: string,
  clock: Clock,
  onError: (error: unknown) => void,
): Disposable {
  const asked = kinds.flatMap((kind) => {
    const probe = life.spec.probes[kind];
    return probe === undefined ? [] : [[kind, probe] as const];
  });
  // Most have none, and there may be thousands.
  if (asked.length === 0) return nothing;
  const stop = new AbortController();
  const { signal } = stop;
  for (const [kind, probe] of asked) {
    keepAsking(kind, probe, life, podAddress, clock, signal).catch((error: unknown) => {
      if (!isAbort(error)) onError(error);
    });
  }
  return disposable(() => {
    stop.abort();
  });
}

const nothing = disposable(() => undefined);

async function keepAsking(
  kind: ProbeKind,
  probe: Fields,
  life: ContainerLife,
  podAddress: string,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  const seconds = (name: string, usual: number): number => (numberOf(probe[name]) ?? usual) * 1000;
  const needed = numberOf(probe["successThreshold"]) ?? 1;
  const borne = numberOf(probe["failureThreshold"]) ?? 3;
  let successes = 0;
  let failures = 0;
  await clock.sleep(seconds("initialDelaySeconds", 0), signal);
  for (;;) {
    // The others wait until it has started.
    if (kind === "startup" || life.record.started) {
      const patience = AbortSignal.timeout(seconds("timeoutSeconds", 1));
      const refusal = await act(probe, life, podAddress, AbortSignal.any([signal, patience]));
      signal.throwIfAborted();
      successes = refusal === undefined ? successes + 1 : 0;
      failures = refusal === undefined ? 0 : failures + 1;
      if (refusal !== undefined)
        life.note("Warning", "Unhealthy", `${names[kind]} probe failed: ${refusal}`);
      if (successes === needed && kind === "readiness") life.setReady(true);
      if (successes === needed && kind === "startup") {
        life.setStarted();
        return;
      }
      if (failures === borne) {
        if (kind === "readiness") life.setReady(false);
        else {
          life.killUnwell(`Container ${life.spec.name} failed ${kind} probe, will be restarted`);
          return;
        }
      }
    }
    await clock.sleep(seconds("periodSeconds", 10), signal);
  }
}
