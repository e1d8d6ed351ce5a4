import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { sandboxClock, type SandboxClock } from "../../../../src/sandbox/clock.ts";
import {
  mebibytes,
  readProperties,
  executorTargets,
} from "../../../../src/sandbox/node/simulation/driverConf.ts";
import { fieldsOf, itemsOf } from "../../../../src/base/json.ts";
import { eventually } from "../../../host/eventually.ts";
import { namespace, NodeRig } from "./nodeRig.ts";

/** The system clock, but with sleeps that take a fortieth of the requested time. */
const quick: SandboxClock = {
  now: () => sandboxClock.now(),
  sleep: (ms, signal) => sandboxClock.sleep(ms / 40, signal),
};

describe("a simulated application", () => {
  let rig: NodeRig;
  before(async () => {
    rig = await NodeRig.start({ simulate: true }, quick);
  });
  after(async () => {
    await rig.stop();
    assert.deepEqual(rig.errors, []);
  });

  const submit = (
    name: string,
    scenario: string,
    conf: Readonly<Record<string, string>> = {},
  ): void => {
    const all = { "spark.executor.instances": "2", "spark.app.name": name, ...conf };
    const text = Object.entries(all)
      .map(([key, value]) => `${key}=${value.replaceAll(":", "\\:")}`)
      .join("\n");
    rig.hold("configmaps", `${name}-conf`, { "spark.properties": text });
    rig.run(
      `${name}-driver`,
      {
        name: "spark-kubernetes-driver",
        image: "apache/spark:4.3.0",
        args: ["driver", "--class", "Pi"],
        env: [{ name: "SPARK_SIMULATION", value: scenario }],
      },
      { volumes: [{ name: "spark-conf-volume-driver", configMap: { name: `${name}-conf` } }] },
      {
        labels: {
          "spark-app-selector": `spark-${name}`,
          "spark-app-name": name,
          "spark-role": "driver",
        },
      },
    );
  };
  const executors = (name: string) =>
    rig.objects
      .list("pods", namespace)
      .filter(
        ({ metadata: { labels } }) =>
          labels?.["spark-app-selector"] === `spark-${name}` && labels["spark-role"] === "executor",
      );
  const driverLog = (name: string): Promise<string> =>
    rig.log(`${name}-driver`, { container: "spark-kubernetes-driver" });

  test("runs tasks on executors, and marks labels, logs and events", async () => {
    submit("plain", "success");
    await rig.until("two executors", () => executors("plain").length === 2);
    await rig.until("them running", () =>
      executors("plain").every((pod) => fieldsOf(pod["status"])["phase"] === "Running"),
    );
    for (const pod of executors("plain")) {
      assert.equal(pod.metadata.labels?.["spark-k8s.sandbox/simulation"], "true");
      assert.equal(pod.metadata.ownerReferences?.[0]?.uid, rig.pod("plain-driver")?.metadata.uid);
    }
    const executorLog = await rig.log("plain-exec-1", { container: "spark-kubernetes-executor" });
    await rig.phase("plain-driver", "Succeeded");
    assert.equal(
      rig.pod("plain-driver")?.metadata.labels?.["spark-k8s.sandbox/simulation"],
      "true",
    );
    const said = await driverLog("plain");
    const finished = [...said.matchAll(/Finished task \d\.0 in stage 1\.0 .*\((\d\/\d)\)$/gm)];
    assert.deepEqual(
      finished.map(([, part]) => part),
      ["1/6", "2/6", "3/6", "4/6", "5/6", "6/6"],
    );
    const lines = [...said.trim().split("\n"), ...executorLog.trim().split("\n")];
    assert.ok(lines.length > 20);
    assert.deepEqual(
      lines.filter((line) => !line.includes("[simulation]")),
      [],
    );
    assert.ok(
      rig
        .events("plain-driver")
        .some((line) => line.startsWith("Simulated: This pod is simulated")),
    );
    await rig.until("no executor left", () => executors("plain").length === 0);
  });

  test("replaces an executor that exceeded its memory limit", async () => {
    submit("hungry", "oom");
    const lost = await rig.until("a failed executor", () =>
      executors("hungry").find((pod) => fieldsOf(pod["status"])["phase"] === "Failed"),
    );
    const [container] = itemsOf(fieldsOf(lost["status"])["containerStatuses"]).map(fieldsOf);
    const end = fieldsOf(fieldsOf(container?.["state"])["terminated"]);
    assert.deepEqual([end["exitCode"], end["reason"]], [137, "OOMKilled"]);
    await rig.phase("hungry-driver", "Succeeded");
    assert.match(
      await driverLog("hungry"),
      /Lost executor 1 .*137.*\n.*Registered executor .* with ID 3/,
    );
  });

  test("replaces an executor whose pod is deleted", async () => {
    submit("replacing", "endless");
    const said = (): Promise<string> => driverLog("replacing").catch(() => "");
    const says = (what: string, text: RegExp): Promise<unknown> =>
      eventually(what, said, (log) => text.test(log));
    const names = (): readonly string[] =>
      executors("replacing").map(({ metadata }) => metadata.name);
    await says("work", /Finished task 1\.0/);
    rig.delete("replacing-exec-1", 0);
    await rig.until("a third one", () => names().join() === "replacing-exec-2,replacing-exec-3");
    await says("it at work", /Lost executor 1: [^]* with ID 3,[^]*executor 3, partition/);
    rig.delete("replacing-driver", 0);
  });

  test("fails with the exception of a failed job", async () => {
    submit("wrong", "failure");
    await rig.phase("wrong-driver", "Failed");
    assert.match(await driverLog("wrong"), /SparkException: Job aborted/);
  });

  test("waits for a missing image, or for a node with enough memory", async () => {
    submit("pulls", "image");
    await rig.until("a back-off", () => {
      const status = fieldsOf(executors("pulls")[0]?.["status"]);
      const [container] = itemsOf(status["containerStatuses"]).map(fieldsOf);
      return fieldsOf(fieldsOf(container?.["state"])["waiting"])["reason"] === "ImagePullBackOff";
    });
    submit("large", "unschedulable");
    await rig.until("a verdict", () => {
      const [condition] = itemsOf(fieldsOf(executors("large")[0]?.["status"])["conditions"]).map(
        fieldsOf,
      );
      return condition?.["reason"] === "Unschedulable";
    });
    for (const name of ["pulls-driver", "large-driver"]) rig.delete(name, 0);
  });

  test("recomputes the shuffle files of a lost executor", async () => {
    submit("fetches", "fetch-failure");
    await rig.phase("fetches-driver", "Succeeded");
    assert.match(
      await driverLog("fetches"),
      /FetchFailed\(BlockManagerId\(1.*\n.*Resubmitting ShuffleMapStage 1/,
    );
  });

  test("migrates the blocks of a decommissioned executor", async () => {
    submit("moves", "decommission");
    await rig.until("an executor that has left", () =>
      executors("moves").some((pod) => fieldsOf(pod["status"])["phase"] === "Succeeded"),
    );
    const log = await rig.log("moves-exec-1", { container: "spark-kubernetes-executor" });
    assert.match(log, /Migrated rdd_2_0 to BlockManagerId\(2\)[^]*Finished decommissioning/);
    await rig.phase("moves-driver", "Succeeded");
  });

  test("adds and removes executors with dynamic allocation", async () => {
    submit("elastic", "success", {
      "spark.dynamicAllocation.enabled": "true",
      "spark.dynamicAllocation.minExecutors": "1",
      "spark.dynamicAllocation.maxExecutors": "4",
    });
    await rig.until("one executor", () => executors("elastic").length === 1);
    await rig.until("four executors", () => executors("elastic").length === 4);
    await rig.phase("elastic-driver", "Succeeded");
  });
});

test("reads the keys of a simulated driver from spark.properties", () => {
  const conf = readProperties(
    "#x\nspark.executor.memory=2g\nspark.master=k8s\\://https\\://a\\:1\nspark.a=b=c\n",
  );
  assert.deepEqual(
    [...conf],
    [
      ["spark.executor.memory", "2g"],
      ["spark.master", "k8s://https://a:1"],
      ["spark.a", "b=c"],
    ],
  );
  assert.deepEqual(["1g", "512m", "512", "1048576k", "2T"].map(mebibytes), [
    1024,
    512,
    512,
    1024,
    2 ** 21,
  ]);
  assert.deepEqual(executorTargets(new Map()), { initial: 2, max: 2, isDynamic: false });
});
