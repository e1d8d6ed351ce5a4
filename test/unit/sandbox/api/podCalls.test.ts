import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { ServerResponse } from "node:http";
import type { ApiContext } from "../../../../src/sandbox/api/context.ts";
import { containerOf, loopbackOf, nodeOf, sendLog } from "../../../../src/sandbox/api/podCalls.ts";
import { Refusal } from "../../../../src/sandbox/api/refusal.ts";
import type { JsonMembers, KubeObject } from "../../../../src/sandbox/kubeObject.ts";
import type { LogQuery } from "../../../../src/sandbox/node/node.ts";

const podOf = (more: JsonMembers, annotations: JsonMembers = {}): KubeObject => ({
  ...{ apiVersion: "v1", kind: "Pod", metadata: { name: "p", annotations } },
  ...more,
});
const named = (...names: string[]): JsonMembers[] => names.map((name) => ({ name }));

const refusalOf = (action: () => unknown): string => {
  try {
    action();
  } catch (error) {
    assert.ok(error instanceof Refusal);
    return `${error.code} ${error.message}`;
  }
  return assert.fail("not refused");
};

test("reaches only loopback addresses", () => {
  assert.equal(loopbackOf(podOf({ status: { podIP: "127.0.0.9" } })), "127.0.0.9");
  for (const podIP of ["10.0.0.1", "1127.0.0.1", "127.0.0.1.example.com", "::1", undefined]) {
    assert.match(
      refusalOf(() => loopbackOf(podOf({ status: { podIP } }))),
      /^503 /,
    );
  }
});

test("answers 503 without a node", () => {
  assert.match(
    refusalOf(() => nodeOf({ node: () => undefined } as unknown as ApiContext)),
    /^503 /,
  );
});

describe("the container of a request", () => {
  const two = { containers: named("a", "b"), initContainers: named("i") };
  for (const [spec, query, annotation, expected] of [
    [{ containers: named("a") }, null, undefined, "a"],
    [{ containers: named("a") }, "", undefined, "a"],
    [two, "b", undefined, "b"],
    [two, "i", undefined, "i"],
    [two, null, "b", "b"],
    [two, "a", "b", "a"],
  ] as const) {
    test(`${query ?? "none"} with the default ${annotation ?? "none"} is ${expected}`, () => {
      const annotations =
        annotation === undefined ? {} : { "kubectl.kubernetes.io/default-container": annotation };
      assert.equal(containerOf(podOf({ spec }, annotations), query), expected);
    });
  }

  test("must exist, and must be named if there are several", () => {
    const of = (spec: JsonMembers, query: string | null, annotations?: JsonMembers): string =>
      refusalOf(() => containerOf(podOf({ spec }, annotations), query));
    assert.equal(of(two, "c"), "400 container c is not valid for pod p");
    const list = "400 a container name must be specified for pod p, choose one of: [a b]";
    assert.equal(of(two, null), `${list} or one of the init containers: [i]`);
    assert.equal(of({ containers: named("a", "b") }, null), list);
    const wrong = { "kubectl.kubernetes.io/default-container": "i" };
    assert.equal(of(two, null, wrong), `${list} or one of the init containers: [i]`);
  });
});

describe("the log of a container", () => {
  const running = { state: { running: {} } };
  const podWith = (status: JsonMembers | undefined): KubeObject =>
    podOf({
      spec: { nodeName: "n", containers: named("a") },
      status: { containerStatuses: status === undefined ? [] : [{ name: "a", ...status }] },
    });

  /** Requests a log. Returns the response and the queries that the node received. */
  async function logOf(query: string, pod = podWith(running)) {
    const got: LogQuery[] = [];
    const sent: (string | number)[] = [];
    const response = {
      destroyed: false,
      writeHead: (code: number) => {
        sent.push(code);
        return response;
      },
      ...{ flushHeaders: () => undefined, on: () => response, once: () => response },
      write: (chunk: string) => sent.push(chunk) > 0,
      end: () => response,
    };
    const context = {
      clock: { now: () => 100_000 },
      node: () => ({
        logs: (_: KubeObject, wanted: LogQuery) => {
          got.push(wanted);
          return ["one\n", "two\n"];
        },
      }),
    } as unknown as ApiContext;
    const { searchParams } = new URL(`http://x/?${query}`);
    await sendLog(context, pod, searchParams, response as unknown as ServerResponse);
    return { sent, query: got[0] };
  }
  const refused = async (query: string, pod?: KubeObject): Promise<string> => {
    try {
      await logOf(query, pod);
    } catch (error) {
      assert.ok(error instanceof Refusal);
      return `${error.code} ${error.message}`;
    }
    return "accepted";
  };

  test("is sent with the options of the request", async () => {
    const { sent, query } = await logOf("");
    assert.deepEqual(sent, [200, "one\n", "two\n"]);
    const none = { tailLines: undefined, since: undefined, limitBytes: undefined };
    const plain = { container: "a", follow: false, previous: false, timestamps: false, ...none };
    assert.deepEqual(query, plain);
    const flags = await logOf("follow=true&timestamps=1&tailLines=0&limitBytes=1&sinceSeconds=30");
    assert.deepEqual(flags.query, {
      ...{ ...plain, follow: true, timestamps: true },
      ...{ tailLines: 0, limitBytes: 1, since: 70_000 },
    });
    const since = await logOf("sinceTime=1970-01-01T00:00:07.900Z");
    assert.equal(since.query?.since, 7_000);
  });

  test("is refused for wrong options", async () => {
    for (const [query, message] of [
      ["tailLines=-1", "tailLines: Invalid value: -1: must be greater than or equal to 0"],
      ["tailLines=1.5", "tailLines: Invalid value: 1.5: must be greater than or equal to 0"],
      ["limitBytes=0", "limitBytes: Invalid value: 0: must be greater than 0"],
      ["sinceSeconds=0", "sinceSeconds: Invalid value: 0: must be greater than 0"],
      [
        "sinceSeconds=1&sinceTime=1970-01-01T00:00:00Z",
        "Forbidden: at most one of `sinceTime` or `sinceSeconds` may be specified",
      ],
    ] as const) {
      assert.equal(await refused(query), `422 PodLogOptions "p" is invalid: ${message}`);
    }
  });

  test("is empty for a pod without a node", async () => {
    const { sent, query } = await logOf("", podOf({ spec: { containers: named("a") } }));
    assert.deepEqual([sent, query], [[204], undefined]);
  });

  for (const [title, status, query, expected] of [
    ["has ended", { state: { terminated: {} } }, "", "accepted"],
    [
      "is between two runs",
      { state: { waiting: {} }, lastState: { terminated: {} } },
      "",
      "accepted",
    ],
    [
      "has a previous run",
      { ...running, lastState: { terminated: {} } },
      "previous=true",
      "accepted",
    ],
    [
      "has no previous run",
      running,
      "previous=true",
      '400 previous terminated container "a" in pod "p" not found',
    ],
    ["is unknown", undefined, "", '400 container "a" in pod "p" is not available'],
    [
      "waits without a reason",
      { state: { waiting: {} } },
      "",
      '400 container "a" in pod "p" is not available',
    ],
    [
      "cannot be pulled",
      { state: { waiting: { reason: "ErrImagePull" } } },
      "",
      '400 container "a" in pod "p" is waiting to start: trying and failing to pull image',
    ],
    [
      "is not pulled again yet",
      { state: { waiting: { reason: "ImagePullBackOff" } } },
      "",
      '400 container "a" in pod "p" is waiting to start: trying and failing to pull image',
    ],
    [
      "is being created",
      { state: { waiting: { reason: "ContainerCreating" } } },
      "",
      '400 container "a" in pod "p" is waiting to start: ContainerCreating',
    ],
  ] as const) {
    test(`that ${title}: ${expected.slice(0, 8)}`, async () => {
      assert.equal(await refused(query, podWith(status)), expected);
    });
  }
});
