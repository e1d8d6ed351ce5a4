// Nothing stays behind: a shell that outlives the sandbox by a moment and ends all that it started.
import { spawn, type ChildProcessByStdio } from "node:child_process";
import { randomBytes } from "node:crypto";
import { Socket } from "node:net";
import type { Writable } from "node:stream";
import type { Disposable } from "../../../base/disposable.ts";

/** Each process of a container carries it, so that it is found wherever it has gone. */
export const markName = "SPARK_K8S_SANDBOX";

// Reads the first process of each container. When the sandbox ends, in whatever way, its end of the pipe is
// closed and the reading with it. On Linux the mark in the environment finds all; elsewhere groups and children.
const script = `
trap '' HUP INT TERM
groups=""
while read -r word pid; do
  case $word in
    begin) groups="$groups $pid " ;;
    end) groups=$(printf %s "$groups" | sed "s/ $pid / /") ;;
    peace) exit 0 ;;
  esac
done
found() {
  if [ -r /proc/self/environ ]; then
    grep -slaF "$0" /proc/[0-9]*/environ 2>/dev/null | sed 's|^/proc/||; s|/environ$||' | grep -vx "$$"
  fi
  for group in $groups; do
    ps -A -o pid= -o ppid= -o pgid= 2>/dev/null | awk -v root="$group" '
      { parent[$1] = $2; group[$1] = $3 }
      END { for (pid in parent) { p = pid; n = 0
        while (p in parent && p != root && p > 1 && n++ < 99) p = parent[p]
        if (p == root || group[pid] == root) print pid } }'
  done
}
for round in 1 2 3 4 5; do
  pids=$(found | sort -u | tr '\\n' ' ')
  [ -n "$pids" ] || exit 0
  kill -KILL $pids 2>/dev/null
  sleep 0.1
done
`;

export class Watchdog implements Disposable {
  readonly #mark = `${markName}=${randomBytes(16).toString("hex")}`;
  readonly #watched = new Set<number>();
  #shell: ChildProcessByStdio<Writable, null, null>;
  #isOver = false;

  constructor() {
    this.#shell = this.#start();
  }

  /** For the environment of every process that is to end with the sandbox. */
  get mark(): Readonly<Record<string, string>> {
    return { [markName]: this.#mark.slice(markName.length + 1) };
  }

  watch(pid: number): Disposable {
    this.#watched.add(pid);
    this.#tell("begin", pid);
    return {
      dispose: () => {
        if (this.#watched.delete(pid)) this.#tell("end", pid);
      },
    };
  }

  /** To be called when nothing runs any more. */
  dispose(): void {
    this.#isOver = true;
    this.#shell.stdin.end("peace\n");
  }

  #tell(word: "begin" | "end", pid: number): void {
    this.#shell.stdin.write(`${word} ${pid}\n`);
  }

  #start(): ChildProcessByStdio<Writable, null, null> {
    const shell = spawn("/bin/sh", ["-c", script, this.#mark], {
      stdio: ["pipe", "ignore", "ignore"],
      // Of a session of its own: what ends the sandbox's group must not end its heir.
      detached: true,
      // Without the mark: it must not find itself.
      env: { PATH: process.env["PATH"] ?? "/usr/bin:/bin" },
    });
    shell.stdin.on("error", () => undefined);
    // It waits for the sandbox, not the sandbox for it.
    shell.unref();
    if (shell.stdin instanceof Socket) shell.stdin.unref();
    shell.once("exit", () => {
      if (this.#isOver) return;
      // Somebody ended it: another takes its place, and learns what it must know.
      this.#shell = this.#start();
      for (const pid of this.#watched) this.#tell("begin", pid);
    });
    return shell;
  }
}
