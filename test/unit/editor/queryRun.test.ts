import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { MessageText } from "../../../src/base/message.ts";
import { err, ok } from "../../../src/base/result.ts";
import type { LogConsole } from "../../../src/editor/logs/logConsole.ts";
import type { PreparedQuery } from "../../../src/editor/submit/prepareRun.ts";
import { runQuery } from "../../../src/editor/submit/queryRun.ts";
import type { AccessConnection } from "../../../src/engine/ports/connection.ts";
import { forbidden } from "../engine/fakeCluster.ts";
import { VirtualClock } from "../engine/virtualClock.ts";
import { inText, scriptedScreen } from "./screenFixture.ts";

const pod = (name: string, role: string, owner?: string) => ({
  ...{ apiVersion: "v1", kind: "Pod", name, namespace: "jobs", uid: `uid-of-${name}` },
  resourceVersion: "1",
  body: {
    metadata: {
      ...{ name, namespace: "jobs", uid: `uid-of-${name}`, creationTimestamp: "2026-01-02" },
      labels: { "spark-role": role },
      ...(owner && {
        ownerReferences: [{ kind: "Pod", name: owner, uid: `uid-of-${owner}`, controller: true }],
      }),
    },
    spec: { nodeName: "n", containers: [{ name: "spark-kubernetes-driver", image: "spark:4" }] },
    status: { phase: "Running" },
  },
});

interface Given {
  readonly kind?: "kill" | "status";
  readonly drivers?: readonly ReturnType<typeof pod>[];
  readonly executors?: readonly ReturnType<typeof pod>[] | "forbidden";
  readonly answer?: string;
  readonly query?: Partial<PreparedQuery["query"]>;
  readonly context?: string;
}

async function query(given: Given) {
  const { kind = "kill", drivers = [], executors = [], answer, context = "dev" } = given;
  const screen = scriptedScreen(answer);
  const said: string[] = [];
  const deleted: string[] = [];
  const connection = {
    ...{ context, contextNamespace: undefined, identity: { kind: "context" } },
    objects: {
      read: ({ name }: { readonly name: string }) => {
        const found = drivers.find((one) => one.name === name);
        return Promise.resolve(found === undefined ? err({ kind: "notFound" }) : ok(found));
      },
      list: (_: unknown, __: unknown, selector: unknown) => {
        const isOfExecutors = JSON.stringify(selector).includes("spark-role=executor");
        if (!isOfExecutors) return Promise.resolve(ok(drivers));
        return Promise.resolve(
          executors === "forbidden" ? err(forbidden("list", "pods")) : ok(executors),
        );
      },
      delete: ({ name }: { readonly name: string }) => {
        deleted.push(name);
        return Promise.resolve(ok(undefined));
      },
    },
  } as unknown as AccessConnection;
  const asked = {
    kind,
    query: {
      ...{ namespace: "jobs", name: "etl-", isPrefix: true, access: {} },
      ...{ gracePeriodSeconds: undefined, readsBeforeKilling: false, selectsByLabel: true },
      ...given.query,
    },
  } as unknown as PreparedQuery;
  const output = {
    note: (text: MessageText) => said.push(inText(text)),
    text: (text: string) => said.push(text),
    problem: (severity: string, text: MessageText) => said.push(`${severity}: ${inText(text)}`),
  } as unknown as LogConsole;
  const place = { output, screen, clock: new VirtualClock() };
  const code = await runQuery(asked, connection, place, new AbortController().signal);
  return { code, said, deleted, shown: screen.shown, modal: screen.modal };
}

const [one, two] = [pod("etl-1", "driver"), pod("etl-2", "driver")];

describe("--kill", () => {
  test("asks with the drivers and their executors before it deletes", async () => {
    const executors = [
      pod("x-1", "executor", "etl-1"),
      pod("x-2", "executor", "etl-2"),
      pod("x-3", "executor", "etl-2"),
    ];
    const { code, said, deleted, shown, modal } = await query({
      ...{ drivers: [one, two], executors, answer: "Kill 2 Drivers" },
    });
    assert.deepEqual([code, deleted], [0, ["etl-1", "etl-2"]]);
    assert.deepEqual(said, ["deleted driver pod etl-1", "deleted driver pod etl-2"]);
    assert.deepEqual(modal, ["Kill 2 drivers?"]);
    assert.deepEqual(shown[0]?.split("\n").slice(1, 4), [
      'This will delete in namespace "jobs" of "dev":',
      ...["etl-1: running, 1 executor", "etl-2: running, 2 executors"],
    ]);
  });

  test("deletes nothing without an agreement, or in a read-only context", async () => {
    const refused = await query({ drivers: [one] });
    assert.deepEqual(
      [refused.code, refused.said, refused.deleted],
      [1, ["nothing was deleted"], []],
    );
    assert.match(refused.shown[0] ?? "", /^warning: Kill "etl-1"\?\n[^]*\n\[Kill Driver\]$/);
    const locked = await query({ drivers: [one], context: "locked", answer: "Kill Driver" });
    assert.deepEqual([locked.code, locked.deleted], [1, []]);
  });

  test("says which pod is no driver, and has no counts without the permission", async () => {
    const other = await query({
      drivers: [pod("etl-9", "executor")],
      query: { name: "etl-9", isPrefix: false },
    });
    assert.match(other.shown[0] ?? "", /\netl-9: running, not a Spark driver\n/);
    const { shown } = await query({ drivers: [one], executors: "forbidden" });
    assert.match(shown[0] ?? "", /\netl-1: running\n/);
  });

  test("names at most 15 drivers", async () => {
    const drivers = Array.from({ length: 17 }, (_, index) => pod(`etl-${index}`, "driver"));
    const { shown } = await query({ drivers });
    assert.match(shown[0] ?? "", /\netl-14: .+\nand 2 more\n/);
    const fits = await query({ drivers: drivers.slice(0, 15) });
    assert.doesNotMatch(fits.shown[0] ?? "", / more\n/);
  });

  test("is done if no driver matches", async () => {
    const { code, said, shown } = await query({});
    assert.deepEqual([code, shown], [0, []]);
    assert.deepEqual(said, ['no driver matches etl-* in namespace "jobs" of "dev"']);
  });

  test("needs a namespace", async () => {
    const { code, said } = await query({ query: { namespace: undefined } });
    assert.deepEqual(
      [code, said],
      [1, ['error: No namespace given. Use "namespace:driver-pod-name".']],
    );
  });
});

describe("--status", () => {
  test("prints the state of each driver", async () => {
    const { code, said } = await query({ kind: "status", drivers: [one] });
    assert.equal(code, 0);
    assert.equal(said[0], '"etl-1" in namespace "jobs" of "dev"');
    assert.equal(said.includes("pod name: etl-1"), true);
  });

  test("says that a pod was not found", async () => {
    const { said } = await query({ kind: "status", query: { name: "etl", isPrefix: false } });
    assert.deepEqual(said, ['pod "etl" not found in namespace "jobs" of "dev"']);
  });
});
