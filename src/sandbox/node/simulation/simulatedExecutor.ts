import type { SimulatedProgram, Script } from "./simulatedContainer.ts";

/** A command from the driver to an executor. `receiver`: the block manager that takes over the blocks. */
export type ExecutorCommand =
  | { readonly kind: "task"; readonly stage: number; readonly task: number }
  | { readonly kind: "decommission"; readonly receiver: string };

/**
 * Returns the script of a simulated executor. It registers, runs the driver's commands, and ends when it is stopped or
 * decommissioned.
 */
export const executorScript =
  (
    id: string,
    address: string,
    sparkVersion: string,
    next: () => Promise<ExecutorCommand>,
  ): Script =>
  async (program) => {
    program.log(
      "INFO",
      "CoarseGrainedExecutorBackend",
      `Started simulated executor of Spark ${sparkVersion}; nothing is computed`,
    );
    await program.sleep(400);
    program.log("INFO", "CoarseGrainedExecutorBackend", "Successfully registered with driver");
    program.log("INFO", "Executor", `Starting executor ID ${id} on host ${address}`);
    program.log(
      "INFO",
      "BlockManager",
      `Initialized BlockManager: BlockManagerId(${id}, ${address}, 7079, None)`,
    );
    for (;;) {
      const command = await orAbort(next(), program);
      if (command.kind === "decommission") return decommission(program, command.receiver);
      const { stage, task } = command;
      program.log("INFO", "Executor", `Running task ${task}.0 in stage ${stage}.0 (TID ${task})`);
      await program.sleep(300);
      program.log(
        "INFO",
        "Executor",
        `Finished task ${task}.0 in stage ${stage}.0 (TID ${task}). 1007 bytes result sent to driver`,
      );
    }
  };

async function decommission(program: SimulatedProgram, receiver: string): Promise<number> {
  program.log("INFO", "CoarseGrainedExecutorBackend", "Decommission executor");
  program.log("INFO", "BlockManagerDecommissioner", "Starting block migration");
  for (const block of ["rdd_2_0", "rdd_2_1", "shuffle_0_1_0"]) {
    await program.sleep(300);
    program.log("INFO", "BlockManagerDecommissioner", `Migrated ${block} to ${receiver}`);
  }
  program.log(
    "INFO",
    "CoarseGrainedExecutorBackend",
    "Executor self-exiting due to : Finished decommissioning",
  );
  return 0;
}

const orAbort = <T>(work: Promise<T>, { signal }: SimulatedProgram): Promise<T> =>
  new Promise((resolve, reject) => {
    const abort = (): void => {
      reject(new DOMException("The executor was stopped.", "AbortError"));
    };
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject);
  });
