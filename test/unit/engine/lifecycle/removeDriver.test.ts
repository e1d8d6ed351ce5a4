import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { err, ok, type Result } from "../../../../src/base/result.ts";
import type { ClusterError } from "../../../../src/engine/clusterError.ts";
import { removeDriver } from "../../../../src/engine/lifecycle/removeDriver.ts";
import type { ObjectApi, StoredObject } from "../../../../src/engine/ports/objects.ts";
import { VirtualClock } from "../virtualClock.ts";

const pod = { namespace: "dev", name: "orders-driver", uid: "u1" };
const notFound: ClusterError = {
  kind: "notFound",
  resource: "pods",
  name: "orders-driver",
  detail: "",
};
const stored = (uid: string): Result<StoredObject, ClusterError> =>
  ok({
    ...{ apiVersion: "v1", kind: "Pod", namespace: "dev", name: "orders-driver", uid },
    ...{ resourceVersion: "1", body: {} },
  });

/** Creates a server that returns these results to reads in order, and then repeats the last one. */
function rig(
  deletion: Result<void, ClusterError>,
  ...reads: readonly Result<StoredObject, ClusterError>[]
) {
  const clock = new VirtualClock();
  const rest = [...reads];
  let count = 0;
  const objects = {
    delete: () => Promise.resolve(deletion),
    read: () => {
      count += 1;
      return Promise.resolve((rest.length > 1 ? rest.shift() : rest[0]) ?? err(notFound));
    },
  } as unknown as ObjectApi;
  const remove = async () => {
    const removal = removeDriver(pod, { objects, clock }, 10_000, new AbortController().signal);
    await clock.advanceUntil(removal);
    return removal;
  };
  return { remove, reads: () => count };
}

describe("removing a driver", () => {
  test("waits until its pod was deleted", async () => {
    const { remove, reads } = rig(ok(undefined), stored("u1"), stored("u1"), err(notFound));
    assert.deepEqual(await remove(), { kind: "removed" });
    assert.equal(reads(), 3);
  });

  test("ends when another pod has its name", async () => {
    const { remove } = rig(ok(undefined), stored("u1"), stored("u2"));
    assert.deepEqual(await remove(), { kind: "removed" });
  });

  test("waits through an outage of the server", async () => {
    const { remove } = rig(
      ok(undefined),
      err({ kind: "unreachable", detail: "refused" } as unknown as ClusterError),
      err(notFound),
    );
    assert.deepEqual(await remove(), { kind: "removed" });
  });

  test("reports a pod that does not end in time", async () => {
    const { remove } = rig(ok(undefined), stored("u1"));
    assert.deepEqual(await remove(), { kind: "stillEnding" });
  });

  test("does not wait for a pod that was gone before, and reports a refusal", async () => {
    const gone = rig(err(notFound));
    assert.deepEqual(await gone.remove(), { kind: "removed" });
    assert.equal(gone.reads(), 0);
    const forbidden: ClusterError = {
      ...{ kind: "forbidden", verb: "delete", resource: "pods" },
      ...{ namespace: "dev", detail: "no" },
    };
    assert.deepEqual(await rig(err(forbidden)).remove(), { kind: "failed", error: forbidden });
  });
});
