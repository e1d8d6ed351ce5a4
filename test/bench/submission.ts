// Measures the time from the start of a submission until the API server stores the driver pod. Our submission and the
// real spark-submit take turns on the same server. Needs KUBECONFIG and SPARK_K8S_SPARK_HOMES: folders of Spark
// distributions, each named by its version.
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { connect as dial, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { parseDocument } from "yaml";
import { inEnglish } from "../../src/base/message.ts";
import type { Connection } from "../../src/engine/ports/connection.ts";
import { sendNoCode } from "../../src/engine/submit/sendCode.ts";
import { submitPlan } from "../../src/engine/submit/submitPlan.ts";
import { systemClock } from "../../src/engine/systemClock.ts";
import { parseSubmission } from "../../src/spark/submit/plan/parsedSubmission.ts";
import { prepareSubmission } from "../../src/spark/submit/plan/prepareSubmission.ts";
import { fileUploads } from "../../src/storage/fileUploads.ts";
import { localDisk } from "../../src/storage/localDisk.ts";
import { connectTo, openTestClusters } from "../cluster/testConnection.ts";
import { makeTestNamespace } from "../cluster/testNamespace.ts";
import { PodArrivals } from "./pods/podArrivals.ts";
import { isSmallest, Targets } from "./targets.ts";

const runs = isSmallest ? 1 : 5;
const atOnce = isSmallest ? 3 : 20;
const roundTripMs = 50;
const wantedRatio = 20;
const kubeconfig = process.env["KUBECONFIG"] ?? "";
const homes = (process.env["SPARK_K8S_SPARK_HOMES"] ?? "")
  .split(/[\s:]+/)
  .filter(Boolean)
  .slice(0, isSmallest ? 1 : undefined);
if (kubeconfig === "" || homes.length === 0) {
  console.error(
    "The submission bench needs KUBECONFIG and SPARK_K8S_SPARK_HOMES (folders of Spark).",
  );
  process.exit(1);
}

const clusters = openTestClusters();
const connect = (file = kubeconfig): Promise<Connection> => connectTo(clusters, file);

const watcher = await connect();
const namespace = await makeTestNamespace(watcher, `spark-k8s-bench-${process.pid}`);
const arrivals = new PodArrivals(watcher, namespace.name);
try {
  const warm = await connect();
  const targets = new Targets();
  for (const home of homes) {
    const version = basename(home);
    const ours: number[] = [];
    const oursCold: number[] = [];
    const theirs: number[] = [];
    await submitOurs(warm, version);
    for (let run = 0; run < runs; run++) {
      ours.push(await submitOurs(warm, version));
      const cold = await connect();
      oursCold.push(await submitOurs(cold, version));
      cold.dispose();
      theirs.push(await submitTheirs(home, warm.server));
    }
    const ratio = median(theirs) / median(ours);
    console.log(
      `Spark ${version}: driver pod stored after ${ms(ours)} (first request of a connection ${ms(oursCold)}); ` +
        `spark-submit ${ms(theirs)}; ${ratio.toFixed(0)} times faster ` +
        `(${(median(theirs) / median(oursCold)).toFixed(0)} times with a new connection)`,
    );
    targets.atLeast(`Spark ${version}, faster than spark-submit`, ratio, wantedRatio, "times");
  }
  const relay = await delayingRelay(kubeconfig, roundTripMs);
  try {
    for (const [place, file] of [
      ["near", kubeconfig],
      [`${roundTripMs} ms away`, relay.kubeconfig],
    ] as const) {
      const version = basename(homes[0] ?? "");
      for (const count of [1, atOnce]) {
        const connection = await connect(file);
        const before = relay.connections();
        const counted = counting(connection);
        const start = performance.now();
        const each = await Promise.all(
          Array.from({ length: count }, () => submitOurs(counted.connection, version)),
        );
        const whole = performance.now() - start;
        const opened = file === kubeconfig ? "" : `, ${relay.connections() - before} connections`;
        console.log(
          `${count} at once, API server ${place}: driver pods stored after ${ms(each)}, all after ` +
            `${whole.toFixed(0)} ms; ${counted.requests()} requests${opened}`,
        );
        connection.dispose();
      }
    }
  } finally {
    await relay.close();
  }
  targets.end();
} finally {
  await arrivals.stop();
  await namespace.remove();
  clusters.dispose();
}

// ---- The two sides -------------------------------------------------------------------------------

// No node matches the node selector, so no pod starts and only the submission is measured.
function tokens(name: string, server: string): readonly string[] {
  const conf = {
    "spark.kubernetes.namespace": namespace.name,
    "spark.kubernetes.container.image": "example.invalid/spark:1",
    "spark.kubernetes.driver.node.selector.bench": "nowhere",
    "spark.kubernetes.submission.waitAppCompletion": "false",
  };
  return [
    ...["--master", `k8s://${server}`, "--deploy-mode", "cluster"],
    ...["--name", name, "--class", "org.example.Main"],
    ...Object.entries(conf).flatMap(([key, value]) => ["--conf", `${key}=${value}`]),
    ...["local:///opt/a.jar", "10"],
  ];
}

async function submitOurs(connection: Connection, sparkVersion: string): Promise<number> {
  const name = newName();
  const stored = arrivals.next(name);
  const start = performance.now();
  const plan = prepareSubmission(
    parseSubmission({ kind: "tokens", sparkVersion, tokens: tokens(name, connection.server) }),
    {
      environment: {},
      workingDirectory: "/",
      userName: "bench",
      now: Date.now(),
      randomBytes,
      files: localDisk,
    },
  );
  if (!plan.ok) throw new Error(plan.error.map(({ message }) => inEnglish(message)).join("\n"));
  const ports = {
    objects: connection.objects,
    uploads: fileUploads,
    clock: systemClock,
    sendCode: sendNoCode,
  };
  const submitted = await submitPlan(plan.value, ports, AbortSignal.timeout(60_000));
  if (!submitted.ok) throw new Error(`not submitted: ${submitted.error.kind}`);
  return (await stored) - start;
}

async function submitTheirs(home: string, server: string): Promise<number> {
  const name = newName();
  const stored = arrivals.next(name);
  const start = performance.now();
  const child = spawn(`${home}/bin/spark-submit`, tokens(name, server), {
    env: { ...process.env, KUBECONFIG: kubeconfig, SPARK_HOME: home },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.on("data", (text) => (said += String(text)));
  const [code] = (await once(child, "close")) as [number | null];
  if (code !== 0) throw new Error(said);
  return (await stored) - start;
}

// ---- A server with a long round trip -------------------------------------------------------------

/** Wraps a connection to count the calls of its object API. Each call is one request. */
function counting(connection: Connection): {
  readonly connection: Connection;
  requests(): number;
} {
  let requests = 0;
  const { objects } = connection;
  const counted: Connection["objects"] = {
    create: (...given) => (requests++, objects.create(...given)),
    apply: (...given) => (requests++, objects.apply(...given)),
    replace: (...given) => (requests++, objects.replace(...given)),
    patch: (...given) => (requests++, objects.patch(...given)),
    read: (...given) => (requests++, objects.read(...given)),
    delete: (...given) => (requests++, objects.delete(...given)),
    list: (...given) => (requests++, objects.list(...given)),
  };
  const { server, pods } = connection;
  return {
    connection: { ...connection, server, pods, objects: counted, dispose: () => undefined },
    requests: () => requests,
  };
}

/**
 * Starts a TCP relay on loopback that delays all bytes by half of `roundTrip` milliseconds, and writes a kubeconfig
 * that uses it. `connections` returns the number of connections so far.
 */
async function delayingRelay(
  file: string,
  roundTrip: number,
): Promise<{
  readonly kubeconfig: string;
  connections(): number;
  close(): Promise<void>;
}> {
  const document = parseDocument(await readFile(file, "utf8"));
  const place = ["clusters", 0, "cluster"];
  const server = new URL(String(document.getIn([...place, "server"])));
  let connections = 0;
  const sockets = new Set<Socket>();
  const pass = (from: Socket, to: Socket): void => {
    from.on("data", (bytes) => setTimeout(() => to.write(bytes), roundTrip / 2));
    from.on("close", () => setTimeout(() => to.destroy(), roundTrip / 2));
    from.on("error", () => to.destroy());
  };
  const relay = createServer((near) => {
    connections++;
    const far = dial(Number(server.port || "443"), server.hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.setNoDelay(true);
    }
    pass(near, far);
    pass(far, near);
  });
  relay.listen(0, "127.0.0.1");
  await once(relay, "listening");
  const own = relay.address();
  if (own === null || typeof own === "string") throw new Error("no port");
  const folder = await mkdtemp(join(tmpdir(), "spark-k8s-bench-"));
  const kubeconfig = join(folder, "kubeconfig");
  document.setIn([...place, "server"], `https://127.0.0.1:${own.port}`);
  // TLS ends at the API server, so verify its certificate against its own host name.
  document.setIn([...place, "tls-server-name"], server.hostname);
  await writeFile(kubeconfig, document.toString(), { mode: 0o600 });
  return {
    kubeconfig,
    connections: () => connections,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      relay.close();
      await rm(folder, { recursive: true });
    },
  };
}

function newName(): string {
  return `bench-${randomBytes(4).toString("hex")}`;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}

function ms(values: readonly number[]): string {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return `${median(values).toFixed(0)} ms (${least.toFixed(0)} to ${most.toFixed(0)})`;
}
