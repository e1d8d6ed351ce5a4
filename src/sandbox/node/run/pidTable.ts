// The process table: parents, groups, sessions and memory.
import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { startField, startWord, statFields, type StartedPid } from "./startedPid.ts";

interface PidRow extends StartedPid {
  readonly parent: number;
  readonly group: number;
  /** 0 if the system does not report it. */
  readonly session: number;
  /** Resident bytes, including shared pages. */
  readonly resident: number;
}

/** Lists all processes; skips those that end meanwhile. */
export async function listProcesses(platform: NodeJS.Platform): Promise<readonly PidRow[]> {
  return platform === "linux" ? fromProc() : fromPs();
}

/**
 * Finds a container's processes: the first one, its descendants, and orphans in its session or group. Empty if another
 * process has the pid of the first one: the system reuses a pid only when its session and group are empty.
 */
export function processesOf(
  { pid: root, started }: StartedPid,
  rows: readonly PidRow[],
): readonly PidRow[] {
  if (rows.some((row) => row.pid === root && row.started !== started)) return [];
  const inside = new Set<number>();
  const isOwn = (row: PidRow): boolean =>
    row.pid === root ||
    row.session === root ||
    row.group === root ||
    (row.parent !== 1 && inside.has(row.parent));
  for (let before = -1; before !== inside.size;) {
    before = inside.size;
    for (const row of rows) if (isOwn(row)) inside.add(row.pid);
  }
  return rows.filter(({ pid }) => inside.has(pid));
}

async function fromProc(): Promise<readonly PidRow[]> {
  const names = (await readdir("/proc")).filter((name) => /^[0-9]+$/.test(name));
  const rows = await Promise.all(
    names.map((name) =>
      readFile(`/proc/${name}/stat`, "latin1").then(
        (text) => readStat(Number(name), text),
        () => undefined,
      ),
    ),
  );
  return rows.filter((row) => row !== undefined);
}

function readStat(pid: number, text: string): PidRow | undefined {
  const fields = statFields(text);
  const [state, parent, group, session] = fields;
  // Skip zombies and dead processes.
  if (state === undefined || state === "Z" || state === "X") return undefined;
  return {
    pid,
    started: fields[startField] ?? "",
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    resident: Number(fields[21]) * pageBytes,
  };
}

// The usual page size on Linux. Some ARM and POWER kernels use larger pages, so `resident` is too small there.
const pageBytes = 4096;

async function fromPs(): Promise<readonly PidRow[]> {
  const columns = "pid=,ppid=,pgid=,rss=,stat=,lstart=";
  const { stdout } = await promisify(execFile)("ps", ["-axo", columns], {
    maxBuffer: 2 ** 24,
    env: { ...process.env, LC_ALL: "C" },
  });
  return stdout.split("\n").flatMap((line) => {
    const [pid, parent, group, kibibytes, state = "", ...start] = line.trim().split(/\s+/);
    if (group === undefined || state.startsWith("Z")) return [];
    const resident = Number(kibibytes) * 1024;
    const started = startWord(start.join(" "));
    const numbers = { pid: Number(pid), parent: Number(parent), group: Number(group) };
    return [{ ...numbers, started, session: 0, resident }];
  });
}

/**
 * Returns the total proportional set size (PSS) of processes, in bytes: each process counts its share of a shared page.
 * Undefined if the system reports it for none of them.
 */
export async function proportionalBytes(
  pids: readonly number[],
  platform: NodeJS.Platform,
): Promise<number | undefined> {
  if (platform !== "linux") return undefined;
  const texts = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/smaps_rollup`, "latin1").catch(() => "")),
  );
  const sizes = texts.map((text) => Number(/^Pss:\s+([0-9]+) kB$/m.exec(text)?.[1] ?? NaN) * 1024);
  const known = sizes.filter((size) => !Number.isNaN(size));
  return known.length === 0 ? undefined : known.reduce((sum, size) => sum + size, 0);
}
