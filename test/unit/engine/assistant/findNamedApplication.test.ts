import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { err, ok } from "../../../../src/base/result.ts";
import type { AssistantHost } from "../../../../src/engine/assistant/assistantTool.ts";
import {
  findNamedApplication,
  listApplications,
} from "../../../../src/engine/assistant/findNamedApplication.ts";
import type { PodListRequest } from "../../../../src/engine/ports/pods.ts";
import type { PodRecord } from "../../../../src/spark/pods/podRecord.ts";
import { driverFixture } from "../../pods/podFixture.ts";
import { unreachable } from "../fakePodServer.ts";

const { signal } = new AbortController();

/** Returns the driver of an application. Drivers with a higher `minute` are newer. */
const driver = (name: string, id: string, minute = 0, namespace = "jobs"): PodRecord =>
  driverFixture({
    ...{ uid: `uid-${id}-${namespace}`, name: `${id}-driver`, namespace },
    creationTimestamp: `2026-01-02T03:${String(minute).padStart(2, "0")}:00Z`,
    labels: { "spark-app-selector": id, "spark-role": "driver", "spark-app-name": name },
  });

interface Given {
  readonly pods?: readonly PodRecord[];
  readonly pageSize?: number;
  readonly namespaces?: readonly (string | undefined)[];
  readonly fails?: "connect" | "list";
}

function hostWith({ pods = [], pageSize = 500, namespaces = ["jobs"], fails }: Given) {
  const asked: PodListRequest[] = [];
  const contexts: (string | undefined)[] = [];
  const connection = {
    context: "dev",
    pods: {
      listPods: (request: PodListRequest) => {
        asked.push(request);
        if (fails === "list") return Promise.resolve(err(unreachable));
        const own = pods.filter(
          ({ namespace }) => request.namespace === undefined || namespace === request.namespace,
        );
        const from = Number(request.continueToken ?? 0);
        const end = from + pageSize;
        const continueToken = end < own.length ? String(end) : undefined;
        return Promise.resolve(
          ok({ pods: own.slice(from, end), resourceVersion: "1", continueToken }),
        );
      },
    },
  };
  const host = {
    connect: (context: string | undefined) => {
      contexts.push(context);
      return Promise.resolve(fails === "connect" ? err(unreachable) : ok(connection));
    },
    namespacesOf: () => namespaces,
  } as unknown as AssistantHost;
  const find = async (given: object): Promise<string> => {
    const found = await findNamedApplication(host, given as Record<string, unknown>, signal);
    return found.ok ? `found ${found.value.application.id}` : found.error.text;
  };
  return { host, asked, contexts, find };
}

describe("the application of a call", () => {
  const pods = [
    driver("pi", "spark-old", 1),
    driver("pi", "spark-new", 9),
    driver("etl", "spark-etl", 5),
  ];

  test("is found by its id and by its driver pod, and by its name as the newest run", async () => {
    const { find } = hostWith({ pods });
    assert.equal(await find({ application: "spark-old" }), "found spark-old");
    assert.equal(await find({ application: "spark-old-driver" }), "found spark-old");
    assert.equal(await find({ application: "pi" }), "found spark-new");
    assert.equal(await find({ application: "etl" }), "found spark-etl");
  });

  test("is needed", async () => {
    for (const given of [{}, { application: "" }, { application: 7 }]) {
      const { find, asked } = hostWith({ pods });
      assert.equal(await find(given), '"application" is required.');
      assert.equal(asked.length, 0);
    }
  });

  test("is ambiguous if two namespaces have its id", async () => {
    const twins = [driver("pi", "spark-1", 1), driver("pi", "spark-1", 2, "other")];
    const { find } = hostWith({ pods: twins, namespaces: [undefined] });
    assert.equal(
      await find({ application: "spark-1" }),
      'Several applications match "spark-1". Specify the namespace.',
    );
    assert.equal(await find({ application: "spark-1", namespace: "other" }), "found spark-1");
  });

  test("is told from others by the places and the names of the newest ten", async () => {
    const many = Array.from({ length: 12 }, (_, index) =>
      driver(`a${index}`, `spark-${index}`, index),
    );
    const text = await hostWith({ pods: many }).find({ application: "none" });
    assert.match(
      text,
      /^No application "none" in namespace "jobs" of context "dev"\. The newest are "a11", "a10", .*"a2"\.$/,
    );
    assert.equal(
      await hostWith({ namespaces: [undefined] }).find({ application: "none" }),
      'No application "none" in all namespaces of context "dev". There are no applications.',
    );
    assert.match(
      await hostWith({ namespaces: ["a", "b"] }).find({ application: "none" }),
      / in namespace "a", namespace "b" of context /,
    );
    assert.match(
      await hostWith({}).find({ application: "none", namespace: "mine" }),
      / in namespace "mine" of context /,
    );
  });

  test("is not found without a connection or a list", async () => {
    const given = { application: "pi" };
    assert.match(
      await hostWith({ fails: "connect" }).find(given),
      /^Cannot connect to the cluster: /,
    );
    assert.match(await hostWith({ fails: "list" }).find(given), /^Cannot list the pods: /);
  });
});

describe("the list of a call", () => {
  test("has all pages of all namespaces of the given context", async () => {
    const pods = [
      ...[1, 2, 3].map((one) => driver(`a${one}`, `spark-${one}`, one)),
      driver("b", "spark-b", 0, "other"),
    ];
    const { host, asked, contexts } = hostWith({
      pods,
      pageSize: 2,
      namespaces: ["jobs", "other"],
    });
    const listed = await listApplications(host, { context: "prod" }, signal);
    assert.ok(listed.ok);
    assert.deepEqual(
      listed.value.applications.map(({ id }) => id),
      ["spark-3", "spark-2", "spark-1", "spark-b"],
    );
    assert.equal(listed.value.isCutOff, false);
    assert.deepEqual(contexts, ["prod"]);
    assert.deepEqual(
      asked.map(({ namespace, continueToken, limit }) => [namespace, continueToken, limit]),
      [
        ["jobs", undefined, 500],
        ["jobs", "2", 500],
        ["other", undefined, 500],
      ],
    );
    assert.equal(new Set(asked.map(({ labelSelector }) => labelSelector)).size, 1);
  });

  test("ends at 20,000 pods", async () => {
    const one = driver("pi", "spark-1");
    const count = (pods: number): Promise<readonly [number, boolean]> => {
      const { host, asked } = hostWith({ pods: Array<PodRecord>(pods).fill(one), pageSize: 5_000 });
      return listApplications(host, {}, signal).then((listed) => [
        asked.length,
        listed.ok && listed.value.isCutOff,
      ]);
    };
    assert.deepEqual(await count(19_999), [4, false]);
    assert.deepEqual(await count(30_000), [4, true]);
  });
});
