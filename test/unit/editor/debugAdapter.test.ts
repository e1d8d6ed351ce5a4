import assert from "node:assert/strict";
import { describe, test, type TestContext } from "node:test";
import type { DebugConfiguration, DebugSession } from "vscode";
import { Emitter } from "../../../src/base/emitter.ts";
import { err, ok, type Result } from "../../../src/base/result.ts";
import type { DebugContext, DebugScreen } from "../../../src/editor/debug/debugContext.ts";
import { SparkDebugAdapter } from "../../../src/editor/debug/sparkDebugAdapter.ts";
import type { ControlledRun, DebuggedRun } from "../../../src/editor/submit/controlledRun.ts";
import type { ClusterError } from "../../../src/engine/clusterError.ts";
import type {
  ForwardRequest,
  PodPort,
  PodStream,
  PodStreamItem,
} from "../../../src/engine/ports/channels.ts";
import type { AccessConnection } from "../../../src/engine/ports/connection.ts";
import type { PlannedDebug } from "../../../src/spark/submit/debug/plannedDebug.ts";
import { FakePodServer } from "../engine/fakePodServer.ts";
import { settle, VirtualClock } from "../engine/virtualClock.ts";
import { driverFixture, executorFixture } from "../pods/podFixture.ts";
import { inText } from "./screenFixture.ts";
import { connectionFixture, recordedObjects, strictLog } from "./sessionFixture.ts";

const refused: ClusterError = { kind: "badResponse", status: undefined, detail: "refused" };
const forbidden: ClusterError = {
  ...{ kind: "forbidden", verb: "create", resource: "pods/portforward", namespace: "jobs" },
  detail: "no",
};

async function* itemsOf(item: PodStreamItem): AsyncGenerator<PodStreamItem> {
  await Promise.resolve();
  yield item;
}

/** Returns a stream of a process that sends the start of a message at once. */
const greeting = (): PodStream => ({
  items: itemsOf({ kind: "bytes", bytes: new TextEncoder().encode("Content-Length: 2") }),
  write: () => undefined,
  dispose: () => undefined,
});

interface Options {
  readonly isReadOnly?: boolean;
  readonly hasExtension?: boolean;
  readonly hasDebugger?: boolean;
  readonly startsSessions?: boolean;
  readonly isRun?: boolean;
  readonly open?: (pod: PodPort) => Result<PodStream, ClusterError>;
}

function adapterFixture(
  t: TestContext,
  {
    isReadOnly = false,
    hasExtension = true,
    hasDebugger = true,
    startsSessions = true,
    isRun = true,
    open = () => err(refused),
  }: Options = {},
) {
  const clock = new VirtualClock();
  const server = new FakePodServer(clock);
  const { objects, written } = recordedObjects();
  const opened: number[] = [];
  const connection = connectionFixture(clock, {
    pods: server,
    objects,
    ports: {
      open: (pod) => {
        opened.push(pod.port);
        return Promise.resolve(open(pod));
      },
    },
  }) as AccessConnection;
  const fail = (error: unknown): never => {
    throw error;
  };
  const started = new Emitter<DebugSession>(fail);
  const terminated = new Emitter<DebugSession>(fail);
  const configurations: DebugConfiguration[] = [];
  const state: { run: DebuggedRun | undefined; source: unknown } = {
    run: undefined,
    source: undefined,
  };
  const forwarded: ForwardRequest[] = [];
  const context = {
    run: (source: unknown, run: DebuggedRun) => {
      Object.assign(state, { source, run });
      return Promise.resolve(isRun);
    },
    isRequested: () => true,
    loadDebuggers: () => Promise.reject(new Error("not asked for here")),
    forward: (request: ForwardRequest) => {
      forwarded.push(request);
      return Promise.resolve({
        localPort: 40_000 + forwarded.length,
        connections: 0,
        dispose: () => undefined,
      });
    },
    clock,
    log: strictLog,
  } as unknown as DebugContext;
  const python = { archive: new Uint8Array(), version: "1.8" };
  const screen: DebugScreen = {
    show: inText,
    explain: ({ kind }) => `It is ${kind}.`,
    refusalIn: () => (isReadOnly ? "The context is read-only." : undefined),
    hasExtension: () => Promise.resolve(hasExtension),
    pythonDebugger: () => Promise.resolve(hasDebugger ? (python as never) : undefined),
    sessions: {
      onDidStart: started.event,
      onDidTerminate: terminated.event,
      start: (_, configuration) => {
        configurations.push(configuration);
        return Promise.resolve(startsSessions);
      },
    },
  };
  const session = { configuration: { type: "spark" } } as unknown as DebugSession;
  const adapter = new SparkDebugAdapter(session, context, screen);
  t.after(() => {
    adapter.dispose();
  });
  const sent: Record<string, unknown>[] = [];
  adapter.onDidSendMessage((message) => sent.push(message as Record<string, unknown>));
  let seq = 0;
  const ask = async (command: string, given: object = {}): Promise<void> => {
    seq += 1;
    adapter.handleMessage({ seq, type: "request", command, arguments: given });
    await settle();
  };
  /** Returns the messages, one line each; console output is quoted. */
  const messages = (): readonly string[] =>
    sent.map(({ type, command, event, success, message, body }) => {
      if (type === "response") {
        const refusal = success === true ? "" : ` refused: ${String(message)}`;
        return `${String(command)}${refusal}`;
      }
      const { output, exitCode } = body as { readonly output?: string; readonly exitCode?: number };
      return output === undefined
        ? `${String(event)}${exitCode === undefined ? "" : ` ${exitCode}`}`
        : `"${output.trimEnd()}"`;
    });
  const debug = (target: "driver" | "executor", language: "python" | "java"): PlannedDebug =>
    ({ target, language, ports: [5678, 5679] }) as unknown as PlannedDebug;
  const begin = async (planned: PlannedDebug | undefined): Promise<void> => {
    const driver = driverFixture();
    await state.run?.started({
      name: "pi",
      plan: { debug: planned, conf: new Map() } as never,
      driver,
      connection,
    });
    await settle();
  };
  return {
    ...{ adapter, ask, messages, sent, state, written, clock, server, started, terminated },
    ...{ configurations, opened, forwarded, begin, debug },
  };
}

const launch = { program: "/project/pi.py" };

describe("debug adapter", () => {
  test("answers the requests of VS Code", async (t) => {
    const { ask, messages, sent, adapter } = adapterFixture(t);
    await ask("initialize");
    await ask("threads");
    await ask("setBreakpoints");
    adapter.handleMessage({ type: "event" });
    assert.deepEqual(messages(), ["initialize", "threads", "setBreakpoints"]);
    assert.deepEqual(
      sent.map(({ seq, request_seq, body }) => [seq, request_seq, body]),
      [
        [1, 1, { supportsTerminateRequest: true }],
        [2, 2, { threads: [] }],
        [3, 3, {}],
      ],
    );
  });

  const problems: readonly (readonly [object, string])[] = [
    [{}, 'Set "program" to a file, or "profile" to the name of a run profile.'],
    [
      { profile: "nightly", program: "a.py" },
      '"profile" cannot be combined with "program" or "application".',
    ],
    [{ ...launch, target: "both" }, '"target" must be "driver" or "executor".'],
    [
      { ...launch, target: "executor", stopOnEntry: true },
      '"stopOnEntry" requires "target": "driver".',
    ],
    [{ ...launch, waitMinutes: 2_000 }, '"waitMinutes" must be a number of minutes, at most 1440.'],
  ];
  for (const [configuration, words] of problems) {
    test(`refuses ${JSON.stringify(configuration)}`, async (t) => {
      const { ask, messages, sent, state } = adapterFixture(t);
      await ask("launch", configuration);
      assert.deepEqual(messages(), [`launch refused: ${words}`]);
      assert.deepEqual(sent[0]?.["body"], {
        error: { id: 1, format: "{words}", variables: { words }, showUser: true },
      });
      assert.equal(state.run, undefined);
    });
  }

  test("ends if nothing was submitted", async (t) => {
    const { ask, messages } = adapterFixture(t, { isRun: false });
    await ask("launch", launch);
    assert.deepEqual(messages(), ["launch", '"not submitted"', "exited 1", "terminated"]);
  });

  const ends: readonly (readonly [Parameters<ControlledRun["ended"]>[0], string])[] = [
    [{ outcome: "succeeded", exitCode: 0 }, "driver: exit code 0"],
    [{ outcome: "failed", exitCode: 3 }, "driver: exit code 3"],
    [{ outcome: "stopped", exitCode: 143 }, "stopped"],
    [{ outcome: "detached", exitCode: 0 }, "detached; the application is still running"],
    [{ outcome: "submitted", exitCode: 0 }, "submitted"],
  ];
  for (const [end, words] of ends) {
    test(`reports the end: ${words}`, async (t) => {
      const { ask, messages, state } = adapterFixture(t);
      await ask("launch", launch);
      state.run?.ended(end);
      state.run?.ended(end);
      assert.deepEqual(messages().slice(1), [`"${words}"`, `exited ${end.exitCode}`, "terminated"]);
    });
  }

  test("asks for a debugger only if the run is debugged", async (t) => {
    const requestOf = async (given: object, options: Options = {}, definition: object = {}) => {
      const { ask, state, messages } = adapterFixture(t, options);
      await ask("launch", given);
      const request = await state.run?.request({ application: "/project/pi.py", ...definition });
      const printed = messages().slice(1);
      if (typeof request !== "object") return [request, ...printed];
      const { target, stopOnEntry, waitSeconds, python } = request;
      return [target, stopOnEntry, waitSeconds, python !== undefined, ...printed];
    };
    const jar = { application: "/project/pi.jar" };
    assert.deepEqual(await requestOf({ ...launch, noDebug: true }), [undefined]);
    assert.deepEqual(await requestOf({ ...launch, waitMinutes: 1 }), ["driver", false, 60, true]);
    assert.deepEqual(await requestOf({ ...launch, target: "executor", waitMinutes: 1 }), [
      "executor",
      false,
      60,
      true,
    ]);
    assert.deepEqual(await requestOf(launch, { hasExtension: false }), ["canceled"]);
    assert.deepEqual(await requestOf(launch, { hasDebugger: false }), ["canceled"]);
    assert.deepEqual(await requestOf({ ...launch, waitMinutes: 1 }, { hasDebugger: false }, jar), [
      "driver",
      false,
      60,
      false,
    ]);
    assert.deepEqual(
      await requestOf({ ...launch, stopOnEntry: true, waitMinutes: 1 }, {}, jar),
      [
        "driver",
        true,
        60,
        false,
        '"\\"stopOnEntry\\" is supported only for Python. Set a breakpoint in the main method."',
      ].map((one) => (typeof one === "string" ? one.replaceAll("\\", "") : one)),
    );
  });

  test("stops a submission that has not created its driver", async (t) => {
    const { ask, messages, state, written } = adapterFixture(t);
    await ask("launch", launch);
    const run = state.run ?? assert.fail("no run");
    assert.equal(run.isStopped(), false);
    await ask("disconnect");
    assert.deepEqual([run.signal.aborted, run.isStopped()], [true, true]);
    assert.deepEqual(written, []);
    assert.deepEqual(messages(), ["launch", "disconnect"]);
  });

  test("deletes the driver when it is stopped, once", async (t) => {
    const { ask, messages, state, written, begin } = adapterFixture(t);
    await ask("launch", launch);
    await begin(undefined);
    await ask("terminate");
    await ask("disconnect");
    assert.deepEqual(written, ["delete Pod pi-0123456789abcdef-driver"]);
    assert.deepEqual(messages(), ["launch", "terminate", '"stopping "pi""', "disconnect"]);
    assert.equal(state.run?.signal.aborted, false);
  });

  test("deletes a driver that is created after the stop", async (t) => {
    const { ask, written, begin } = adapterFixture(t);
    await ask("launch", launch);
    await ask("terminate");
    await begin(undefined);
    assert.deepEqual(written, ["delete Pod pi-0123456789abcdef-driver"]);
  });

  test("deletes nothing in a read-only context, nor after the end", async (t) => {
    const locked = adapterFixture(t, { isReadOnly: true });
    await locked.ask("launch", launch);
    await locked.begin(undefined);
    await locked.ask("disconnect");
    assert.deepEqual(locked.written, []);
    assert.ok(locked.messages().includes('"The context is read-only."'));
    const over = adapterFixture(t);
    await over.ask("launch", launch);
    await over.begin(undefined);
    over.state.run?.ended({ outcome: "succeeded", exitCode: 0 });
    await over.ask("disconnect");
    assert.deepEqual(over.written, []);
  });

  test("deletes the driver when the window closes", async (t) => {
    const { ask, written, begin, adapter } = adapterFixture(t);
    await ask("launch", launch);
    await begin(undefined);
    adapter.dispose();
    await settle();
    assert.deepEqual(written, ["delete Pod pi-0123456789abcdef-driver"]);
  });
});

describe("debug sessions of a driver", () => {
  test("start when the process listens, each on the next port", async (t) => {
    let isListening = false;
    const { ask, messages, begin, debug, clock, configurations, opened, started, terminated } =
      adapterFixture(t, { open: () => (isListening ? ok(greeting()) : err(refused)) });
    await ask("launch", { ...launch, justMyCode: false });
    await begin(debug("driver", "python"));
    assert.equal(configurations.length, 0);
    isListening = true;
    await clock.advance(600);
    assert.deepEqual(messages().slice(1), [
      '"waiting for the driver"',
      '"pi: debugger attached"',
      '"pi: debugger attached"',
    ]);
    assert.deepEqual(opened, [5678, 5678, 5679]);
    const [first] = configurations;
    assert.deepEqual(
      { ...first, pathMappings: undefined },
      {
        name: "pi",
        type: "debugpy",
        request: "attach",
        connect: { host: "127.0.0.1", port: 40_001 },
        pathMappings: undefined,
        justMyCode: false,
        subProcess: true,
      },
    );
    // After a session ends, the next process may use its port.
    started.fire({ id: "1", configuration: first } as never);
    await clock.advance(2_000);
    assert.equal(configurations.length, 2);
    terminated.fire({ id: "other" } as never);
    await clock.advance(2_000);
    assert.equal(configurations.length, 2);
    terminated.fire({ id: "1" } as never);
    await clock.advance(2_000);
    assert.equal(configurations.length, 3);
    assert.equal(opened.at(-1), 5678);
  });

  test("of a JVM attach with the Java debugger", async (t) => {
    const { ask, begin, debug, configurations } = adapterFixture(t, { open: () => ok(greeting()) });
    await ask("launch", launch);
    await begin({ ...debug("driver", "java"), ports: [5005] });
    assert.deepEqual(configurations, [
      {
        name: "pi",
        type: "java",
        request: "attach",
        hostName: "127.0.0.1",
        port: 40_001,
        timeout: 30_000,
      },
    ]);
  });

  test("that cannot connect end the application", async (t) => {
    const { ask, begin, debug, messages, written } = adapterFixture(t, {
      open: () => err(forbidden),
    });
    await ask("launch", launch);
    await begin(debug("driver", "python"));
    assert.deepEqual(messages().slice(2), ['"It is forbidden."', '"stopping "pi""']);
    assert.deepEqual(written, ["delete Pod pi-0123456789abcdef-driver"]);
  });

  test("that VS Code does not start end the application", async (t) => {
    const { ask, begin, debug, messages, written } = adapterFixture(t, {
      open: () => ok(greeting()),
      startsSessions: false,
    });
    await ask("launch", launch);
    await begin(debug("driver", "python"));
    assert.deepEqual(messages().slice(2), [
      '"pi: debugger attached"',
      '"the debugger was not started"',
      '"stopping "pi""',
    ]);
    assert.equal(written.length, 1);
  });

  test("open no channel into a read-only context", async (t) => {
    const { ask, begin, debug, messages, opened } = adapterFixture(t, { isReadOnly: true });
    await ask("launch", launch);
    await begin(debug("driver", "python"));
    assert.deepEqual(opened, []);
    assert.ok(messages().includes('"It is invalid."'));
  });

  test("show failures of their connections", async (t) => {
    const { ask, begin, debug, messages, forwarded } = adapterFixture(t, {
      open: () => ok(greeting()),
    });
    await ask("launch", launch);
    await begin({ ...debug("driver", "python"), ports: [5678] });
    forwarded[0]?.failed(forbidden);
    assert.ok(messages().includes('"debug connection: no"'));
  });
});

describe("debug sessions of executors", () => {
  test("start for each running executor, once", async (t) => {
    const { ask, begin, debug, server, clock, configurations, messages } = adapterFixture(t, {
      open: () => ok(greeting()),
    });
    server.put(executorFixture(1));
    server.put(executorFixture(2, { phase: "Pending" }));
    await ask("launch", { ...launch, target: "executor" });
    await begin({ ...debug("executor", "python"), ports: [5678] });
    assert.equal(messages()[1], '"waiting for an executor that runs Python functions or tasks"');
    await clock.advance(100);
    assert.deepEqual(
      configurations.map(({ name }) => name),
      ["pi-exec-1"],
    );
    server.put(executorFixture(2));
    await clock.advance(3_000);
    assert.deepEqual(
      configurations.map(({ name }) => name),
      ["pi-exec-1", "pi-exec-2"],
    );
  });

  test("that cannot connect do not end the application", async (t) => {
    const { ask, begin, debug, server, clock, written } = adapterFixture(t, {
      open: () => err(forbidden),
    });
    server.put(executorFixture(1));
    await ask("launch", { ...launch, target: "executor" });
    await begin(debug("executor", "python"));
    await clock.advance(2_000);
    assert.deepEqual(written, []);
  });
});
