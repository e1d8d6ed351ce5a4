import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { inEnglish, msg, verbatim } from "../../../src/base/message.ts";
import type { Diagnosis } from "../../../src/spark/diagnosis/diagnosis.ts";
import { failureLines, type Failure } from "../../../src/spark/remedy/failureDocument.ts";

const diagnosis: Diagnosis = {
  ...{ id: "D54", fact: msg("image not found"), what: msg("The registry has no such image.") },
  ...{ change: msg("Correct the image."), keys: [], told: undefined },
};

function textOf(given: Partial<Omit<Failure, "diagnosis">> & Partial<Diagnosis> = {}): string {
  const { others, remedies, facts, exit, limitBytes, peakHeapBytes, events, ...own } = given;
  const failure: Failure = {
    ...{ subject: "etl driver", diagnosis: { ...diagnosis, ...own }, others: others ?? [] },
    ...{ remedies: remedies ?? [], exit, limitBytes, peakHeapBytes, events: events ?? [] },
    localTime: (at) => `at ${at / 1000}`,
    facts: facts ?? {
      ...{ role: "driver", namespace: "dev", conf: new Map(), minor: "4.3", node: undefined },
      ableAccounts: undefined,
    },
  };
  return failureLines(failure)
    .map(({ text, remedy }) => `${remedy === undefined ? "" : `[${remedy}]`}${inEnglish(text)}`)
    .join("\n");
}

/** Returns the lines of a section without their indentation. */
const sectionOf = (text: string, title: string): readonly string[] =>
  (text.split("\n\n").find((part) => part.startsWith(`${title}\n`)) ?? "")
    .split("\n")
    .slice(1)
    .map((each) => each.slice(2));

const facts = (conf: Readonly<Record<string, string>>, gibibytes?: number): Failure["facts"] => ({
  ...{ role: "driver", namespace: "dev", minor: "4.3", ableAccounts: undefined },
  conf: new Map(Object.entries(conf)),
  node: gibibytes === undefined ? undefined : { cores: 4, memoryBytes: gibibytes * 2 ** 30 },
});

describe("the document about a failure", () => {
  test("has the cause, the evidence and the fix", () => {
    assert.equal(
      textOf(),
      [
        ...["etl driver: image not found", ""],
        ...["Cause", "  The registry has no such image."],
        ...[
          "  Confidence: possible. No evidence names the cause. This is the most common one.",
          "",
        ],
        ...["Evidence", "  Only the state of the pod. There is no message, event or log line.", ""],
        ...["How to fix", "  Correct the image."],
      ].join("\n"),
    );
    assert.match(textOf({ change: undefined }), /\n\nHow to fix$/);
    const keys = ["spark.executor.memory", "spark.executor.memoryOverhead"];
    assert.deepEqual(sectionOf(textOf({ keys }), "How to fix"), [
      "Correct the image.",
      "Conf: spark.executor.memory, spark.executor.memoryOverhead",
    ]);
  });

  test("says how certain the cause is", () => {
    const confidence = (value: Diagnosis["confidence"]) =>
      sectionOf(textOf(value === undefined ? {} : { confidence: value }), "Cause")[1];
    assert.match(confidence("certain") ?? "", /^Confidence: certain\./);
    assert.match(confidence("likely") ?? "", /^Confidence: likely\./);
    assert.match(confidence(undefined) ?? "", /^Confidence: possible\./);
  });

  test("quotes the end of the container, at most 20 lines, and at most 5 events", () => {
    const notice = (at: number, count = 1) => ({
      ...{ reason: `R${at}`, message: "password=hunter2 x", isWarning: true, count },
      ...{ lastAt: "2026-01-02T03:04:05Z", from: "kubelet" },
    });
    const told = Array.from({ length: 25 }, (_, at) => `line ${at} token=hunter2`).join("\n");
    const text = textOf({
      ...{ told, events: [notice(0), notice(1, 3), ...[2, 3, 4, 5].map((at) => notice(at))] },
      exit: {
        ...{ container: "main", isSpark: true, exitCode: 137 },
        ...{ signal: undefined, reason: "Error", message: undefined },
      },
    });
    assert.doesNotMatch(text, /hunter2/);
    const evidence = sectionOf(text, "Evidence");
    assert.match(evidence[0] ?? "", /^Container exit: .*137/);
    assert.equal(evidence[1], "Kubernetes message:");
    const quoted = evidence.filter((each) => each.startsWith("  line "));
    assert.equal(quoted.length, 20);
    const events = evidence.filter((each) => each.startsWith("Event "));
    assert.equal(events.length, 5);
    assert.match(events[0] ?? "", /^Event R0 \(at 1767323045\): password=\*/);
    assert.match(events[1] ?? "", /^Event R1 \(3 times, last at 1767323045\): /);
    const ofLog = sectionOf(textOf({ told: "x", logKind: "heap" }), "Evidence");
    assert.deepEqual(ofLog, ["Log line:", "  x"]);
    assert.equal(sectionOf(textOf({ told: "" }), "Evidence").length, 1);
  });

  test("leaves out the Status that repeats the message of the Kubernetes client", () => {
    const refused = "POST at: https://dev/api/v1/pods. Message: pods is forbidden: no.";
    const status =
      "Status(apiVersion=v1, code=403, message=pods is forbidden: no, reason=Forbidden)";
    const of = (told: string) => sectionOf(textOf({ told, logKind: "heap" }), "Evidence").join(" ");
    assert.match(of(`${refused} Received status: ${status}.`), /forbidden: no\.$/);
    assert.match(of(status), /reason=Forbidden/);
  });

  test("names other diagnoses", () => {
    assert.deepEqual(sectionOf(textOf({ others: [diagnosis] }), "Also"), ["image not found"]);
    assert.doesNotMatch(textOf(), /Also/);
  });

  test("lists the fixes with their changes, and marks their first lines", () => {
    const conf = { "spark.a": "1", "spark.my.password": "hunter2" };
    const text = textOf({
      facts: facts(conf),
      remedies: [
        {
          ...{ kind: "edit", title: verbatim("Set it") },
          edits: [
            { kind: "set", key: "spark.a", value: "2" },
            { kind: "set", key: "spark.b", value: "3" },
            { kind: "unset", key: "spark.a" },
            { kind: "member", name: "pythonPackages", value: "send" },
          ],
        },
        { kind: "open", title: verbatim("Open it"), key: "spark.c" },
        { kind: "text", title: verbatim("Run it"), text: "one\ntwo" },
      ],
    });
    assert.equal(
      text.slice(text.indexOf("[0]")),
      [
        ...["[0]  1. Set it", "     spark.a: 1 → 2", "     spark.b: not set → 3"],
        ...["     spark.a: 1 → not set", '     "pythonPackages": "send" in the run profile'],
        ...["[1]  2. Open it", "[2]  3. Run it", "     one", "     two"],
      ].join("\n"),
    );
  });
});

describe("the memory of a failed pod", () => {
  const memory = (id: string, more: Parameters<typeof textOf>[0] = {}): readonly string[] =>
    sectionOf(textOf({ id, facts: facts({ "spark.driver.memory": "2g" }), ...more }), "Memory");

  test("is the sum of its parts, and names the part that overflowed", () => {
    const sum = memory("D01");
    assert.match(sum[0] ?? "", /^From the conf: heap 2 GiB \+ overhead \d+ MiB = 2\.\d GiB$/);
    assert.match(sum[1] ?? "", /^The JVM keeps the heap below 2 GiB\. .* the remaining \d+ MiB\.$/);
    assert.equal(sum.length, 2);
    assert.deepEqual(memory("D03"), sum);
    const direct = "The JVM may use as much direct memory as heap memory: 2 GiB.";
    assert.deepEqual(memory("D02"), [...sum, direct]);
    const heap = [sum[0], "The heap reached its limit of 2 GiB."];
    assert.deepEqual(memory("D08"), heap);
    assert.deepEqual(memory("D00", { logKind: "heap" }), heap);
    assert.deepEqual(memory("D39"), [sum[0]]);
    assert.deepEqual(memory("D54"), []);
    assert.deepEqual(memory("D01", { facts: { ...facts({}), conf: undefined } }), []);
  });

  test("is that of an executor for the error of a task in the log of a driver", () => {
    const conf = {
      ...{ "spark.driver.memory": "2g", "spark.executor.memory": "1g" },
      "spark.executor.memoryOverhead": "400m",
    };
    const own = { facts: facts(conf), limitBytes: 2 ** 30, peakHeapBytes: 2 ** 30 };
    const sum = "From the conf: heap 1 GiB + overhead 400 MiB = 1.4 GiB";
    assert.deepEqual(memory("D00", { ...own, logKind: "pythonWorker" }), [
      sum,
      "The JVM keeps the heap below 1 GiB. Python and the rest of the JVM share the remaining 400 MiB.",
    ]);
    assert.deepEqual(memory("D00", { ...own, logKind: "taskHeap" }), [
      sum,
      "The heap reached its limit of 1 GiB.",
    ]);
  });

  test("has the limit of direct memory that the options of the JVM set", () => {
    const options = "-Dx=1 -XX:MaxDirectMemorySize=4g";
    const conf = { "spark.driver.memory": "2g", "spark.driver.extraJavaOptions": options };
    assert.equal(
      memory("D02", { facts: facts(conf) }).at(-1),
      "The JVM may use up to 4 GiB of direct memory because of -XX:MaxDirectMemorySize=4g.",
    );
  });

  test("has off-heap and Python memory if the conf sets them", () => {
    const conf = {
      ...{ "spark.memory.offHeap.enabled": "true", "spark.memory.offHeap.size": "1g" },
      ...{ "spark.executor.pyspark.memory": "512m", "spark.kubernetes.resource.type": "python" },
    };
    const [sum = ""] = memory("D01", { facts: { ...facts(conf), role: "executor" } });
    assert.match(sum, / \+ off-heap 1 GiB \+ PySpark 512 MiB = /);
  });

  test("has the limit if it differs, the largest reported heap, and the largest node", () => {
    const conf = { "spark.driver.memory": "2g", "spark.driver.memoryOverhead": "1g" };
    const lines = memory("D39", {
      ...{ facts: facts(conf, 8), limitBytes: 4 * 2 ** 30, peakHeapBytes: 2 ** 30 },
    });
    assert.deepEqual(lines, [
      "From the conf: heap 2 GiB + overhead 1 GiB = 3 GiB",
      "Container limit: 4 GiB",
      "Reported peak heap usage: 1 GiB",
      "Largest node: 8 GiB",
    ]);
    const same = { facts: facts(conf), limitBytes: 3 * 2 ** 30, peakHeapBytes: 0 };
    assert.equal(memory("D39", same).length, 1);
  });
});
