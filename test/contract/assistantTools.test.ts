// Calls the tools for assistants over a real connection to a server that has a few pods.
import assert from "node:assert/strict";
import { describe, test, type TestContext } from "node:test";
import { fieldAt, itemsOf, textAt, type Fields } from "../../src/base/json.ts";
import type {
  AssistantHost,
  AssistantQuestion,
  ChangeDecision,
} from "../../src/engine/assistant/assistantTool.ts";
import { assistantTools } from "../../src/engine/assistant/assistantTools.ts";
import { callTool } from "../../src/engine/assistant/callTool.ts";
import { realClock } from "./clocks.ts";
import { startServer, type HostileServer, type Seen } from "./hostileServer.ts";
import { connectTo, never, statusJson } from "./rig.ts";

interface PodFacts {
  readonly role?: "driver" | "executor";
  readonly executorId?: number;
  readonly application?: string;
  readonly name?: string;
  readonly createdAt?: string;
  readonly phase?: string;
  readonly exitCode?: number;
  readonly waiting?: object;
  readonly labels?: Readonly<Record<string, string>>;
}

function pod(name: string, facts: PodFacts): unknown {
  const { role = "driver", executorId, phase = "Running", exitCode, waiting } = facts;
  const container = role === "driver" ? "spark-kubernetes-driver" : "spark-kubernetes-executor";
  const state =
    waiting !== undefined
      ? { waiting }
      : exitCode === undefined
        ? { running: { startedAt: "2026-01-02T03:04:06Z" } }
        : { terminated: { exitCode, finishedAt: "2026-01-02T03:05:00Z" } };
  return {
    metadata: {
      ...{ name, namespace: "ns", uid: `uid-of-${name}`, resourceVersion: "1" },
      creationTimestamp: facts.createdAt ?? "2026-01-02T03:04:05Z",
      labels: {
        "spark-role": role,
        "spark-app-selector": facts.application ?? "spark-1",
        "spark-app-name": facts.name ?? "etl",
        "spark-version": "4.3.0",
        ...(executorId === undefined ? {} : { "spark-exec-id": String(executorId) }),
        ...facts.labels,
      },
    },
    spec: { nodeName: "n", containers: [{ name: container, image: "spark:4.3.0" }] },
    status: {
      phase,
      containerStatuses: [{ name: container, restartCount: 0, ready: true, state }],
    },
  };
}

const executor = (id: number, facts: PodFacts = {}): unknown =>
  pod(`etl-exec-${id}`, { role: "executor", executorId: id, ...facts });

const pods: readonly unknown[] = [
  pod("etl-driver", {}),
  executor(1),
  executor(2, { phase: "Failed", exitCode: 137 }),
  pod("etl-old-driver", {
    ...{ application: "spark-0", createdAt: "2026-01-01T00:00:00Z" },
    ...{ phase: "Succeeded", exitCode: 0 },
  }),
  pod("report-driver", {
    ...{ application: "spark-2", name: "report", createdAt: "2025-12-01T00:00:00Z" },
    ...{ phase: "Failed", exitCode: 1 },
  }),
  pod("lonely-exec-1", {
    ...{ role: "executor", executorId: 1, application: "spark-3", name: "lonely" },
    ...{ createdAt: "2025-11-01T00:00:00Z" },
  }),
];

interface Rig {
  readonly server: HostileServer;
  readonly questions: AssistantQuestion[];
  pods: readonly unknown[];
  log: string;
  /** The custom resource of an operator. Undefined: reading it is forbidden. */
  resource: unknown;
  decision: ChangeDecision;
  call(tool: string, given?: Fields): Promise<unknown>;
  failure(tool: string, given?: Fields): Promise<string>;
}

async function start(t: TestContext): Promise<Rig> {
  const answerTo = ({ method, path }: Seen): unknown => {
    const [place = "", query = ""] = path.split("?");
    if (place.endsWith("/log")) return undefined;
    if (method === "DELETE") return pods[0];
    if (place.endsWith("/sparkapplications/nightly")) return rig.resource;
    if (place.endsWith("/pods")) {
      const isSecond = query.includes("continue=");
      const [first, ...others] = rig.pods;
      return {
        metadata: { resourceVersion: "9", continue: isSecond || others.length === 0 ? "" : "more" },
        items: isSecond ? others : rig.pods.slice(0, 1).concat(first === undefined ? [] : []),
      };
    }
    if (place.endsWith("/events")) return { metadata: {}, items: [] };
    const named = rig.pods.find((one) => place.endsWith(`/pods/${nameOf(one)}`));
    return named ?? { metadata: { resourceVersion: "9" }, items: [] };
  };
  const server = await startServer(t, (seen, reply) => {
    if (seen.path.includes("/log?")) reply.send(200, "text/plain", rig.log);
    else if (/\/(?:configmaps|proxy)\b/.test(seen.path)) {
      reply.json(404, statusJson(404, "NotFound", "not found"));
    } else if (/\/sparkapplications\/nightly\b/.test(seen.path) && rig.resource === undefined) {
      reply.json(403, statusJson(403, "Forbidden", "no"));
    } else reply.json(200, answerTo(seen));
  });
  const { connection } = await connectTo(t, server.url);
  const questions: AssistantQuestion[] = [];
  const host = {
    clock: realClock,
    connect: () => Promise.resolve({ ok: true, value: connection }),
    namespacesOf: () => ["ns"],
    mayChange: (_connection: unknown, question: AssistantQuestion) => {
      questions.push(question);
      return Promise.resolve(rig.decision);
    },
  } as unknown as AssistantHost;
  const result = async (name: string, given: Fields) => {
    const tool = assistantTools.find((one) => one.name === name);
    assert.ok(tool);
    return callTool(tool, host, given, never);
  };
  const rig: Rig = {
    ...{ server, questions, pods, log: "", resource: undefined },
    decision: { kind: "approved" },
    call: async (name, given = {}) => {
      const called = await result(name, given);
      assert.ok(called.ok, called.ok ? "" : JSON.stringify(called.error));
      return called.value;
    },
    failure: async (name, given = {}) => {
      const called = await result(name, given);
      assert.ok(!called.ok);
      return called.error === "later" ? called.error : called.error.text;
    },
  };
  return rig;
}

const nameOf = (one: unknown): string => textAt(fieldAt(one, "metadata"), "name") ?? "";

const listed = (answer: unknown): readonly string[] =>
  itemsOf(fieldAt(answer, "applications")).map((row) =>
    ["name", "id", "state"].map((field) => textAt(row, field)).join(" "),
  );

describe("the list of applications", () => {
  test("has every page, newest first", async (t) => {
    const rig = await start(t);
    const answer = await rig.call("spark_list_applications");
    assert.deepEqual(listed(answer), [
      "etl spark-1 running",
      "etl spark-0 finished",
      "report spark-2 failed",
      "lonely spark-3 running",
    ]);
    assert.equal(fieldAt(answer, "total"), 4);
    assert.equal(fieldAt(answer, "isCutOff"), false);
    assert.equal(fieldAt(answer, "context"), "x");
    const [first, , , last] = itemsOf(fieldAt(answer, "applications"));
    assert.equal(textAt(first, "driverPod"), "etl-driver");
    assert.equal(textAt(last, "driverPod"), undefined);
    assert.deepEqual(
      { running: 0, failed: 0, ...(fieldAt(first, "executors") as object) },
      { pending: 0, running: 1, failed: 1, finished: 0, unknown: 0 },
    );
  });

  test("is filtered by state and name, and limited", async (t) => {
    const rig = await start(t);
    const list = async (given: Fields) => rig.call("spark_list_applications", given);
    assert.deepEqual(listed(await list({ state: "failed" })), ["report spark-2 failed"]);
    assert.deepEqual(listed(await list({ name: "lone" })), ["lonely spark-3 running"]);
    assert.equal(listed(await list({ state: "no state", limit: "2" })).length, 4);
    const limited = await list({ limit: 2 });
    assert.equal(listed(limited).length, 2);
    assert.equal(fieldAt(limited, "total"), 4);
    assert.equal(listed(await list({ limit: 0 })).length, 1);
  });

  test("has at most 200 applications, and 50 without a limit", async (t) => {
    const rig = await start(t);
    rig.pods = Array.from({ length: 210 }, (_, at) =>
      pod(`d-${at}`, { application: `spark-${at}` }),
    );
    assert.equal(listed(await rig.call("spark_list_applications")).length, 50);
    assert.equal(listed(await rig.call("spark_list_applications", { limit: 900 })).length, 200);
  });

  test("reads the namespace of the call", async (t) => {
    const rig = await start(t);
    await rig.call("spark_list_applications", { namespace: "other" });
    assert.match(rig.server.seen[0]?.path ?? "", /^\/api\/v1\/namespaces\/other\/pods\?/);
  });
});

describe("the application of a call", () => {
  const read = async (rig: Rig, application: string) =>
    textAt(await rig.call("spark_read_log", { application }), "pod");

  test("is found by its id, its driver pod, or the name of its newest run", async (t) => {
    const rig = await start(t);
    assert.equal(await read(rig, "spark-0"), "etl-old-driver");
    assert.equal(await read(rig, "etl-old-driver"), "etl-old-driver");
    assert.equal(await read(rig, "etl"), "etl-driver");
  });

  test("is reported if it is missing, unknown or not unique", async (t) => {
    const rig = await start(t);
    const failure = (given: Fields) => rig.failure("spark_read_log", given);
    for (const given of [{}, { application: "" }, { application: 7 }]) {
      assert.equal(await failure(given), '"application" is required.');
    }
    assert.equal(
      await failure({ application: "nothing" }),
      'No application "nothing" in namespace "ns" of context "x". The newest are "etl", "etl", "report", "lonely".',
    );
    rig.pods = [];
    assert.equal(
      await failure({ application: "etl", namespace: "other" }),
      'No application "etl" in namespace "other" of context "x". There are no applications.',
    );
    rig.pods = [
      pod("same", { application: "spark-1" }),
      pod("spark-1", { application: "spark-2", name: "b" }),
    ];
    assert.equal(
      await failure({ application: "spark-1" }),
      'Several applications match "spark-1". Specify the namespace.',
    );
  });

  test("is reported if the pods cannot be listed", async (t) => {
    const rig = await start(t);
    rig.server.script = (_seen, reply) => {
      reply.json(403, statusJson(403, "Forbidden", "no pods for you"));
    };
    assert.match(await rig.failure("spark_list_applications"), /^Cannot list the pods: .*pods/);
  });
});

describe("the log for an assistant", () => {
  const stamp = "2026-01-02T03:04:05.000000001Z";
  const logOf = (...lines: readonly string[]): string =>
    lines.map((line) => `${stamp} ${line}\n`).join("");
  const linesOf = (answer: unknown) => itemsOf(fieldAt(answer, "lines"));
  const leveled = logOf(
    "26/01/02 03:04:05 INFO A: one",
    "26/01/02 03:04:05 ERROR B: two password=hunter2",
    "\tat Frame",
    "26/01/02 03:04:05 WARN C: Three",
  );

  test("has the last lines, redacted", async (t) => {
    const rig = await start(t);
    rig.log = leveled;
    const answer = await rig.call("spark_read_log", { application: "etl", lines: 3 });
    assert.equal(textAt(answer, "container"), "spark-kubernetes-driver");
    assert.equal(fieldAt(answer, "isCutOff"), true);
    const [error, frame, warning, ...others] = linesOf(answer);
    assert.match(String(error), /ERROR B: two password=(?!hunter2)/);
    assert.deepEqual(
      [frame, warning, others.length],
      ["\tat Frame", "26/01/02 03:04:05 WARN C: Three", 0],
    );
    const { path } = rig.server.seen.find((one) => one.path.includes("/log?")) ?? {};
    assert.match(path ?? "", /tailLines=4\b/);
    assert.doesNotMatch(path ?? "", /previous=true|follow=true/);
  });

  test("has only lines of a level, with their continuations, or with a text", async (t) => {
    const rig = await start(t);
    rig.log = leveled;
    const read = async (given: Fields) =>
      linesOf(await rig.call("spark_read_log", { application: "etl", ...given })).map((line) =>
        String(line).replace(/^.*: /, ""),
      );
    assert.deepEqual(await read({ level: "warn" }), [
      "two password=*********(redacted)",
      "\tat Frame",
      "Three",
    ]);
    assert.deepEqual(await read({ contains: "THREE" }), ["Three"]);
    assert.deepEqual(await read({ level: "error", contains: "frame" }), ["\tat Frame"]);
    const logs = rig.server.seen.filter((one) => one.path.includes("/log?"));
    assert.ok(logs.every(({ path }) => path.includes("tailLines=5000")));
  });

  test("is bounded in lines, characters and the length of a line", async (t) => {
    const rig = await start(t);
    rig.log = logOf(...Array.from({ length: 600 }, (_, at) => `${at}`));
    const read = (lines?: number) => rig.call("spark_read_log", { application: "etl", lines });
    assert.equal(linesOf(await read()).length, 100);
    assert.equal(linesOf(await read(900)).length, 500);
    assert.equal(linesOf(await read(0)).length, 1);
    rig.log = logOf(...Array.from({ length: 60 }, () => "x".repeat(5_000)));
    const long = await read(60);
    assert.deepEqual([linesOf(long).length, String(linesOf(long)[0]).length], [50, 2_000]);
    assert.equal(fieldAt(long, "isCutOff"), true);
  });

  test("is cut off if lines before the examined ones may match", async (t) => {
    const rig = await start(t);
    const read = async (count: number): Promise<unknown> => {
      rig.log = logOf(...Array.from({ length: count }, (_, at) => `line ${at}`));
      const answer = await rig.call("spark_read_log", { application: "etl", contains: "line 17 " });
      return fieldAt(answer, "isCutOff");
    };
    assert.deepEqual([await read(4_999), await read(5_000)], [false, true]);
  });

  test("is that of a pod and container of the application", async (t) => {
    const rig = await start(t);
    const application = "spark-1";
    const answer = await rig.call("spark_read_log", {
      application,
      pod: "etl-exec-2",
      previous: true,
    });
    assert.equal(textAt(answer, "pod"), "etl-exec-2");
    const log = rig.server.seen.find((one) => one.path.includes("/log?"));
    assert.match(log?.path ?? "", /\/pods\/etl-exec-2\/log\?.*previous=true/);
    assert.equal(
      await rig.failure("spark_read_log", { application, pod: "report-driver" }),
      '"etl" has no pod "report-driver".',
    );
    assert.equal(
      await rig.failure("spark_read_log", { application: "lonely" }),
      '"lonely" has no driver pod.',
    );
    assert.equal(
      await rig.failure("spark_read_log", { application, container: "sidecar" }),
      'Pod "etl-driver" has no log of container "sidecar" yet. Containers with a log: spark-kubernetes-driver.',
    );
  });
});

describe("the explanation of an application", () => {
  test("has the driver, and the unhealthy executors with their causes", async (t) => {
    const rig = await start(t);
    rig.pods = [
      ...pods,
      ...Array.from({ length: 6 }, (_, at) => executor(at + 3, { phase: "Failed", exitCode: 1 })),
    ];
    rig.log = "2026-01-02T03:04:05Z x password=hunter2\n";
    const answer = await rig.call("spark_explain_application", { application: "etl" });
    const explained = itemsOf(fieldAt(answer, "pods"));
    assert.deepEqual(
      explained.map((one) => `${textAt(one, "pod")} ${textAt(one, "role")}`),
      ["etl-driver driver", ...[8, 7, 6, 5, 4].map((id) => `etl-exec-${id} executor`)],
    );
    assert.deepEqual(fieldAt(explained[0], "causes"), []);
    assert.ok(itemsOf(fieldAt(explained[1], "causes")).length > 0);
    assert.doesNotMatch(JSON.stringify(answer), /hunter2/);
  });

  test("names the cause, the evidence, the fix and its keys", async (t) => {
    const rig = await start(t);
    const message = 'secret "keys" not found password=hunter2';
    const waiting = { reason: "CreateContainerConfigError", message };
    rig.pods = [pod("etl-driver", { phase: "Pending", waiting })];
    const answer = await rig.call("spark_explain_application", { application: "etl" });
    const [driver] = itemsOf(fieldAt(answer, "pods"));
    const [cause] = itemsOf(fieldAt(driver, "causes"));
    assert.deepEqual(
      ["id", "fact"].map((field) => textAt(cause, field)),
      ["D62", 'Secret "keys" does not exist'],
    );
    assert.match(textAt(cause, "evidence") ?? "", /^secret "keys" not found password=\*/);
    assert.ok((textAt(cause, "explanation") ?? "").endsWith("."));
    assert.ok((textAt(cause, "fix") ?? "").endsWith("."));
    assert.ok(itemsOf(fieldAt(cause, "keys")).length > 0);
    assert.ok(rig.server.seen.some(({ path }) => path.includes("/events?")));
  });
});

describe("a change by an assistant", () => {
  const deletions = (rig: Rig): readonly string[] =>
    rig.server.seen
      .filter(({ method }) => method === "DELETE")
      .map(({ path }) => path.split("?")[0] ?? "");
  const refusals: readonly (readonly [ChangeDecision, RegExp])[] = [
    [{ kind: "declined" }, /: the user declined\. Nothing was changed\.$/],
    [{ kind: "refused", reason: "Read-only." }, /^Blocked: .* Read-only\.$/],
    [{ kind: "later" }, /^later$/],
  ];

  test("stops a running application after the user agreed", async (t) => {
    const rig = await start(t);
    const given = { application: "spark-1" };
    for (const [decision, expected] of refusals) {
      rig.decision = decision;
      assert.match(await rig.failure("spark_stop_application", given), expected);
    }
    assert.deepEqual(deletions(rig), []);
    rig.decision = { kind: "approved" };
    const answer = await rig.call("spark_stop_application", given);
    assert.deepEqual(answer, { outcome: "deleted" });
    assert.deepEqual(deletions(rig), ["/api/v1/namespaces/ns/pods/etl-driver"]);
    const question = rig.questions.at(-1);
    assert.deepEqual([question?.action, question?.id], ['Stop "etl"', "stop uid-of-etl-driver"]);
    assert.match(question?.detail ?? "", /^Context: x\n.*driver pod etl-driver, \d executor pods/);
  });

  test("deletes the custom resource of an operator, so that it starts no other driver", async (t) => {
    const rig = await start(t);
    const labels = { "sparkoperator.k8s.io/app-name": "nightly" };
    const own = pod("etl-driver", { labels });
    const metadata = {
      name: "nightly",
      namespace: "ns",
      uid: "uid-of-nightly",
      resourceVersion: "1",
    };
    const status = { applicationState: { state: "RUNNING" } };
    rig.pods = [own];
    rig.resource = { metadata, status };
    const path = "/apis/sparkoperator.k8s.io/v1beta2/namespaces/ns/sparkapplications/nightly";
    await rig.call("spark_stop_application", { application: "spark-1" });
    assert.deepEqual(deletions(rig), [path]);
    const asked =
      "This deletes SparkApplication nightly, so that its operator does not start it again";
    assert.ok(rig.questions[0]?.detail.includes(`\n${asked}\n`), rig.questions[0]?.detail);
    rig.resource = { metadata, status: { applicationState: { state: "COMPLETED" } } };
    await rig.call("spark_stop_application", { application: "spark-1" });
    assert.equal(deletions(rig).at(-1), "/api/v1/namespaces/ns/pods/etl-driver");
    rig.resource = undefined;
    const failure = await rig.failure("spark_stop_application", { application: "spark-1" });
    assert.match(failure, /^"nightly" was not stopped, because its operator may start it again\./);
    assert.equal(deletions(rig).length, 2);
  });

  test("stops no application that has ended or has no driver", async (t) => {
    const rig = await start(t);
    const stop = (application: string) => rig.failure("spark_stop_application", { application });
    assert.equal(await stop("spark-0"), '"etl" has already ended.');
    assert.equal(await stop("lonely"), '"lonely" has no driver pod to stop.');
    assert.equal(rig.questions.length, 0);
  });

  test("kills a live executor after the user agreed", async (t) => {
    const rig = await start(t);
    const given = { application: "spark-1", executor: 1 };
    for (const [decision, expected] of refusals) {
      rig.decision = decision;
      assert.match(await rig.failure("spark_kill_executor", given), expected);
    }
    rig.decision = { kind: "approved" };
    for (const wanted of [2, 9, "1", undefined]) {
      assert.equal(
        await rig.failure("spark_kill_executor", { ...given, executor: wanted }),
        '"etl" has no live executor with this id.',
      );
    }
    assert.deepEqual(deletions(rig), []);
    assert.deepEqual(await rig.call("spark_kill_executor", given), { outcome: "deleted" });
    assert.deepEqual(deletions(rig), ["/api/v1/namespaces/ns/pods/etl-exec-1"]);
    assert.deepEqual(rig.questions.at(-1), {
      action: 'Kill executor 1 of "etl"',
      detail: 'Context: x\nThis deletes pod etl-exec-1 in namespace "ns".',
      id: "kill uid-of-etl-exec-1",
    });
  });
});
