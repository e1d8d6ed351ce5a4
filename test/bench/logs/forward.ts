import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { setTimeout as wait } from "node:timers/promises";
import type { Connection } from "../../../src/engine/ports.ts";
import { cpuSecondsOf } from "./tools.ts";
import { benchPod } from "./writers.ts";

/** Bytes out of a pod by `kubectl port-forward` and by ours: over one connection, then over many at once. */
export async function forwardPorts(
  connection: Connection,
  namespace: string,
  image: string,
  forwardMiB: number,
): Promise<void> {
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
  const kubectl = ["port-forward", "-n", namespace, "pod/source", ":8000"];
  const forwarder = join(dirname(fileURLToPath(import.meta.url)), "forwarder.ts");
  const own = [forwarder, namespace, "source", "8000"];
  const forwards = [
    ["kubectl", spawn("kubectl", kubectl, { stdio: ["ignore", "pipe", "inherit"] })],
    ["ours", spawn(process.execPath, own, { stdio: ["ignore", "pipe", "inherit"] })],
  ] as const;
  try {
    for (const [name, child] of forwards) {
      const [said] = (await once(child.stdout, "data")) as [Buffer];
      const port = Number(/127\.0\.0\.1:(\d+)/.exec(said.toString())?.[1]);
      for (const connections of [1, 64]) await fetchAll(name, child, port, connections, forwardMiB);
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
): Promise<void> {
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
