import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { systemClock, type Clock } from "../../../../src/sandbox/clock.ts";
import {
  mebibytes,
  readProperties,
  staffing,
} from "../../../../src/sandbox/node/rehearsal/driverConf.ts";
import { fieldsOf, itemsOf } from "../../../../src/spark/pods/fields.ts";
import { eventually } from "../../../host/eventually.ts";
import { namespace, NodeRig } from "./nodeRig.ts";

/** An hour passes in a few seconds. */
const quick: Clock = {
  now: () => systemClock.now(),
  sleep: (ms, signal) => systemClock.sleep(ms / 40, signal),
};

describe("a rehearsed application", () => {
  let rig: NodeRig;
  before(async () => {
    rig = await NodeRig.start({ rehearse: true }, quick);
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
        env: [{ name: "SPARK_REHEARSAL", value: scenario }],
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

  test("has executors that do its tasks, and says everywhere that it is acted", async () => {
    submit("plain", "success");
    await rig.until("two executors", () => executors("plain").length === 2);
    await rig.until("them running", () =>
      executors("plain").every((pod) => fieldsOf(pod["status"])["phase"] === "Running"),
    );
    for (const pod of executors("plain")) {
      assert.equal(pod.metadata.labels?.["spark-k8s.sandbox/rehearsal"], "true");
      assert.equal(pod.metadata.ownerReferences?.[0]?.uid, rig.pod("plain-driver")?.metadata.uid);
    }
    const executorLog = await rig.log("plain-exec-1", { container: "spark-kubernetes-executor" });
    await rig.phase("plain-driver", "Succeeded");
    assert.equal(rig.pod("plain-driver")?.metadata.labels?.["spark-k8s.sandbox/rehearsal"], "true");
    const lines = [
      ...(await driverLog("plain")).trim().split("\n"),
      ...executorLog.trim().split("\n"),
    ];
    assert.ok(lines.length > 20);
    assert.deepEqual(
      lines.filter((line) => !line.includes("[rehearsal]")),
      [],
    );
    assert.ok(
      rig
        .events("plain-driver")
        .some((line) => line.startsWith("Rehearsal: This pod is a rehearsal")),
    );
    await rig.until("no executor left", () => executors("plain").length === 0);
  });

  test("loses an executor to its memory and gets another", async () => {
    submit("hungry", "oom");
    const lost = await rig.until("an executor that was ended", () =>
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

  test("gets another executor for one that somebody deletes", async () => {
    submit("besieged", "endless");
    const said = (): Promise<string> => driverLog("besieged").catch(() => "");
    const says = (what: string, text: RegExp): Promise<unknown> =>
      eventually(what, said, (log) => text.test(log));
    const names = (): readonly string[] =>
      executors("besieged").map(({ metadata }) => metadata.name);
    await says("work", /Finished task 1\.0/);
    rig.delete("besieged-exec-1", 0);
    await rig.until("a third one", () => names().join() === "besieged-exec-2,besieged-exec-3");
    await says("it at work", /Lost executor 1: [^]* with ID 3,[^]*executor 3, partition/);
    rig.delete("besieged-driver", 0);
  });

  test("fails as an application does", async () => {
    submit("wrong", "failure");
    await rig.phase("wrong-driver", "Failed");
    assert.match(await driverLog("wrong"), /SparkException: Job aborted/);
  });

  test("waits for an image that is nowhere, or for room that there is not", async () => {
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

  test("computes again what an executor took along", async () => {
    submit("fetches", "fetch-failure");
    await rig.phase("fetches-driver", "Succeeded");
    assert.match(
      await driverLog("fetches"),
      /FetchFailed\(BlockManagerId\(1.*\n.*Resubmitting ShuffleMapStage 1/,
    );
  });

  test("has an executor hand over its blocks", async () => {
    submit("moves", "decommission");
    await rig.until("an executor that has left", () =>
      executors("moves").some((pod) => fieldsOf(pod["status"])["phase"] === "Succeeded"),
    );
    const log = await rig.log("moves-exec-1", { container: "spark-kubernetes-executor" });
    assert.match(log, /Migrated rdd_2_0 to BlockManagerId\(2\)[^]*Finished decommissioning/);
    await rig.phase("moves-driver", "Succeeded");
  });

  test("grows and shrinks with its work", async () => {
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

test("a rehearsed driver reads as much of the conf as it needs", () => {
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
  assert.deepEqual(staffing(new Map()), { atFirst: 2, atMost: 2, isDynamic: false });
});
