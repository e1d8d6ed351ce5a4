import { rm } from "node:fs/promises";
import { join } from "node:path";
import { sandboxClock } from "../clock.ts";
import { graceMs } from "../http/leases.ts";
import type { StartNode } from "../node/node.ts";
import { startSandbox } from "../sandbox.ts";
import { ownFolder } from "../../io/ownFolder.ts";
import { claimKubeconfig, releaseKubeconfig } from "./kubeconfig.ts";
import { sparkAccount } from "./sparkAccount.ts";
import { sparkDefinitions } from "./sparkDefinitions.ts";

/** Outcome of the start, printed as one line for the parent process. */
type Begun = "ready" | "another one runs";

interface SandboxRunOptions {
  readonly folder: string;
  readonly startNode: StartNode | undefined;
  /** Aborts on a termination signal. */
  readonly signal: AbortSignal;
  readonly begun: (how: Begun) => void;
  readonly log: (line: string) => void;
}

/** Runs a sandbox until its last lease expires, a client requests its stop, or the signal aborts. */
export async function runSandbox(options: SandboxRunOptions): Promise<void> {
  const { folder, startNode, signal, begun, log } = options;
  await ownFolder(folder);
  // Each process has its own node folder, because two sandboxes may start at once.
  const nodeFolder = join(folder, `node-${process.pid}`);
  // A dead sandbox with this pid may have left its files.
  await rm(nodeFolder, { recursive: true, force: true });
  await ownFolder(nodeFolder);
  const sandbox = await startSandbox({
    clock: sandboxClock,
    folder: nodeFolder,
    startNode,
    graceMs,
    contents: [...sparkDefinitions(), ...sparkAccount()],
    log,
  });
  if (!(await claimKubeconfig(folder, sandbox))) {
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
  await releaseKubeconfig(folder, sandbox);
  await rm(nodeFolder, { recursive: true, force: true });
}
