import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { fieldsOf } from "../../../../src/base/json.ts";
import { inEnglish } from "../../../../src/base/message.ts";
import { err, ok } from "../../../../src/base/result.ts";
import type { StoredObject } from "../../../../src/engine/ports/objects.ts";
import { askImage, imageIdOf, type AskImagePorts } from "../../../../src/engine/submit/askImage.ts";
import type { LogLine } from "../../../../src/spark/logs/logLine.ts";
import type { Manifest } from "../../../../src/spark/submit/plan/manifest.ts";
import { forbidden } from "../fakeCluster.ts";
import { VirtualClock } from "../virtualClock.ts";

const manifest: Manifest = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "x-python", namespace: "jobs" },
};
const line = (...values: readonly string[]): string => `SPARK_K8S_PYTHON ${JSON.stringify(values)}`;
const answer = [
  line("python", "3.11.2", "x86_64", "glibc 2.36"),
  line("package", "six", "1.16.0"),
  line("end"),
];

function podWith(status: object): StoredObject {
  const names = { name: "x-python", namespace: "jobs", uid: "u1", resourceVersion: "1" };
  const metadata = { creationTimestamp: "2026-01-02T03:04:05Z", ...names };
  const container = { name: "python", image: "img:1" };
  const spec = { nodeName: "n", restartPolicy: "Never", containers: [container] };
  return { apiVersion: "v1", kind: "Pod", ...names, body: { metadata, spec, status } };
}
const succeeded = {
  phase: "Succeeded",
  containerStatuses: [{ name: "python", image: "img:1", imageID: "img@sha256:1" }],
};
const waiting = (reason: string, message: string) => ({
  phase: "Pending",
  containerStatuses: [{ name: "python", image: "img:1", state: { waiting: { reason, message } } }],
});

/** Makes ports whose reads of the pod return `statuses` in order; the last status repeats. `lines`: the pod's log. */
function rig(statuses: readonly object[], lines: readonly string[] = answer) {
  const clock = new VirtualClock();
  const asked: string[] = [];
  const logs: object[] = [];
  let reads = 0;
  const ports: AskImagePorts = {
    clock,
    objects: {
      create: () => {
        asked.push("create");
        return Promise.resolve(ok(podWith({})));
      },
      read: () =>
        Promise.resolve(ok(podWith(statuses[Math.min(reads++, statuses.length - 1)] ?? {}))),
      delete: (_, { uid, gracePeriodSeconds }) => {
        asked.push(`delete ${uid ?? ""} within ${gracePeriodSeconds ?? "its own"} s`);
        return Promise.resolve(ok(undefined));
      },
    },
    logs: {
      readLog: async function* ({ pod, container, uid, follow, previous }) {
        await Promise.resolve();
        logs.push({ pod, container, uid, follow, previous });
        yield { kind: "lines", take: () => lines.map((text) => ({ text }) as LogLine) };
      },
    },
  };
  return { clock, asked, logs, ports, reads: () => reads };
}

async function finish<T>(clock: VirtualClock, work: Promise<T>): Promise<T> {
  await clock.advanceUntil(work.then(ignore, ignore));
  return work;
}
const ignore = (): void => undefined;

describe("the question to an image", () => {
  test("returns its Python and its digest, and deletes the pod", async () => {
    const { ports, asked, logs, clock } = rig([waiting("ContainerCreating", ""), succeeded]);
    const answered = await finish(clock, askImage(manifest, ports, new AbortController().signal));
    assert.ok(answered.ok);
    assert.equal(answered.value.imageId, "img@sha256:1");
    assert.deepEqual(answered.value.python.installed, { six: "1.16.0" });
    const log = { pod: "x-python", container: "python", uid: "u1", follow: false, previous: false };
    assert.deepEqual(logs, [log]);
    assert.deepEqual(asked, ["create", "delete u1 within 0 s"]);
  });

  const failures = [
    [waiting("ImagePullBackOff", "not there"), answer, "notPulled"],
    [waiting("CreateContainerConfigError", "no secret"), answer, "notStarted"],
    [
      waiting("CreateContainerError", 'exec: "python3": executable file not found'),
      answer,
      "noPython",
    ],
    [{ phase: "Failed" }, ["SyntaxError: invalid syntax"], "noPython"],
    [{ phase: "Pending" }, answer, "notStarted"],
  ] as const;
  for (const [status, lines, kind] of failures) {
    test(`${kind} after ${JSON.stringify(status).slice(0, 90)}, and the pod is deleted`, async () => {
      const { ports, asked, clock } = rig([status], lines);
      const answered = await finish(clock, askImage(manifest, ports, new AbortController().signal));
      assert.equal(answered.ok ? "ok" : answered.error.kind, kind);
      assert.deepEqual(asked, ["create", "delete u1 within 0 s"]);
    });
  }

  test("asks less and less often, and waits at most 280 s", async () => {
    const { ports, clock, reads } = rig([{ phase: "Pending" }]);
    const start = clock.now();
    await finish(clock, askImage(manifest, ports, new AbortController().signal));
    const waited = clock.now() - start;
    assert.ok(waited >= 280_000 && waited < 282_000, String(waited));
    assert.ok(reads() > 280 && reads() < 290, String(reads()));
  });

  test("polls after 100 ms, then with a delay that grows by half, up to 1 s", async () => {
    const { ports, clock } = rig([{ phase: "Pending" }]);
    const start = clock.now();
    const times: number[] = [];
    const read: typeof ports.objects.read = (...given) => {
      times.push(clock.now() - start);
      return ports.objects.read(...given);
    };
    const counted = { ...ports, objects: { ...ports.objects, read } };
    await finish(clock, askImage(manifest, counted, new AbortController().signal));
    const delays = times.slice(1).map((at, index) => at - (times[index] ?? 0));
    const near = (delay: number): number => Math.round(delay);
    assert.deepEqual(delays.slice(0, 8).map(near), [100, 150, 225, 338, 506, 759, 1_000, 1_000]);
    assert.deepEqual(new Set(delays.slice(6)), new Set([1_000]));
  });

  test("shows the last three lines of a program without an answer", async () => {
    const { ports, clock } = rig([{ phase: "Failed" }], ["a", "b", "c", "d"]);
    const answered = await finish(clock, askImage(manifest, ports, new AbortController().signal));
    assert.ok(!answered.ok && answered.error.kind === "noPython");
    assert.equal(inEnglish(answered.error.detail), "b\nc\nd");
  });

  test("reports why the pod is blocked, with the cluster's message if there is one", async () => {
    const told = async (status: object): Promise<string> => {
      const { ports, clock } = rig([status]);
      const answered = await finish(clock, askImage(manifest, ports, new AbortController().signal));
      assert.ok(!answered.ok && answered.error.kind !== "cluster");
      return `${answered.error.kind}: ${inEnglish(answered.error.detail)}`;
    };
    assert.equal(await told(waiting("ImagePullBackOff", "not there")), "notPulled: not there");
    assert.equal(
      await told(waiting("RunContainerError", "python3: No such file or directory")),
      "noPython: python3: No such file or directory",
    );
    assert.equal(
      await told(waiting("ErrImagePull", "")),
      'notPulled: pending: image "img:1" cannot be pulled',
    );
  });

  test("ends if another pod has the name", async () => {
    const { ports } = rig([succeeded]);
    const read = () => {
      const { body, ...names } = podWith(succeeded);
      const metadata = { ...fieldsOf(fieldsOf(body)["metadata"]), uid: "u2" };
      return Promise.resolve(ok({ ...names, body: { ...fieldsOf(body), metadata } }));
    };
    const replaced = { ...ports, objects: { ...ports.objects, read } };
    const answered = await askImage(manifest, replaced, new AbortController().signal);
    assert.equal(answered.ok ? "ok" : answered.error.kind, "notStarted");
  });

  test("reports why the pod or its log cannot be read", async () => {
    const { ports } = rig([succeeded]);
    const error = forbidden("get", "pods");
    const read = () => Promise.resolve(err(error));
    const readLog: AskImagePorts["logs"]["readLog"] = async function* () {
      await Promise.resolve();
      yield { kind: "failed", error };
    };
    for (const refused of [
      { ...ports, objects: { ...ports.objects, read } },
      { ...ports, logs: { readLog } },
    ]) {
      assert.deepEqual(await askImage(manifest, refused, new AbortController().signal), {
        ok: false,
        error: { kind: "cluster", error },
      });
    }
  });

  test("deletes nothing if the pod cannot be created", async () => {
    const { ports, asked } = rig([succeeded]);
    const create = () => Promise.resolve(err(forbidden("create", "pods")));
    const refused = { ...ports, objects: { ...ports.objects, create } };
    const answered = await askImage(manifest, refused, new AbortController().signal);
    assert.equal(answered.ok ? "ok" : answered.error.kind, "cluster");
    assert.deepEqual(asked, []);
  });

  test("deletes the pod when it is canceled", async () => {
    const { ports, asked, clock } = rig([{ phase: "Pending" }]);
    const controller = new AbortController();
    const pending = askImage(manifest, ports, controller.signal);
    controller.abort();
    await assert.rejects(finish(clock, pending), { name: "AbortError" });
    assert.deepEqual(asked, ["create", "delete u1 within 0 s"]);
  });
});

test("the digest of an image is that of the pod's last container", () => {
  const pod = (...ids: readonly unknown[]) => ({
    status: { containerStatuses: ids.map((imageID) => ({ imageID })) },
  });
  assert.equal(imageIdOf(pod("a", "b")), "b");
  for (const none of [pod("a", ""), pod("a", 7), pod(), {}, undefined])
    assert.equal(imageIdOf(none), undefined);
});
