// Tests scheduling, loss, replacement and decommissioning of executors with real Spark on the sandbox.
import assert from "node:assert/strict";
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fieldsOf, itemsOf, numberOf } from "../../src/base/json.ts";
import { findInstalledSpark } from "../../src/sandbox/life/historyServer.ts";
import { eventually } from "../host/eventually.ts";
import { projectRoot } from "../house/sources.ts";
import { SparkRig } from "./sparkRig.ts";
import { sparkHomes } from "./testSandbox.ts";

const jar = "local:///opt/spark/examples/jars/sparkdev-examples.jar";
const startMs = 180_000;

const counts = `from pyspark.sql import SparkSession
spark = SparkSession.builder.getOrCreate()
words = spark.sparkContext.parallelize(["a", "b", "a"], 2).map(lambda word: (word, 1)).reduceByKey(lambda x, y: x + y)
print("counted", sorted(words.collect()), flush=True)
`;

// Caches data and never reads it again, so blocks on another executor must have been migrated, not recomputed.
const holds = `import time
from pyspark.sql import SparkSession
spark = SparkSession.builder.getOrCreate()
numbers = spark.sparkContext.parallelize(range(200000), 8).cache()
print("counted", numbers.count(), flush=True)
time.sleep(3600)
`;

const breathes = `import time
from pyspark.sql import SparkSession
spark = SparkSession.builder.getOrCreate()
context = spark.sparkContext
slow = lambda x: (time.sleep(4), x)[1]
print("worked", context.parallelize(range(6), 6).map(slow).sum(), flush=True)
time.sleep(15)
print("rested", flush=True)
print("worked", context.parallelize(range(2), 2).map(slow).sum(), flush=True)
`;

const survives = `import time
from pyspark.sql import SparkSession
spark = SparkSession.builder.getOrCreate()
context = spark.sparkContext
print("started", context.parallelize(range(4), 4).sum(), flush=True)
slow = lambda x: (time.sleep(3), x)[1]
print("worked", context.parallelize(range(16), 16).map(slow).sum(), flush=True)
`;

test(
  "a history server of the newest Spark shows one event log",
  { timeout: 300_000 },
  async (t) => {
    const [home = ""] = sparkHomes();
    const folder = await mkdtemp(join(tmpdir(), "spark-k8s-event-log-"));
    t.after(() => rm(folder, { recursive: true }));
    const log = join(folder, "spark-1.zstd");
    await copyFile(join(projectRoot, "test/unit/eventLog/recordings/4.3.0-etl.zstd"), log);
    const spark = await findInstalledSpark({
      environment: { ...process.env, SPARK_HOME: home },
      downloads: folder,
      untrusted: () => [],
    });
    assert.equal(spark?.version, basename(home));
    const started = await spark.startHistoryServer(log, AbortSignal.timeout(150_000));
    assert.ok(started.ok, JSON.stringify(started));
    const { port } = started.value;
    const origin = `http://127.0.0.1:${port}`;
    const applications = await eventually(
      "the listed application",
      async () => itemsOf(await (await fetch(`${origin}/api/v1/applications`)).json()),
      (found) => found.length > 0,
      startMs,
    );
    assert.equal(applications.length, 1);
    const id = String(fieldsOf(applications[0])["id"]);
    const page = await fetch(`${origin}/history/${id}/jobs/`);
    assert.match(await page.text(), /Completed Jobs/);
    started.value.dispose();
    await eventually(
      "the end of the server",
      () =>
        fetch(origin).then(
          () => "answers",
          () => "gone",
        ),
      (state) => state === "gone",
    );
  },
);

for (const home of sparkHomes()) {
  const version = basename(home);
  const own = (name: string): string => `${name}-${version.replaceAll(".", "")}`;

  // Concurrent, because each application mostly waits for the cluster and for JVMs to start.
  describe(`Spark ${version} on the sandbox`, { timeout: 900_000, concurrency: 4 }, () => {
    let rig: SparkRig;
    before(async () => {
      rig = await SparkRig.start([home]);
    });
    after(() => rig.stop());

    test("runs a JVM application on two executors", async () => {
      const application = ["--class", "SparkdevExamples", jar, "pi", "4"];
      const pi = await rig.submit(home, own("pi"), application, {
        "spark.executor.instances": "2",
        "spark.scheduler.minRegisteredResourcesRatio": "1.0",
      });
      await pi.untilExecutors("two executors", (ids) => ids.length === 2);
      await pi.untilEnd("Succeeded");
      const log = await pi.log();
      assert.match(log, /Pi is roughly 3\.1/);
      assert.match(log, new RegExp(`Running Spark version ${version.replaceAll(".", "\\.")}`));
      // Objects owned by the driver are garbage-collected after its deletion.
      await eventually(
        "no executor",
        () => Promise.resolve(["1", "2"].map((id) => pi.executor(id))),
        (executors) => executors.every((one) => one === undefined),
      );
    });

    test("runs the example's applications from local files", async () => {
      const jobs = join(projectRoot, "media/example/jobs");
      const conf = { "spark.executor.instances": "1" };
      const jar = ["--class", "Letters", `local://${jobs}/letters.jar`, "2"];
      const letters = await rig.submit(home, own("letters"), jar, conf);
      await letters.untilEnd("Succeeded");
      assert.match(await letters.log(), /^u 4$/m);
      const program = [`local://${jobs}/word_lengths.py`, "1000"];
      const words = await rig.submit(home, own("lengths"), program, conf);
      await words.untilEnd("Succeeded");
      assert.match(await words.log(), /125 words of 3 letters/);
    });

    test("accepts a submission by Spark's own spark-submit, which waits for the end", async () => {
      const name = own("submitted");
      const said = await rig.sparkSubmit(home, name, [
        "local:///opt/spark/examples/src/main/python/pi.py",
        "2",
      ]);
      assert.match(said, /phase: Succeeded|exit code: 0/i);
      const driver = rig
        .pods()
        .find(({ metadata }) => metadata.labels?.["spark-app-name"] === name);
      assert.match(await rig.log(driver?.metadata.name ?? ""), /Pi is roughly 3\./);
    });

    test("runs a Python application on an executor", async () => {
      const words = await rig.submitPython(home, own("words"), counts, {
        "spark.executor.instances": "1",
      });
      await words.untilEnd("Succeeded");
      assert.match(await words.log(), /counted \[\('a', 2\), \('b', 1\)\]/);
    });

    test("replaces a killed executor, and the application succeeds", async () => {
      const app = await rig.submitPython(home, own("survives"), survives, {
        "spark.executor.instances": "2",
      });
      await app.untilSays("started 6");
      await app.untilExecutors("two executors", (ids) => ids.length === 2);
      const victim = app.executor("1");
      assert.ok(victim !== undefined);
      const gone = await rig.connection.objects.delete(
        {
          apiVersion: "v1",
          kind: "Pod",
          namespace: rig.namespace.name,
          name: victim.metadata.name,
        },
        { uid: undefined, propagationPolicy: undefined, gracePeriodSeconds: 0 },
        AbortSignal.timeout(20_000),
      );
      assert.ok(gone.ok);
      await app.untilExecutors("a third one", (ids) => ids.includes("3") && !ids.includes("1"));
      await app.untilEnd("Succeeded");
      assert.match(await app.log(), /worked 120/);
    });

    test("adds executors under load and removes idle ones", async () => {
      const app = await rig.submitPython(home, own("breathes"), breathes, {
        "spark.dynamicAllocation.enabled": "true",
        "spark.dynamicAllocation.shuffleTracking.enabled": "true",
        "spark.dynamicAllocation.minExecutors": "0",
        "spark.dynamicAllocation.maxExecutors": "2",
        "spark.dynamicAllocation.executorIdleTimeout": "3s",
      });
      await app.untilExecutors("two executors", (ids) => ids.length === 2);
      await app.untilSays("worked 15");
      await app.untilExecutors("none", (ids) => ids.length === 0);
      await app.untilSays("rested");
      await app.untilExecutors("new ones", (ids) => ids.some((id) => Number(id) > 2));
      await app.untilEnd("Succeeded");
    });

    test("migrates the blocks of an evicted executor, and replaces it", async () => {
      const app = await rig.submitPython(home, own("holds"), holds, {
        "spark.executor.instances": "2",
        "spark.scheduler.minRegisteredResourcesRatio": "1.0",
        "spark.locality.wait": "0",
        "spark.decommission.enabled": "true",
        "spark.storage.decommission.enabled": "true",
        "spark.storage.decommission.rddBlocks.enabled": "true",
        "spark.storage.decommission.shuffleBlocks.enabled": "true",
      });
      await app.untilSays("counted 200000");
      await app.untilExecutors("two executors", (ids) => ids.length === 2);
      const cached = async (): Promise<number> => {
        const [rdd] = itemsOf(await app.page("storage/rdd"));
        return numberOf(fieldsOf(rdd)["numCachedPartitions"]) ?? 0;
      };
      assert.equal(await cached(), 8);
      const leaving = app.executor("1");
      assert.ok(leaving !== undefined);
      const said = keepLog(rig, leaving.metadata.name);
      const { name } = leaving.metadata;
      const namespace = rig.namespace.name;
      const evicted = await rig.connection.evictions.evict(
        { namespace, name },
        { uid: undefined, gracePeriodSeconds: 60 },
        AbortSignal.timeout(20_000),
      );
      assert.ok(evicted.ok, JSON.stringify(evicted));
      await app.untilExecutors("a third one", (ids) => ids.includes("3") && !ids.includes("1"));
      assert.match(await said, /Finished decommissioning/i);
      assert.equal(await cached(), 8, await said);
    });
  });
}

/**
 * Follows an executor's log to its end and returns it. A later read would fail, because the log is deleted with the
 * pod.
 */
async function keepLog(rig: SparkRig, pod: string): Promise<string> {
  const lines: string[] = [];
  const request = {
    namespace: rig.namespace.name,
    pod,
    container: undefined,
    follow: true,
    previous: false,
    tailLines: undefined,
    sinceTime: undefined,
  };
  for await (const item of rig.connection.logs.readLog(request, AbortSignal.timeout(startMs))) {
    if (item.kind === "lines") lines.push(...item.take().map(({ text }) => text));
  }
  return lines.join("\n");
}
