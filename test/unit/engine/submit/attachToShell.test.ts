import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { inEnglish } from "../../../../src/base/message.ts";
import { err, ok } from "../../../../src/base/result.ts";
import type { ClusterError } from "../../../../src/engine/clusterError.ts";
import type { ExecRequest, ExecSession } from "../../../../src/engine/ports/channels.ts";
import { attachToShell, shellExitCode } from "../../../../src/engine/submit/attachToShell.ts";
import { decodePod } from "../../../../src/spark/pods/decodePod.ts";
import { forbidden } from "../fakeCluster.ts";
import { VirtualClock } from "../virtualClock.ts";

const names = { name: "orders-driver", namespace: "dev", uid: "u1", resourceVersion: "1" };
const stored = (phase: string, state?: object, metadata: object = {}) => ({
  ...{ apiVersion: "v1", kind: "Pod" },
  ...names,
  body: {
    metadata: { creationTimestamp: "2026-01-02T03:04:05Z", ...names, ...metadata },
    spec: {
      nodeName: "n",
      restartPolicy: "Never",
      containers: [{ name: "spark-kubernetes-driver", image: "spark:1", args: ["bash"] }],
    },
    status: {
      phase,
      ...(state && {
        containerStatuses: [{ name: "spark-kubernetes-driver", image: "spark:1", state }],
      }),
    },
  },
});
const pending = stored("Pending", {
  waiting: { reason: "ErrImagePull", message: "no such image" },
});
const running = stored("Running", { running: { startedAt: "2026-01-02T03:04:05Z" } });
const exited = stored("Failed", { terminated: { exitCode: 41, reason: "Error" } });

function rig(reads: readonly ReturnType<typeof stored>[], refused?: ClusterError) {
  const started: ExecRequest[] = [];
  const typed: string[] = [];
  const waits: string[] = [];
  let looks = 0;
  const session: ExecSession = {
    items: (async function* () {
      // No output.
    })(),
    canCloseInput: true,
    write: () => undefined,
    closeInput: () => undefined,
    type: (text) => void typed.push(text),
    resize: () => undefined,
    dispose: () => undefined,
  };
  const ports = {
    objects: {
      read: () => {
        const read = reads[Math.min(looks, reads.length - 1)];
        looks += 1;
        const gone = { kind: "notFound", resource: "pods", name: "x", detail: "gone" } as const;
        return Promise.resolve(read === undefined ? err(gone) : ok(read));
      },
    },
    exec: {
      start: (request: ExecRequest) => {
        started.push(request);
        return Promise.resolve(refused === undefined ? ok(session) : err(refused));
      },
    },
    clock: new VirtualClock(),
  };
  const driver = decodePod(running.body);
  assert.ok(driver !== undefined);
  const attach = async () => {
    const attached = attachToShell(
      driver,
      ports,
      {
        size: { columns: 90, rows: 20 },
        waiting: (reason) => void waits.push(inEnglish(reason)),
      },
      new AbortController().signal,
    );
    await ports.clock.advanceUntil(attached);
    return attached;
  };
  return { attach, started, typed, waits, ports };
}

describe("a terminal of a shell", () => {
  test("is attached to Spark's container when it runs, and starts the shell", async () => {
    const { attach, started, typed, waits } = rig([pending, pending, running]);
    assert.ok((await attach()).ok);
    assert.deepEqual(started, [
      {
        namespace: "dev",
        pod: "orders-driver",
        container: "spark-kubernetes-driver",
        command: undefined,
        terminal: { columns: 90, rows: 20 },
      },
    ]);
    assert.deepEqual(typed, ["\r"]);
    assert.equal(waits.length, 1);
    assert.match(waits[0] ?? "", /no such image/);
  });

  test("is not attached without the permission", async () => {
    const refused = forbidden("create", "pods/attach");
    const { attach, typed } = rig([running], refused);
    assert.deepEqual(await attach(), err({ kind: "cluster", error: refused }));
    assert.deepEqual(typed, []);
  });

  test("is not attached to a pod that has ended, is being deleted or was deleted", async () => {
    const deleted = stored("Running", undefined, { deletionTimestamp: "2026-01-02T03:04:06Z" });
    for (const reads of [[exited], [deleted], []]) {
      const { attach, started } = rig(reads);
      const attached = await attach();
      assert.equal(attached.ok ? "attached" : attached.error.kind, "podEnded");
      assert.deepEqual(started, []);
    }
  });

  test("knows the exit code when the node has reported it", async () => {
    const signal = new AbortController().signal;
    const { ports } = rig([running, exited]);
    const exitCode = shellExitCode(names, ports, signal);
    await ports.clock.advanceUntil(exitCode);
    assert.equal(await exitCode, 41);
    assert.equal(await shellExitCode(names, rig([]).ports, signal), undefined);
  });
});
