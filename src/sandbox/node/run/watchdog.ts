// Runs a shell that briefly outlives the sandbox and kills all remaining processes of its containers.
import { spawn, type ChildProcessByStdio } from "node:child_process";
import { randomBytes } from "node:crypto";
import { Socket } from "node:net";
import type { Writable } from "node:stream";
import type { Disposable } from "../../../base/disposable.ts";
import type { StartedPid } from "./startedPid.ts";

/** Environment variable that marks each container process, to find the process even after it left its session. */
export const markName = "SPARK_K8S_SANDBOX";

// Kills all container processes when its stdin ends: the sandbox has ended then, even if by SIGKILL. Before, it reads
// `begin PID:START`, `end PID:START` (the first process of a container) and `peace` (exit without killing) from stdin.
// Finds processes by process group and parent, and on Linux also by the mark in their environment.
const script = `
trap '' HUP INT TERM
groups=""
while read -r word process; do
  case $word in
    begin) groups="$groups $process " ;;
    end) groups=$(printf %s "$groups" | sed "s/ $process / /") ;;
    peace) exit 0 ;;
  esac
done
started() {
  if [ -r /proc/self/stat ]; then
    line=$(cat "/proc/$1/stat" 2>/dev/null) || return
    set -- \${line##*) }
    echo "\${20}"
  else
    LC_ALL=C ps -o lstart= -p "$1" 2>/dev/null | awk '{ $1 = $1; gsub(/ /, "_"); print }'
  fi
}
found() {
  if [ -r /proc/self/environ ]; then
    grep -slaF "$0" /proc/[0-9]*/environ 2>/dev/null | sed 's|^/proc/||; s|/environ$||' | grep -vx "$$"
  fi
  for process in $groups; do
    group=\${process%%:*}
    now=$(started "$group")
    [ -z "$now" ] || [ "$now" = "\${process#*:}" ] || continue
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
  readonly #watched = new Set<StartedPid>();
  #shell: ChildProcessByStdio<Writable, null, null>;
  #isOver = false;

  constructor() {
    this.#shell = this.#start();
  }

  /** Returns the variables for every process that must end with the sandbox. */
  get mark(): Readonly<Record<string, string>> {
    return { [markName]: this.#mark.slice(markName.length + 1) };
  }

  watch(first: StartedPid): Disposable {
    this.#watched.add(first);
    this.#send("begin", first);
    return {
      dispose: () => {
        if (this.#watched.delete(first)) this.#send("end", first);
      },
    };
  }

  /** Ends the shell. Call it only when no container is running. */
  dispose(): void {
    this.#isOver = true;
    this.#shell.stdin.end("peace\n");
  }

  #send(word: "begin" | "end", { pid, started }: StartedPid): void {
    this.#shell.stdin.write(`${word} ${pid}:${started}\n`);
  }

  #start(): ChildProcessByStdio<Writable, null, null> {
    const shell = spawn("/bin/sh", ["-c", script, this.#mark], {
      stdio: ["pipe", "ignore", "ignore"],
      // The shell has its own session: a signal to the sandbox's process group must not end the watchdog.
      detached: true,
      // The shell does not have the mark, so that it does not kill itself.
      env: { PATH: process.env["PATH"] ?? "/usr/bin:/bin" },
    });
    shell.stdin.on("error", () => undefined);
    // The shell must not keep the sandbox process alive.
    shell.unref();
    if (shell.stdin instanceof Socket) shell.stdin.unref();
    shell.once("exit", () => {
      if (this.#isOver) return;
      // The shell was killed from outside: start another one with the current list.
      this.#shell = this.#start();
      for (const first of this.#watched) this.#send("begin", first);
    });
    return shell;
  }
}
