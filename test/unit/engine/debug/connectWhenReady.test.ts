import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { err, ok, type Result } from "../../../../src/base/result.ts";
import type { ClusterError } from "../../../../src/engine/clusterError.ts";
import { connectWhenReady } from "../../../../src/engine/debug/connectWhenReady.ts";
import type { Clock } from "../../../../src/engine/ports/clock.ts";
import type { PodStream, PodStreamItem } from "../../../../src/engine/ports/channels.ts";

const refused: ClusterError = {
  kind: "badResponse",
  status: undefined,
  detail: "connection refused",
};
const greeting = { kind: "bytes", bytes: new Uint8Array([1]) } as const;
const failed = { kind: "failed", error: refused } as const;

/** Returns a stream of these items; at `undefined` it waits until it is disposed. */
function streamOf(...given: readonly (PodStreamItem | undefined)[]) {
  let disposed = false;
  const written: string[] = [];
  let end: () => void = () => undefined;
  const over = new Promise<void>((resolve) => {
    end = resolve;
  });
  async function* items(): AsyncIterable<PodStreamItem> {
    for (const item of given) {
      if (item === undefined) await over;
      else yield item;
    }
  }
  const stream: PodStream = {
    items: items(),
    write: (bytes) => {
      written.push(Buffer.from(bytes).toString());
      return undefined;
    },
    dispose: () => {
      disposed = true;
      end();
    },
  };
  return { stream, written, isDisposed: () => disposed };
}

/** A clock whose sleeps take one turn of the event loop. */
const clock: Clock = {
  now: () => 0,
  sleep: async (_, signal) => {
    await new Promise((resolve) => setImmediate(resolve));
    signal.throwIfAborted();
  },
};

const connect = (
  protocol: "dap" | "jdwp",
  ...answers: readonly Result<PodStream, ClusterError>[]
): ReturnType<typeof connectWhenReady> => {
  const rest = [...answers];
  const open = (): Promise<Result<PodStream, ClusterError>> =>
    Promise.resolve(rest.shift() ?? err(refused));
  return connectWhenReady({ open, protocol, clock }, AbortSignal.timeout(5_000));
};

describe("the connection to a debugged process", () => {
  test("is the first that debugpy greets, with its greeting", async () => {
    const early = streamOf(failed);
    const late = streamOf(greeting, greeting);
    const ready = await connect("dap", ok(early.stream), err(refused), ok(late.stream));
    assert.ok(ready.ok && early.isDisposed() && !late.isDisposed());
    const items: PodStreamItem[] = [];
    for await (const item of ready.value.items) items.push(item);
    assert.deepEqual(items, [greeting, greeting]);
  });

  test("is the first in which a JVM answers the handshake, which is sent once", async () => {
    const early = streamOf(failed);
    const answer = { kind: "bytes", bytes: Buffer.from("JDWP-Handshake") } as const;
    const late = streamOf(answer, undefined);
    const ready = await connect("jdwp", ok(early.stream), ok(late.stream));
    assert.ok(ready.ok && !late.isDisposed());
    for (const text of ["JDWP-", "Handshake\0\x01", "\x02"])
      await ready.value.write(Buffer.from(text));
    assert.deepEqual(late.written, ["JDWP-Handshake", "\0\x01", "\x02"]);
    const first = await ready.value.items[Symbol.asyncIterator]().next();
    assert.equal(first.value, answer);
    ready.value.dispose();
    assert.ok(late.isDisposed());
  });

  test("fails if the user may not forward ports", async () => {
    const forbidden: ClusterError = {
      kind: "forbidden",
      verb: "create",
      resource: "pods/portforward",
      namespace: "dev",
      detail: "no",
    };
    assert.deepEqual(await connect("dap", err(forbidden)), err(forbidden));
  });

  test("waits for the node of a new pod, and fails if the pod was deleted", async () => {
    const missing = (detail: string) =>
      err({ kind: "notFound", resource: "pods/portforward", name: "driver", detail } as const);
    const late = streamOf(greeting);
    const ready = await connect("dap", missing("pod does not exist"), ok(late.stream));
    assert.ok(ready.ok);
    const deleted = missing('pods "driver" not found');
    assert.deepEqual(await connect("dap", deleted), deleted);
  });

  test("is closed when the wait is aborted", async () => {
    const silent = streamOf(undefined);
    const controller = new AbortController();
    const waiting = connectWhenReady(
      { open: () => Promise.resolve(ok(silent.stream)), protocol: "dap", clock },
      controller.signal,
    );
    setImmediate(() => {
      controller.abort();
    });
    await assert.rejects(waiting, { name: "AbortError" });
    assert.ok(silent.isDisposed());
  });
});
