import { rm } from "node:fs/promises";
import { join } from "node:path";
import { systemClock } from "../clock.ts";
import { graceMs } from "../http/leases.ts";
import type { StartNode } from "../node/node.ts";
import { startSandbox } from "../sandbox.ts";
import { claim, ownFolder, release } from "./kubeconfig.ts";
import { sparkAccount } from "./sparkAccount.ts";
import { sparkDefinitions } from "./sparkDefinitions.ts";

/** How the beginning went, as the starter hears it: one line each. */
export type Begun = "ready" | "another one runs";

export interface RunOptions {
  readonly folder: string;
  readonly startNode: StartNode | undefined;
  /** Aborts when the process is told to end. */
  readonly signal: AbortSignal;
  readonly begun: (how: Begun) => void;
  readonly log: (line: string) => void;
}

/** Runs a sandbox until nobody uses it any more, or until it is told to end. */
export async function runSandbox(options: RunOptions): Promise<void> {
  const { folder, startNode, signal, begun, log } = options;
  await ownFolder(folder);
  // Of two that begin at once, each has its own until it is known who stays.
  const nodeFolder = join(folder, `node-${process.pid}`);
  await ownFolder(nodeFolder);
  const sandbox = await startSandbox({
    clock: systemClock,
    folder: nodeFolder,
    startNode,
    graceMs,
    contents: [...sparkDefinitions(), ...sparkAccount()],
    log,
  });
  if (!(await claim(folder, sandbox))) {
    await sandbox.stop();
    await rm(nodeFolder, { recursive: true, force: true });
    begun("another one runs");
    return;
  }
  const stop = (): void => void sandbox.stop();
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  begun("ready");
  await sandbox.done;
  await release(folder, sandbox);
  await rm(nodeFolder, { recursive: true, force: true });
}
