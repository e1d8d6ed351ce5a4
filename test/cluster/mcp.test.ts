// Calls the tools for assistants through the official MCP client on a real cluster.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { fieldAt, itemsOf, textAt } from "../../src/base/json.ts";
import { eventually } from "../host/eventually.ts";
import { callMcpTool, openMcpClient } from "../mcpClient.ts";
import { requireCluster } from "./requireCluster.ts";
import { submitExample } from "./submitted.ts";
import { openTestPlace, type TestPlace } from "./testPlace.ts";

const { kubeconfig, image } = requireCluster();
const namespace = `spark-k8s-mcp-${process.pid}`;
const words = ["--kubeconfig", kubeconfig, "--namespace", namespace];
const startMs = 240_000;

describe("tools for assistants", { timeout: 600_000 }, () => {
  let place: TestPlace;
  let driver: string;

  before(async () => {
    place = await openTestPlace(kubeconfig, namespace);
    const { connection, own } = place;
    const base = {
      image,
      conf: {
        // A busy machine starves a driver of 0.1 cores.
        "spark.kubernetes.driver.request.cores": "0.5",
        "spark.executor.instances": "1",
        "spark.my.password": "planted-1",
      },
    };
    await submitExample(connection, own, { ...base, name: "fails", args: ["oom"] });
    const sleeps = { ...base, name: "sleeps", args: ["sleep", "600", "1"] };
    driver = (await submitExample(connection, own, sleeps)).driverPod.name;
  });
  after(() => place.close());

  test("list, explain, read and describe applications, without secrets", async (t) => {
    const client = await openMcpClient(t, words);
    const stateOf = async (name: string): Promise<string | undefined> => {
      const listed = await callMcpTool(client, "spark_list_applications", { name });
      return textAt(itemsOf(fieldAt(listed, "applications"))[0], "state");
    };
    await eventually(
      "the running application",
      () => stateOf("sleeps"),
      (one) => one === "running",
      startMs,
    );
    await eventually(
      "the failed application",
      () => stateOf("fails"),
      (one) => one === "failed",
      startMs,
    );
    const explained = await callMcpTool(client, "spark_explain_application", {
      application: "fails",
    });
    const [pod] = itemsOf(fieldAt(explained, "pods"));
    const [cause] = itemsOf(fieldAt(pod, "causes"));
    assert.match(textAt(cause, "fact") ?? JSON.stringify(explained), /heap|memory/i);
    const log = await callMcpTool(client, "spark_read_log", {
      ...{ application: "fails", contains: "OutOfMemoryError", lines: 5 },
    });
    assert.match(JSON.stringify(fieldAt(log, "lines")), /Java heap space/);
    const conf = await callMcpTool(client, "spark_effective_conf", { application: "sleeps" });
    assert.equal(textAt(fieldAt(conf, "conf"), "spark.executor.instances"), "1");
    assert.match(textAt(fieldAt(conf, "conf"), "spark.my.password") ?? "", /redacted/);
    assert.doesNotMatch(JSON.stringify([explained, log, conf]), /planted-1/);
  });

  test("stop an application only after the user's answer, and nothing in a read-only context", async (t) => {
    const stop = { application: driver };
    const isThere = async (): Promise<boolean> => {
      const reference = { apiVersion: "v1", kind: "Pod", namespace, name: driver };
      const read = await place.connection.objects.read(reference, AbortSignal.timeout(10_000));
      return (
        read.ok && textAt(fieldAt(read.value.body, "metadata"), "deletionTimestamp") === undefined
      );
    };
    const readOnly = await openMcpClient(t, [...words, "--allow-changes", "--read-only", "."]);
    assert.match(
      String(await callMcpTool(readOnly, "spark_stop_application", stop)),
      /^Blocked: Stop "sleeps"\. The context ".*" is read-only/,
    );
    const questions: string[] = [];
    const declines = await openMcpClient(t, [...words, "--allow-changes"], {
      answer: (message) => {
        questions.push(message);
        return { action: "decline" };
      },
    });
    assert.match(
      String(await callMcpTool(declines, "spark_stop_application", stop)),
      /the user declined\. Nothing was changed/,
    );
    assert.match(questions.join("\n"), /^Stop "sleeps"\?\n\nContext: .*\n.*driver pod sleeps-/);
    assert.ok(await isThere());
    const wrong = await openMcpClient(t, [...words, "--allow-changes", "--guarded", "."], {
      answer: () => ({ action: "accept", content: { confirm: true, context: "another" } }),
    });
    assert.match(
      String(await callMcpTool(wrong, "spark_stop_application", stop)),
      /Nothing was changed/,
    );
    assert.ok(await isThere());
    const agrees = await openMcpClient(t, [...words, "--allow-changes"], {
      answer: () => ({ action: "accept", content: { confirm: true } }),
    });
    const stopped = await callMcpTool(agrees, "spark_stop_application", stop);
    assert.deepEqual(stopped, { outcome: "deleted" });
    assert.equal(await isThere(), false);
  });
});
