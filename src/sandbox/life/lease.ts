// The client side of the sandbox: finds, starts, leases and stops it. The sandbox is a separate process. Its kubeconfig
// contains its address and its token.
import { spawn } from "node:child_process";
import { request } from "node:https";
import { disposable, type Disposable } from "../../base/disposable.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { isReachable, readSandboxAccess, type SandboxAccess } from "./kubeconfig.ts";
import { neutralFolder } from "../node/image/programEnvironment.ts";
import type { SandboxSettings } from "./settings.ts";

export interface SandboxPlace {
  /** Folder of the sandbox's files, the same for all windows. */
  readonly folder: string;
  /** Path of `dist/sandbox.cjs`. */
  readonly program: string;
  /** Path of a Node or Electron executable. Electron runs as Node, because ELECTRON_RUN_AS_NODE is set. */
  readonly node: string;
  /** Environment of a new sandbox. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Settings of a new sandbox; a running one keeps its own. */
  readonly settings: SandboxSettings;
}

/** Keeps the sandbox running until disposed. */
export interface Lease extends Disposable {
  /** Settles when the sandbox has stopped, or the lease was disposed. */
  readonly done: Promise<void>;
  /** Stops the sandbox and its pods for all windows. */
  end(): Promise<void>;
}

/** Joins the running sandbox; undefined if none runs. */
export async function joinSandbox(folder: string): Promise<Lease | undefined> {
  const access = await readSandboxAccess(folder);
  return access !== undefined && (await isReachable(access)) ? hold(access) : undefined;
}

/** Joins the running sandbox, or starts one. The error is a message for the user, also if `signal` aborts the start. */
export async function startLeasedSandbox(
  place: SandboxPlace,
  signal: AbortSignal,
): Promise<Result<Lease, string>> {
  const running = await joinSandbox(place.folder);
  if (running !== undefined) return ok(running);
  const failure = await spawnSandbox(place, signal);
  if (failure !== undefined) return err(failure);
  const lease = await joinSandbox(place.folder);
  return lease === undefined ? err("the sandbox started but does not respond") : ok(lease);
}

/** Stops the sandbox and its pods for all windows; false if none ran. */
export async function stopSandbox(folder: string): Promise<boolean> {
  const access = await readSandboxAccess(folder);
  if (access === undefined || !(await isReachable(access))) return false;
  await hold(access).end();
  return true;
}

/** V8 flags that halve the heap of a sandbox with a large application. */
const heapFlags = ["--max-semi-space-size=2", "--heap-growing-percent=10"];
/** Node's exit code for an unknown option. */
const badOptionExitCode = 9;

/** Starts the process. Resolves with undefined when this or another sandbox is ready, else with an error message. */
function spawnSandbox(
  place: SandboxPlace,
  signal: AbortSignal,
  options = heapFlags,
): Promise<string | undefined> {
  const { folder, program, node, environment, settings } = place;
  return new Promise((resolve) => {
    const child = spawn(node, [...options, program, folder, JSON.stringify(settings)], {
      cwd: neutralFolder,
      // The sandbox outlives the window that started it, and gets no signals from its terminal.
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
      // Each malloc arena retains freed memory, so use only one.
      env: { ...environment, ELECTRON_RUN_AS_NODE: "1", MALLOC_ARENA_MAX: "1" },
      windowsHide: true,
      signal,
    });
    let stderr = "";
    child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
    child.stdout.once("data", () => {
      child.stdout.destroy();
      child.stderr.destroy();
      child.unref();
      resolve(undefined);
    });
    child.on("error", (error) => {
      resolve(error.message);
    });
    child.on("exit", (code) => {
      // Other V8 versions may not know the flags, so start again without them.
      if (code === badOptionExitCode && options.length > 0) {
        resolve(spawnSandbox(place, signal, []));
        return;
      }
      resolve(
        stderr.trim() === ""
          ? `the sandbox process ${code === null ? "was ended by a signal" : `exited with code ${code}`}`
          : stderr.trim(),
      );
    });
  });
}

function hold(access: SandboxAccess): Lease {
  const { url, authority, token } = access;
  let finish = (): void => undefined;
  const done = new Promise<void>((resolve) => (finish = resolve));
  const held = request(new URL("/sandbox/lease", url), {
    ca: authority,
    headers: { authorization: `Bearer ${token}` },
  });
  held.on("response", (response) => {
    response.resume();
    response.on("close", finish);
  });
  held.on("error", finish);
  held.on("close", finish);
  held.end();
  return {
    done,
    end: async () => {
      await ask(access, "DELETE", "/sandbox/lease");
      await done;
    },
    ...disposable(() => {
      held.destroy();
    }),
  };
}

const ask = (
  { url, authority, token }: SandboxAccess,
  method: string,
  path: string,
): Promise<void> =>
  new Promise((resolve) => {
    const options = { method, ca: authority, headers: { authorization: `Bearer ${token}` } };
    const asked = request(new URL(path, url), options, (response) => {
      response.resume();
      response.on("close", resolve);
    });
    asked.on("error", () => {
      resolve();
    });
    asked.end();
  });
