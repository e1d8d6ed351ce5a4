// Sessions on a real cluster with real clients from PyPI: a query, a cut connection, and the end of an idle session.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import { connectWhenReady } from "../../src/engine/debug/connectWhenReady.ts";
import type { PodStream, PortForward } from "../../src/engine/ports/channels.ts";
import { systemClock } from "../../src/engine/systemClock.ts";
import type { PodRecord } from "../../src/spark/pods/podRecord.ts";
import { remoteOf, sessionPort } from "../../src/spark/submit/session/sessionPort.ts";
import { sessionUsers } from "../../src/spark/submit/session/sessionUsers.ts";
import { startRunner } from "../../src/storage/door.ts";
import { eventually } from "../host/eventually.ts";
import { projectRoot } from "../host/places.ts";
import { connectClient, connectJar } from "./connectClient.ts";
import { requireCluster } from "./requireCluster.ts";
import { startTestSession } from "./submittedDefinition.ts";
import { openTestPlace, smallConf, type TestPlace } from "./testPlace.ts";

const { kubeconfig, image } = requireCluster();
const namespace = `spark-k8s-session-${process.pid}`;
const startMs = 400_000;
const run = promisify(execFile);
const imageOf = (version: string): string => image.replace(/:[^:]*$/, `:${version}`);

const sum = `from pyspark.sql import SparkSession
spark = SparkSession.builder.getOrCreate()
print("sum", spark.range(10).selectExpr("sum(id) as s").collect()[0].s)
`;

describe("a Spark session", { timeout: 1_500_000 }, () => {
  let place: TestPlace;

  before(async () => {
    place = await openTestPlace(kubeconfig, namespace);
  });
  after(() => place.close());

  const start = async (version: string, idleMinutes: number): Promise<PodRecord> => {
    const jars = version.startsWith("3.") && connectJar !== undefined ? { jars: [connectJar] } : {};
    const base = {
      image: imageOf(version),
      namespace,
      serviceAccount: "spark",
      conf: { ...smallConf, "spark.driver.memory": "600m" },
      ...jars,
    };
    return startTestSession(place.connection, base, idleMinutes);
  };

  /** Waits until the server listens, and forwards its port. */
  const forward = async ({ name, labels }: PodRecord): Promise<Forwarded> => {
    const port = sessionPort({ labels }) ?? 0;
    const open = (signal: AbortSignal) =>
      place.connection.ports.open({ namespace, name, port }, signal);
    const ready = await connectWhenReady(
      { open, protocol: "http2", clock: systemClock },
      AbortSignal.timeout(startMs),
    );
    assert.ok(ready.ok, JSON.stringify(ready));
    const streams = new Set<PodStream>();
    const forwarded = await place.clusters.forward({
      localPort: undefined,
      dial: async (signal) => {
        const opened = await open(signal);
        if (opened.ok) streams.add(opened.value);
        return opened;
      },
      changed: () => undefined,
      failed: () => undefined,
    });
    return { forward: forwarded, streams, client: ready.value };
  };

  const phaseOf = async (name: string): Promise<string | undefined> => {
    const request = {
      namespace,
      labelSelector: "spark-role=driver",
      resourceVersion: undefined,
      limit: 50,
      continueToken: undefined,
    };
    const listed = await place.connection.pods.listPods(request, AbortSignal.timeout(60_000));
    assert.ok(listed.ok);
    return listed.value.pods.find((pod) => pod.name === name)?.phase;
  };

  const usersOf = async ({ name, labels }: PodRecord): Promise<readonly string[]> => {
    const id = labels["spark-app-selector"] ?? "";
    const pod = { namespace, name, port: 4040 };
    const path = `/api/v1/applications/${id}/jobs`;
    const jobs = await place.connection.pages.read(pod, path, AbortSignal.timeout(90_000));
    assert.ok(jobs.ok);
    return sessionUsers(jobs.value).map((user) => user.name);
  };

  /** Runs the test program with the session's `SPARK_REMOTE`, as a terminal would, and returns its output. */
  const runScript = async (python: string, remote: string): Promise<string> => {
    const folder = await mkdtemp(join(tmpdir(), "session-"));
    // The client of Spark 4 mistakes a program passed with "-c" for a doctest.
    const program = join(folder, "sum.py");
    await writeFile(program, sum);
    const env = { ...process.env, SPARK_REMOTE: remote, USER: "ann" };
    const { stdout } = await run(python, ["-W", "ignore", program], { env, timeout: startMs });
    await rm(folder, { recursive: true });
    return stdout;
  };

  for (const [version, client] of [
    ["4.3.0", "4"],
    ["3.5.9", "3.5"],
  ] as const) {
    const skip =
      client === "3.5" && connectJar === undefined
        ? "set SPARK_K8S_CONNECT_JAR to spark-connect_2.12"
        : false;
    test(
      `of Spark ${version} survives a cut connection, and ends when it is idle`,
      {
        skip,
      },
      async () => {
        const python = await connectClient(client);
        const driver = await start(version, 0.2);
        const { forward: port, streams, client: held } = await forward(driver);
        const remote = remoteOf(port.localPort);
        assert.match(await runScript(python, remote), /sum 45/);
        assert.deepEqual(await usersOf(driver), ["ann"]);

        const runner = startRunner({
          ...{ python, remote, folder: tmpdir(), environment: process.env },
          program: join(projectRoot, "media/session/run_selection.py"),
        });
        const select = async (language: "python" | "sql", code: string) => {
          const request = { language, code, path: "/w/a.py", line: 0, maxRows: 5 };
          const answer = await runner.run(request, AbortSignal.timeout(startMs));
          assert.ok(answer.ok && answer.value.kind === "done", JSON.stringify(answer));
          return answer.value;
        };
        await select(
          "sql",
          "create temporary view orders as select id, null as note from range(9)",
        );
        const cut = streams.size;
        for (const stream of streams) stream.dispose();
        const { table } = await select("sql", "select * from orders where id > 1;");
        assert.deepEqual(table?.rows[0], ["2", null]);
        assert.deepEqual([table.rows.length, table.more], [5, true]);
        assert.ok(cut > 0 && streams.size > cut);
        assert.equal((await select("python", "spark.table('orders').count()")).text, "9");
        runner.dispose();
        port.dispose();
        held.dispose();
        const phase = () => phaseOf(driver.name);
        await eventually("the end of the session", phase, (now) => now === "Succeeded", startMs);
      },
    );
  }
});

interface Forwarded {
  readonly forward: PortForward;
  /** Connections to the pod that clients opened through the forwarded port. */
  readonly streams: ReadonlySet<PodStream>;
  /** A connection that keeps the session from being idle. */
  readonly client: PodStream;
}
