import assert from "node:assert/strict";
import { test } from "node:test";
import { ok } from "../../../src/base/result.ts";
import { findHistoryServer } from "../../../src/engine/driver/findHistoryServer.ts";
import type { ObjectApi } from "../../../src/engine/ports/objects.ts";
import { historyPath, readyPod, serviceIn } from "../../../src/spark/ui/historyService.ts";

const pod = (name: string) => ({ targetRef: { kind: "Pod", namespace: "jobs", name } });
const sliceOf = (endpoints: readonly unknown[], ports: readonly unknown[] = [{ port: 80 }]) => ({
  endpoints,
  ports,
});

test("a Service is named by its namespace and name", () => {
  assert.deepEqual(serviceIn("jobs/shs"), { namespace: "jobs", name: "shs" });
  const others = ["shs", "https://jobs/shs", "jobs/shs/x", "Jobs/shs", "jobs/", "/shs", "a/b:80"];
  for (const text of others) assert.equal(serviceIn(text), undefined, text);
});

test("takes the first pod that is ready", () => {
  const starting = { ...pod("a"), conditions: { ready: false } };
  const endpoints = [starting, { ...pod("b"), conditions: { ready: true } }, pod("c")];
  assert.deepEqual(readyPod([sliceOf([starting]), sliceOf(endpoints)]), {
    ...{ namespace: "jobs", name: "b", port: 80 },
  });
  assert.equal(readyPod([sliceOf([pod("a")])])?.name, "a", "without conditions");
  assert.equal(readyPod([sliceOf([starting])]), undefined);
});

test("takes the usual port of a history server among several", () => {
  const ports = [{ port: 8_080 }, { port: 18_080 }, { port: 443 }];
  assert.equal(readyPod([sliceOf([pod("a")], ports)])?.port, 18_080);
  assert.equal(readyPod([sliceOf([pod("a")], ports.slice(2))])?.port, 443);
});

test("ignores what is no pod with a port", () => {
  const node = { targetRef: { kind: "Node", namespace: "jobs", name: "a" } };
  const hostile = [
    null,
    7,
    {},
    sliceOf([node]),
    sliceOf([{ targetRef: 1 }]),
    sliceOf([pod("a")], [{}]),
  ];
  assert.equal(readyPod(hostile), undefined);
});

test("the page of an application stands below its id", () => {
  assert.equal(historyPath("spark-1"), "/history/spark-1/jobs/");
});

test("finds the history server by its label first, then by its name", async () => {
  const asked: string[] = [];
  const slice = (service: string, endpoints: readonly unknown[]) => ({
    metadata: { labels: { "kubernetes.io/service-name": service } },
    ...sliceOf(endpoints),
  });
  const found = async (labelled: readonly unknown[], named: readonly unknown[]) => {
    asked.length = 0;
    const list = (_: unknown, namespace: string, selector: string) => {
      asked.push(`${namespace} ${selector}`);
      const bodies = selector.startsWith("app.") ? labelled : named;
      return Promise.resolve(ok(bodies.map((body) => ({ body }))));
    };
    const objects = { list } as unknown as ObjectApi;
    return (await findHistoryServer(objects, "jobs", new AbortController().signal))?.name;
  };
  const byLabel = slice("shs", [pod("a")]);
  assert.equal(await found([byLabel], []), "shs");
  assert.deepEqual(asked, ["jobs app.kubernetes.io/name=spark-history-server"]);
  assert.equal(
    await found([slice("down", [])], [slice("spark-history-server", [pod("b")])]),
    "spark-history-server",
  );
  assert.equal(asked[1], "jobs kubernetes.io/service-name=spark-history-server");
  assert.equal(await found([], []), undefined);
});
