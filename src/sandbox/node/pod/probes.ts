import { disposable, type Disposable } from "../../../base/disposable.ts";
import { numberOf, type Fields } from "../../../base/json.ts";
import type { SandboxClock } from "../../clock.ts";
import { isAbort } from "../../../base/isAbort.ts";
import type { ProbeKind } from "../spec/podSpec.ts";
import { runAction } from "./actions.ts";
import type { ContainerLife } from "./containerLife.ts";

const kinds: readonly ProbeKind[] = ["startup", "readiness", "liveness"];
const names = { startup: "Startup", readiness: "Readiness", liveness: "Liveness" };

type Probed = Pick<
  ContainerLife,
  "spec" | "record" | "inside" | "note" | "setReady" | "setStarted" | "killUnhealthy"
>;

/** Runs the probes of a container until disposed. */
export function startProbes(
  life: Probed,
  podAddress: string,
  clock: SandboxClock,
  onError: (error: unknown) => void,
): Disposable {
  const asked = kinds.flatMap((kind) => {
    const probe = life.spec.probes[kind];
    return probe === undefined ? [] : [[kind, probe] as const];
  });
  // Fast path: most containers have no probes.
  if (asked.length === 0) return nothing;
  const stop = new AbortController();
  const { signal } = stop;
  for (const [kind, probe] of asked) {
    runProbe([kind, probe], life, podAddress, clock, signal).catch((error: unknown) => {
      if (!isAbort(error)) onError(error);
    });
  }
  return disposable(() => {
    stop.abort();
  });
}

const nothing = disposable(() => undefined);

async function runProbe(
  [kind, probe]: readonly [ProbeKind, Fields],
  life: Probed,
  podAddress: string,
  clock: SandboxClock,
  signal: AbortSignal,
): Promise<void> {
  const seconds = (name: string, defaultSeconds: number): number =>
    (numberOf(probe[name]) ?? defaultSeconds) * 1000;
  const needed = numberOf(probe["successThreshold"]) ?? 1;
  const borne = numberOf(probe["failureThreshold"]) ?? 3;
  let successes = 0;
  let failures = 0;
  await clock.sleep(seconds("initialDelaySeconds", 0), signal);
  for (;;) {
    // Readiness and liveness probes wait for the startup probe.
    if (kind === "startup" || life.record.started) {
      const timeout = AbortSignal.timeout(seconds("timeoutSeconds", 1));
      const refusal = await runAction(probe, life, podAddress, AbortSignal.any([signal, timeout]));
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
          life.killUnhealthy(`Container ${life.spec.name} failed ${kind} probe, will be restarted`);
          return;
        }
      }
    }
    await clock.sleep(seconds("periodSeconds", 10), signal);
  }
}
