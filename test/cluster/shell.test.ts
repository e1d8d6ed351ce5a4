// A Spark shell on a real cluster: a statement on an executor, an interrupt, another client, and the end.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { deletePodNow } from "../../src/engine/lifecycle/deletePod.ts";
import type { ExecSession } from "../../src/engine/ports/channels.ts";
import { attachToShell } from "../../src/engine/submit/attachToShell.ts";
import { systemClock } from "../../src/engine/systemClock.ts";
import type { PodRecord } from "../../src/spark/pods/podRecord.ts";
import { shellProfile } from "../../src/spark/submit/shell/shellProfile.ts";
import { eventually } from "../host/eventually.ts";
import { requireCluster } from "./requireCluster.ts";
import { submitDefinition } from "./submittedDefinition.ts";
import { openTestPlace, smallConf, type TestPlace } from "./testPlace.ts";

const { kubeconfig, image } = requireCluster();
const namespace = `spark-k8s-shell-${process.pid}`;
const startMs = 400_000;

describe("pyspark in a driver pod", { timeout: 1_000_000 }, () => {
  let place: TestPlace;

  before(async () => {
    place = await openTestPlace(kubeconfig, namespace);
  });
  after(() => place.close());

  const roles = async (): Promise<readonly (string | undefined)[]> => {
    const request = {
      ...{ namespace, labelSelector: "spark-role", resourceVersion: undefined },
      ...{ limit: 50, continueToken: undefined },
    };
    const listed = await place.connection.pods.listPods(request, AbortSignal.timeout(60_000));
    assert.ok(listed.ok);
    return listed.value.pods.map(({ labels }) => labels["spark-role"]);
  };

  const attach = async (driver: PodRecord): Promise<{ session: ExecSession; seen: Seen }> => {
    const { objects, exec } = place.connection;
    const attached = await attachToShell(
      driver,
      { objects, exec, clock: systemClock },
      { size: { columns: 100, rows: 30 }, waiting: () => undefined },
      AbortSignal.timeout(startMs),
    );
    assert.ok(attached.ok, JSON.stringify(attached));
    return { session: attached.value, seen: new Seen(attached.value) };
  };

  test("runs jobs on an executor, is interrupted, and outlives its client", async () => {
    const base = {
      image,
      namespace,
      serviceAccount: "spark",
      conf: { ...smallConf, "spark.driver.memory": "600m" },
    };
    const settings = { kind: "pyspark", name: "orders pyspark", idleMinutes: 10 } as const;
    const driver = await submitDefinition(place.connection, shellProfile(base, settings));
    const { session, seen } = await attach(driver);
    session.type("state = spark.range(10).count() * 7\rprint('count', state)\r");
    await seen.text("count 70");
    assert.deepEqual((await roles()).toSorted(), ["driver", "executor"]);
    session.type("import os, time\rprint('began'); time.sleep(600)\r");
    await seen.text("\nbegan");
    session.type("\x03");
    await seen.text("KeyboardInterrupt");
    session.dispose();

    const again = await attach(driver);
    again.session.resize({ columns: 77, rows: 20 });
    // The new size may take effect after the first keys.
    again.session.type("while os.get_terminal_size().columns != 77: time.sleep(0.1)\r\r");
    again.session.type("print('again', state, os.get_terminal_size().columns)\r");
    await again.seen.text("again 70 77");
    const { objects } = place.connection;
    const removed = await deletePodNow(objects, driver, AbortSignal.timeout(90_000));
    assert.equal(removed.kind, "deleted");
    await eventually("the end of all pods", roles, (left) => left.length === 0, startMs);
  });
});

/** Collects the output of a terminal session. */
class Seen {
  #text = "";
  readonly #session: ExecSession;

  constructor(session: ExecSession) {
    this.#session = session;
    void this.#read();
  }

  text(wanted: string): Promise<string> {
    return eventually(
      `"${wanted}" in the terminal`,
      () => Promise.resolve(this.#text),
      (text) => text.includes(wanted),
      startMs,
    );
  }

  async #read(): Promise<void> {
    for await (const item of this.#session.items) {
      if (item.kind === "output") this.#text += item.text;
    }
  }
}
