// Measures the bytes that are sent for a file that an earlier submission has already uploaded: to a shared folder, and
// to an S3 server.
import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { connect, createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../../src/engine/systemClock.ts";
import type { ResolvedConf } from "../../../src/spark/submit/conf/conf.ts";
import { uploadsFor } from "../../../src/storage/door.ts";
import { startS3Server } from "../../cluster/s3Server.ts";
import type { Targets } from "../targets.ts";

const mebibyte = 2 ** 20;

export async function measureUnchanged(targets: Targets, bytes: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "spark-k8s-bench-unchanged-"));
  try {
    const path = join(folder, "app.jar");
    await writeFile(path, randomBytes(bytes));
    await measureFolder(targets, path, join(folder, "shared"));
    await measureS3(targets, path, join(folder, "served"));
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function measureFolder(targets: Targets, path: string, shared: string): Promise<void> {
  const target = (id: number): string => join(shared, `spark-upload-${id}`, "app.jar");
  const first = await secondsOf(path, target(1), {});
  const again = await secondsOf(path, target(2), {});
  // With the same inode, the second upload is a hard link, so no bytes were copied.
  const [one, two] = await Promise.all([stat(target(1)), stat(target(2))]);
  tell(targets, "shared folder", { first, again, bytes: one.ino === two.ino ? 0 : two.size });
}

async function measureS3(targets: Targets, path: string, served: string): Promise<void> {
  await mkdir(join(served, "jars"), { recursive: true });
  const server = await startS3Server(served);
  const { port } = new URL(server.url);
  let received = 0;
  const relay = createServer((client) => {
    const upstream = connect(Number(port), "127.0.0.1");
    client.on("data", (chunk) => (received += chunk.length));
    client.pipe(upstream).pipe(client);
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      socket.on("error", () => other.destroy());
    }
  });
  await new Promise<void>((resolve) => relay.listen(0, "127.0.0.1", resolve));
  const settings = {
    "spark.hadoop.fs.s3a.endpoint": `http://127.0.0.1:${(relay.address() as AddressInfo).port}`,
    "spark.hadoop.fs.s3a.path.style.access": "true",
    "spark.hadoop.fs.s3a.access.key": server.accessKey,
    "spark.hadoop.fs.s3a.secret.key": server.secretKey,
  };
  const target = (id: number): string => `s3a://jars/up/spark-upload-${id}/app.jar`;
  try {
    const first = await secondsOf(path, target(1), settings);
    received = 0;
    const again = await secondsOf(path, target(2), settings);
    // Ignore less than 0.1 MiB: it consists only of request headers.
    tell(targets, "S3", { first, again, bytes: received < mebibyte / 10 ? 0 : received });
  } finally {
    relay.close();
    await server.stop();
  }
}

interface Figures {
  readonly first: number;
  readonly again: number;
  readonly bytes: number;
}

function tell(targets: Targets, place: string, { first, again, bytes }: Figures): void {
  console.log(`${place}: ${first.toFixed(2)} s, unchanged ${again.toFixed(2)} s`);
  targets.atMost(`unchanged file, ${place}`, bytes, 0, "bytes sent");
}

async function secondsOf(
  path: string,
  target: string,
  settings: Readonly<Record<string, string>>,
): Promise<number> {
  const conf: ResolvedConf = new Map(
    Object.entries(settings).map(([key, value]) => [key, { value, origin: { kind: "computed" } }]),
  );
  const uploads = uploadsFor(conf, {
    document: {
      written: Object.values(settings).join("\n"),
      isOfWorkspace: () => Promise.resolve(true),
      agree: () => Promise.resolve(false),
    },
    environment: {},
    homeDirectory: tmpdir(),
    clock: systemClock,
    random: Math.random,
  });
  const start = performance.now();
  const copied = await uploads.copy({ path, target }, AbortSignal.timeout(600_000));
  if (!copied.ok) throw new Error(copied.error.detail);
  return (performance.now() - start) / 1000;
}
