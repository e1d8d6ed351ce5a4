import type { Actor, Script } from "./actor.ts";

/** What an executor is told by its driver. */
export type Cue =
  | { readonly kind: "task"; readonly stage: number; readonly task: number }
  | { readonly kind: "decommission"; readonly heir: string };

/** An executor: registers, does what it is told, and stays until it is let go. */
export const executorPart =
  (id: string, address: string, sparkVersion: string, next: () => Promise<Cue>): Script =>
  async (actor) => {
    actor.say(
      "INFO",
      "CoarseGrainedExecutorBackend",
      `Started daemon of Spark ${sparkVersion}; nothing is computed here`,
    );
    await actor.sleep(400);
    actor.say("INFO", "CoarseGrainedExecutorBackend", "Successfully registered with driver");
    actor.say("INFO", "Executor", `Starting executor ID ${id} on host ${address}`);
    actor.say(
      "INFO",
      "BlockManager",
      `Initialized BlockManager: BlockManagerId(${id}, ${address}, 7079, None)`,
    );
    for (;;) {
      const cue = await orAbort(next(), actor);
      if (cue.kind === "decommission") return decommission(actor, cue.heir);
      const { stage, task } = cue;
      actor.say("INFO", "Executor", `Running task ${task}.0 in stage ${stage}.0 (TID ${task})`);
      await actor.sleep(300);
      actor.say(
        "INFO",
        "Executor",
        `Finished task ${task}.0 in stage ${stage}.0 (TID ${task}). 1007 bytes result sent to driver`,
      );
    }
  };

async function decommission(actor: Actor, heir: string): Promise<number> {
  actor.say("INFO", "CoarseGrainedExecutorBackend", "Decommission executor");
  actor.say("INFO", "BlockManagerDecommissioner", "Starting block migration");
  for (const block of ["rdd_2_0", "rdd_2_1", "shuffle_0_1_0"]) {
    await actor.sleep(300);
    actor.say("INFO", "BlockManagerDecommissioner", `Migrated ${block} to ${heir}`);
  }
  actor.say(
    "INFO",
    "CoarseGrainedExecutorBackend",
    "Executor self-exiting due to : Finished decommissioning",
  );
  return 0;
}

const orAbort = <T>(work: Promise<T>, { signal }: Actor): Promise<T> =>
  new Promise((resolve, reject) => {
    const abort = (): void => {
      reject(new DOMException("The executor was let go.", "AbortError"));
    };
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject);
  });
