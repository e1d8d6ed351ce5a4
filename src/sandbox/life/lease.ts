// What a window does with the sandbox: find it, start it, hold it, end it. All of this works on files and
// connections; the sandbox itself is another process.
import { spawn } from "node:child_process";
import { request } from "node:https";
import { disposable, type Disposable } from "../../base/disposable.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { answers, readAccess, type Access } from "./kubeconfig.ts";
import type { SandboxSettings } from "./settings.ts";

export interface SandboxPlace {
  /** Where it keeps its files: the same for all windows. */
  readonly folder: string;
  /** `dist/sandbox.cjs` */
  readonly program: string;
  /** Runs programs for Node: the editor's own, told to be no editor. */
  readonly node: string;
  /** For a sandbox that is to begin; one that runs keeps its own. */
  readonly settings: SandboxSettings;
}

/** Held for as long as a window uses the sandbox. */
export interface Lease extends Disposable {
  /** Settles when the sandbox has gone, or the lease was let go of. */
  readonly done: Promise<void>;
  /** Ends the sandbox for all windows, with all its pods. */
  end(): Promise<void>;
}

/** Joins the sandbox that runs; undefined when none does. */
export async function joinSandbox(folder: string): Promise<Lease | undefined> {
  const access = await readAccess(folder);
  return access !== undefined && (await answers(access)) ? hold(access) : undefined;
}

/** Joins the sandbox that runs, or starts one. An error is a sentence. */
export async function startSandbox(
  place: SandboxPlace,
  signal: AbortSignal,
): Promise<Result<Lease, string>> {
  const running = await joinSandbox(place.folder);
  if (running !== undefined) return ok(running);
  const said = await begin(place, signal);
  if (said !== undefined) return err(said);
  const lease = await joinSandbox(place.folder);
  return lease === undefined ? err("it began, and does not answer") : ok(lease);
}

/** Ends the sandbox, with all its pods, for all windows. False: none ran. */
export async function stopSandbox(folder: string): Promise<boolean> {
  const access = await readAccess(folder);
  if (access === undefined || !(await answers(access))) return false;
  await hold(access).end();
  return true;
}

/** V8 else gives itself twice the memory that the pods of a large application take. */
const frugal = ["--max-semi-space-size=2", "--heap-growing-percent=10"];
/** Node's own, of an option that it does not know. */
const wrongUse = 9;

/** Undefined: it is ready. Else what it said instead. */
function begin(
  place: SandboxPlace,
  signal: AbortSignal,
  options = frugal,
): Promise<string | undefined> {
  const { folder, program, node, settings } = place;
  return new Promise((resolve) => {
    const child = spawn(node, [...options, program, folder, JSON.stringify(settings)], {
      // It outlives the window that started it, and is no part of that window's terminal.
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
      // One arena: of many, each holds on to memory that was used once.
      env: { ...process.env, ELECTRON_RUN_AS_NODE: "1", MALLOC_ARENA_MAX: "1" },
      windowsHide: true,
      signal,
    });
    let complaint = "";
    child.stderr.on("data", (chunk: Buffer) => (complaint += chunk.toString()));
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
      // The options are V8's, which may drop them.
      if (code === wrongUse && options.length > 0) {
        resolve(begin(place, signal, []));
        return;
      }
      resolve(complaint.trim() === "" ? `it ended with ${code ?? "a signal"}` : complaint.trim());
    });
  });
}

function hold(access: Access): Lease {
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

const ask = ({ url, authority, token }: Access, method: string, path: string): Promise<void> =>
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
