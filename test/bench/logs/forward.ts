import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { setTimeout as wait } from "node:timers/promises";
import type { Connection } from "../../../src/engine/ports/connection.ts";
import type { Targets } from "../targets.ts";
import { cpuSecondsOf, tools } from "./tools.ts";
import { benchPod } from "./writers.ts";

/**
 * Compares the throughput of `kubectl port-forward` and ours when a pod sends `forwardMiB` MiB: over 1 connection, then
 * over 64 in parallel.
 */
export async function forwardPorts(options: {
  readonly connection: Connection;
  readonly namespace: string;
  readonly image: string;
  readonly forwardMiB: number;
  readonly targets: Targets;
}): Promise<void> {
  const { connection, namespace, image, forwardMiB, targets } = options;
  const script =
    "import socket,threading\ns=socket.socket();s.setsockopt(1,2,1);s.bind(('',8000));s.listen(128)\n" +
    "b=bytes(1<<20)\n" +
    `def serve(c):\n n=int(c.recv(16));\n for _ in range(n): c.sendall(b)\n c.close()\n` +
    "while True:\n c,_=s.accept(); threading.Thread(target=serve,args=(c,)).start()";
  const manifest = benchPod("source", "source", image, [["python3", "-c", script]]);
  await connection.objects.create(
    namespace,
    manifest,
    { dryRun: false, charset: false },
    AbortSignal.timeout(20_000),
  );
  await wait(8_000);
  const kubectl = ["kubectl", "kubectl", "port-forward", "-n", namespace, "pod/source", ":8000"];
  const forwarder = join(dirname(fileURLToPath(import.meta.url)), "forwarder.ts");
  const own = [forwarder, namespace, "source", "8000"];
  const programs = [
    ...(tools.includes("kubectl") ? [kubectl] : []),
    ["ours", process.execPath, ...own],
  ] as const;
  const forwards = programs.map(
    ([name, program, ...args]) =>
      [name, spawn(program, args, { stdio: ["ignore", "pipe", "inherit"] })] as const,
  );
  const rates = new Map<string, number>();
  try {
    for (const [name, child] of forwards) {
      const [said] = (await once(child.stdout, "data")) as [Buffer];
      const port = Number(/127\.0\.0\.1:(\d+)/.exec(said.toString())?.[1]);
      for (const connections of [1, 64]) {
        const rate = await fetchAll(name, child, port, connections, forwardMiB);
        rates.set(`${name} ${connections}`, rate);
      }
    }
    for (const connections of [1, 64]) {
      const [ours, peer] = ["ours", "kubectl"].map((name) => rates.get(`${name} ${connections}`));
      if (ours === undefined || peer === undefined) continue;
      const what = `port-forward, ${connections} connections, rate beside kubectl`;
      targets.atLeast(what, ours / peer, 0.8, "times");
    }
  } finally {
    for (const [, child] of forwards) child.kill();
  }
}

async function fetchAll(
  name: string,
  child: ChildProcess,
  port: number,
  connections: number,
  mebibytes: number,
): Promise<number> {
  const began = performance.now();
  const cpuBefore = cpuSecondsOf(child);
  const each = Math.ceil(mebibytes / connections);
  const all = Array.from({ length: connections }, () => fetchBytes(port, each));
  const received = (await Promise.all(all)).reduce((sum, one) => sum + one, 0) / 2 ** 20;
  const seconds = (performance.now() - began) / 1000;
  const cpu = ((cpuSecondsOf(child) - cpuBefore) / received) * 1000;
  console.log(
    `port-forward, ${connections} connections, ${name}: ${received.toFixed(0)} MiB in ${seconds.toFixed(1)} s: ` +
      `${(received / seconds).toFixed(0)} MiB a second, CPU ${cpu.toFixed(1)} ms a MiB`,
  );
  return received / seconds;
}

async function fetchBytes(port: number, mebibytes: number): Promise<number> {
  const socket = connect(port, "127.0.0.1");
  let bytes = 0;
  socket.on("data", (chunk: Buffer) => (bytes += chunk.length));
  socket.on("error", () => undefined);
  socket.write(String(mebibytes));
  await once(socket, "close");
  return bytes;
}
