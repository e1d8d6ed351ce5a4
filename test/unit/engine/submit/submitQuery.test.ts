import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { err, ok } from "../../../../src/base/result.ts";
import type { ClusterError } from "../../../../src/engine/clusterError.ts";
import type { Clock } from "../../../../src/engine/ports/clock.ts";
import type { ObjectApi, StoredObject } from "../../../../src/engine/ports/objects.ts";
import { findDrivers, killDrivers } from "../../../../src/engine/submit/submitQuery.ts";
import type { DriverQuery } from "../../../../src/spark/submit/plan/driverQuery.ts";
import { forbidden } from "../fakeCluster.ts";

const never = new AbortController().signal;
const clock: Clock = { now: () => 0, sleep: () => Promise.resolve() };
const notFound: ClusterError = { kind: "notFound", resource: "pods", name: "", detail: "gone" };
const conflict: ClusterError = {
  kind: "conflict",
  resource: "pods",
  name: "",
  detail: "another uid",
};

const pod = (name: string, role = "driver"): StoredObject => ({
  ...{ apiVersion: "v1", kind: "Pod", name, namespace: "jobs", uid: `uid-of-${name}` },
  ...{ resourceVersion: "1", body: { metadata: { name, labels: { "spark-role": role } } } },
});

const queryFor = (name: string, more: Partial<DriverQuery> = {}): DriverQuery => ({
  ...{ namespace: "jobs", name, isPrefix: false, access: {} as DriverQuery["access"] },
  ...{ gracePeriodSeconds: undefined, readsBeforeKilling: false, selectsByLabel: true },
  ...more,
});

/** Creates a cluster. `errors` has the error of each failing request, such as `delete etl-2`. */
function clusterOf(
  pods: readonly StoredObject[],
  errors: Readonly<Record<string, ClusterError>> = {},
) {
  const asked: string[] = [];
  const objects = {
    read: ({ name }) => {
      asked.push(`read ${name}`);
      const found = pods.find((one) => one.name === name);
      const error = errors[`read ${name}`] ?? notFound;
      return Promise.resolve(found === undefined ? err(error) : ok(found));
    },
    list: (_kind, namespace, selector) => {
      const label = typeof selector === "string" ? selector : selector.labelSelector;
      asked.push(`list ${namespace ?? ""} ${label ?? "all"}`);
      return Promise.resolve(errors["list"] === undefined ? ok(pods) : err(errors["list"]));
    },
    delete: ({ name }, { uid, gracePeriodSeconds, propagationPolicy }) => {
      asked.push(
        `delete ${name} ${uid ?? "any"} ${gracePeriodSeconds ?? "-"} ${propagationPolicy ?? ""}`,
      );
      const error = errors[`delete ${name}`];
      return Promise.resolve(error === undefined ? ok(undefined) : err(error));
    },
  } as Partial<ObjectApi> as ObjectApi;
  return { asked, ports: { objects, clock } };
}

const etl = queryFor("etl", { isPrefix: true });
const several = [pod("etl-1"), pod("other"), pod("etl-exec", "executor"), pod("etl-2")];

describe("the drivers of a query", () => {
  const namesOf = async (query: DriverQuery, cluster: ReturnType<typeof clusterOf>) => {
    const found = await findDrivers(query, "jobs", cluster.ports, never);
    return found.ok ? found.value.map(({ name }) => name) : found.error.kind;
  };

  test("are the pod of the name, also if it is no driver", async () => {
    const cluster = clusterOf(several);
    assert.deepEqual(await namesOf(queryFor("etl-exec"), cluster), ["etl-exec"]);
    assert.deepEqual(await namesOf(queryFor("nothing"), cluster), []);
    assert.deepEqual(cluster.asked, ["read etl-exec", "read nothing"]);
    const refused = clusterOf([], { "read etl": forbidden("get", "pods") });
    assert.deepEqual(await namesOf(queryFor("etl"), refused), "forbidden");
  });

  test("are all drivers whose name begins with the prefix", async () => {
    const cluster = clusterOf(several);
    assert.deepEqual(await namesOf(etl, cluster), ["etl-1", "etl-2"]);
    assert.deepEqual(await namesOf({ ...etl, selectsByLabel: false }, cluster), ["etl-1", "etl-2"]);
    assert.deepEqual(cluster.asked, ["list jobs spark-role=driver", "list jobs all"]);
    const refused = clusterOf([], { list: forbidden("list", "pods") });
    assert.deepEqual(await namesOf(etl, refused), "forbidden");
  });
});

describe("killing the drivers of a query", () => {
  const kill = async (
    query: DriverQuery,
    { ports }: ReturnType<typeof clusterOf>,
    approve?: Parameters<typeof killDrivers>[3],
  ) => {
    const killed = await killDrivers(query, "jobs", ports, approve, never);
    return killed.ok ? killed.value : killed.error.kind;
  };

  test("deletes the pod of the name without a read, unless this Spark reads it", async () => {
    const cluster = clusterOf(several);
    const graceful = queryFor("etl-1", { gracePeriodSeconds: 5 });
    assert.deepEqual(await kill(graceful, cluster), ["etl-1"]);
    assert.deepEqual(await kill({ ...graceful, readsBeforeKilling: true }, cluster), ["etl-1"]);
    assert.deepEqual(cluster.asked, [
      ...["delete etl-1 any 5 Background", "read etl-1", "delete etl-1 any 5 Background"],
    ]);
    const gone = clusterOf([], { "delete etl": notFound });
    assert.deepEqual(await kill(queryFor("etl"), gone), []);
    const refused = clusterOf([], { "delete etl": forbidden("delete", "pods") });
    assert.deepEqual(await kill(queryFor("etl"), refused), "forbidden");
  });

  test("deletes the approved pods only, by their uids", async () => {
    const cluster = clusterOf(several);
    const offered: string[] = [];
    const killed = await kill(etl, cluster, (drivers) => {
      offered.push(...drivers.map(({ name }) => name));
      return Promise.resolve(drivers.slice(1));
    });
    assert.deepEqual(killed, ["etl-2"]);
    assert.deepEqual(offered, ["etl-1", "etl-2"]);
    assert.deepEqual(cluster.asked.slice(1), ["delete etl-2 uid-of-etl-2 - Background"]);
  });

  test("leaves a pod alone that has replaced the approved one", async () => {
    const approve = (drivers: readonly StoredObject[]) => Promise.resolve(drivers);
    const replaced = { "delete etl-1": conflict };
    assert.deepEqual(await kill(etl, clusterOf(several, replaced), approve), ["etl-2"]);
    // Without the user's approval, no uid is known that could differ.
    assert.deepEqual(await kill(etl, clusterOf(several, replaced)), "conflict");
  });

  test("stops at the first failure, and when it is canceled", async () => {
    const refused = clusterOf(several, { "delete etl-1": forbidden("delete", "pods") });
    assert.deepEqual(await kill(etl, refused), "forbidden");
    assert.deepEqual(
      refused.asked.filter((one) => one.startsWith("delete")),
      ["delete etl-1 any - Background"],
    );
    const unlisted = clusterOf([], { list: forbidden("list", "pods") });
    assert.deepEqual(await kill(etl, unlisted), "forbidden");
    const { asked, ports } = clusterOf(several);
    const stop = new AbortController();
    const canceled = killDrivers(
      etl,
      "jobs",
      ports,
      (drivers) => {
        stop.abort();
        return Promise.resolve(drivers);
      },
      stop.signal,
    );
    await assert.rejects(canceled, { name: "AbortError" });
    assert.deepEqual(asked, ["list jobs spark-role=driver"]);
  });
});
