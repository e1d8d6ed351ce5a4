// What the system tells of processes: whose children they are, and how much memory they hold.
import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { promisify } from "node:util";

export interface PidRow {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** 0 where the system does not tell. */
  readonly session: number;
  /** Resident bytes; pages that are shared count for each. */
  readonly resident: number;
}

/** All processes of this moment; one that ends meanwhile is left out. */
export async function listProcesses(platform: NodeJS.Platform): Promise<readonly PidRow[]> {
  return platform === "linux" ? fromProc() : fromPs();
}

/**
 * A container's processes: the first one, its children and theirs, and those that share its session or group
 * although their parent has gone.
 */
export function processesOf(root: number, rows: readonly PidRow[]): readonly PidRow[] {
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

/** proc(5). The name stands in parentheses and may hold any character. */
export function readStat(pid: number, text: string): PidRow | undefined {
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const [state, parent, group, session] = fields;
  // A zombie has ended and only waits for its parent.
  if (state === undefined || state === "Z" || state === "X") return undefined;
  return {
    pid,
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    resident: Number(fields[21]) * pageBytes,
  };
}

// All systems with /proc that Node runs on count `rss` in pages of this size, but for a few servers on ARM.
const pageBytes = 4096;

async function fromPs(): Promise<readonly PidRow[]> {
  const columns = "pid=,ppid=,pgid=,rss=,stat=";
  const { stdout } = await promisify(execFile)("ps", ["-axo", columns], { maxBuffer: 2 ** 24 });
  return stdout.split("\n").flatMap((line) => {
    const [pid, parent, group, kibibytes, state = ""] = line.trim().split(/\s+/);
    if (group === undefined || state.startsWith("Z")) return [];
    const resident = Number(kibibytes) * 1024;
    return [
      { pid: Number(pid), parent: Number(parent), group: Number(group), session: 0, resident },
    ];
  });
}

/** The memory of processes that share pages, each page counted once; undefined: the system does not tell. */
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
