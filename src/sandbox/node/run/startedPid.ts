// The system reuses pids, so a process is identified by its pid and start time.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** Identifies a process, even if the system reuses its pid later. */
export interface StartedPid {
  readonly pid: number;
  /** Start time in the system's format, without spaces. */
  readonly started: string;
}

/** Returns the identity of a running process; undefined if there is none. Call it before a child is reaped. */
export function identityOf(
  pid: number | undefined,
  platform: NodeJS.Platform,
): StartedPid | undefined {
  if (pid === undefined) return undefined;
  const started = platform === "linux" ? startInProc(pid) : startByPs(pid);
  return started === undefined ? undefined : { pid, started };
}

/** Signals a process; returns false, without a signal, if it has ended. */
export function signalPid(
  { pid, started }: StartedPid,
  signal: NodeJS.Signals,
  platform: NodeJS.Platform,
): boolean {
  if (identityOf(pid, platform)?.started !== started) return false;
  try {
    return process.kill(pid, signal);
  } catch (error) {
    // The process ended meanwhile.
    if (error instanceof Error && "code" in error && error.code === "ESRCH") return false;
    throw error;
  }
}

/**
 * Returns the fields of `/proc/PID/stat` from the third on; see proc(5). The name before them may contain any
 * character.
 */
export const statFields = (text: string): readonly string[] =>
  text
    .slice(text.lastIndexOf(")") + 2)
    .trimEnd()
    .split(" ");

/** Index of the start time in the result of `statFields`. The unit is clock ticks since boot. */
export const startField = 19;

/** Joins the words of `ps -o lstart=`, such as `Tue Nov 24 02:45:04 2026`, with underscores. */
export const startWord = (text: string): string => text.trim().replace(/\s+/g, "_");

function startInProc(pid: number): string | undefined {
  try {
    return statFields(readFileSync(`/proc/${pid}/stat`, "latin1"))[startField];
  } catch {
    // The process has ended.
    return undefined;
  }
}

function startByPs(pid: number): string | undefined {
  try {
    const env = { ...process.env, LC_ALL: "C" };
    const text = execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], {
      env,
      encoding: "latin1",
      stdio: ["ignore", "pipe", "ignore"],
    });
    return startWord(text) || undefined;
  } catch {
    // ps fails if there is no such process.
    return undefined;
  }
}
