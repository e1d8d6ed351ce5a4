// Debugging of Python on a real cluster, with debugpy from PyPI and a Debug Adapter Protocol client.
import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import type { DebugRequest, PythonDebugger } from "../../src/spark/submit/debug/debugRequest.ts";
import { pathMappings } from "../../src/spark/submit/debug/pathMappings.ts";
import type { SubmissionPlan } from "../../src/spark/submit/plan/submissionPlan.ts";
import { pythonDebuggers } from "../../src/storage/door.ts";
import { DapClient } from "./dapClient.ts";
import { DebugRig } from "./debugRig.ts";
import { requireCluster } from "./requireCluster.ts";

const program = `import sys
from pyspark.sql import SparkSession
from pyspark.sql.functions import udf
from shop.tax import tax

price = 20
taxed = tax(price)
if "udf" in sys.argv:
    spark = SparkSession.builder.getOrCreate()
    print(spark.range(1).select(udf(lambda x: str(tax(x)))("id")).collect())
sys.exit(7)
`;

const { images, sharesLoopback } = requireCluster();
const concurrency = sharesLoopback ? 1 : 3;

for (const image of images) {
  // Run in parallel: each application mostly waits for the cluster and for a JVM to start.
  describe(`debugging Python of ${image}`, { timeout: 1_200_000, concurrency }, () => {
    let rig: DebugRig;
    let python: PythonDebugger;
    let main: string;
    let module: string;

    before(async () => {
      rig = await DebugRig.start("debug", image);
      const { folder } = rig;
      [main, module] = [join(folder, "etl.py"), join(folder, "shop/tax.py")];
      await mkdir(join(folder, "shop"));
      await writeFile(main, program);
      await writeFile(join(folder, "shop/__init__.py"), "");
      await writeFile(module, "def tax(x):\n    taxed = x * 2\n    return taxed\n");
      const options = { cacheFolder: join(folder, "cache"), pythons: ["python3"] };
      const debuggers = pythonDebuggers({ ...options, environment: process.env });
      const downloaded = await debuggers.download(AbortSignal.timeout(120_000));
      if (!downloaded.ok) throw new Error(downloaded.error);
      python = downloaded.value;
    });
    after(() => rig.stop());

    const planOf = (
      args: readonly string[],
      debug: Partial<DebugRequest> = {},
    ): Promise<SubmissionPlan> => {
      const defaults = { target: "driver", stopOnEntry: false, waitSeconds: 600, python } as const;
      return rig.planOf({ image, words: [main, ...args], debug: { ...defaults, ...debug } });
    };

    test("stops a driver in its main file and in a module, and keeps its exit code", async () => {
      const plan = await planOf([]);
      const pod = await rig.submit(plan);
      const client = await DapClient.connect(await rig.forward(pod, 5678, "dap"));
      await client.attach(pathMappings(plan), { [main]: [7], [module]: [2] });
      const first = await client.stoppedAt("price");
      assert.deepEqual([first.path, first.line, first.value], [main, 7, "20"]);
      await client.request("continue", { threadId: first.threadId });
      const second = await client.stoppedAt("x");
      assert.deepEqual([second.path, second.line, second.value], [module, 2, "20"]);
      await client.request("continue", { threadId: second.threadId });
      await client.event("terminated");
      client.close();
      assert.equal(await rig.exitCodeOf(pod), 7);
    });

    test("stops on entry, and runs on when the client's connection is lost", async () => {
      const plan = await planOf([], { stopOnEntry: true });
      const pod = await rig.submit(plan);
      const client = await DapClient.connect(await rig.forward(pod, 5678, "dap"));
      await client.attach(pathMappings(plan), {});
      const { path, line, value } = await client.stoppedAt("__name__");
      assert.deepEqual([path, line, value], [main, 1, "'__main__'"]);
      client.close();
      assert.equal(await rig.exitCodeOf(pod), 7);
    });

    test("ends a driver that no debugger attaches to", async () => {
      const pod = await rig.submit(await planOf([], { waitSeconds: 5 }));
      assert.equal(await rig.exitCodeOf(pod), 124);
      assert.match(await rig.logOf(pod), /No debugger attached within 5 s\./);
    });

    test("stops a Python function in an executor", async () => {
      const plan = await planOf(["udf"], { target: "executor" });
      const driver = await rig.submit(plan);
      const executor = await rig.runningExecutor(driver);
      const client = await DapClient.connect(await rig.forward(executor, 5679, "dap"));
      await client.attach(pathMappings(plan), { [module]: [2] });
      const stopped = await client.stoppedAt("x");
      assert.deepEqual([stopped.path, stopped.line, stopped.value], [module, 2, "0"]);
      await client.request("continue", { threadId: stopped.threadId });
      assert.equal(await rig.exitCodeOf(driver), 7);
      client.close();
    });

    test("runs functions without a debugger if none attaches", async () => {
      const driver = await rig.submit(
        await planOf(["udf"], { target: "executor", waitSeconds: 5 }),
      );
      assert.equal(await rig.exitCodeOf(driver), 7);
    });
  });
}
