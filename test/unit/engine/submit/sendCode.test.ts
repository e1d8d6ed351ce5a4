import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { err, ok } from "../../../../src/base/result.ts";
import type { ClusterError } from "../../../../src/engine/clusterError.ts";
import type { ExecItem, ExecSession } from "../../../../src/engine/ports/channels.ts";
import type { StoredObject } from "../../../../src/engine/ports/objects.ts";
import type { SendFailure } from "../../../../src/engine/submit/podWait.ts";
import { sendCode, type SendCodePorts } from "../../../../src/engine/submit/sendCode.ts";
import {
  codeContainerName,
  receiveCode,
} from "../../../../src/spark/submit/code/streamContainer.ts";
import { forbidden } from "../fakeCluster.ts";
import { VirtualClock } from "../virtualClock.ts";
import { CodeChanged } from "../../../../src/spark/submit/code/codeChanged.ts";
import { plainEnglish } from "../../../plainEnglish.ts";
import { inEnglish } from "../../../../src/base/message.ts";

const pod = { namespace: "jobs", name: "etl-driver", uid: "u1" };
const outage: ClusterError = {
  kind: "unreachable",
  server: "s",
  detail: "the connection was reset",
  requestSent: false,
};
const ended = (exitCode: number): ExecItem => ({ kind: "ended", exitCode });
const says = (text: string): ExecItem => ({ kind: "output", from: "stderr", text });

/** Statuses of the init container. */
const running = { state: { running: { startedAt: "2026-01-02T03:04:05Z" } } };
const exited = (exitCode: number, message = "") => ({
  state: { terminated: { exitCode, reason: exitCode === 0 ? "Completed" : "Error", message } },
});
const waitsFor = (reason: string, message = "") => ({ state: { waiting: { reason, message } } });

interface PodShape {
  readonly init?: object;
  readonly status?: object;
  readonly metadata?: object;
  readonly isScheduled?: boolean;
}

const podWith = ({
  init,
  status = {},
  metadata = {},
  isScheduled = true,
}: PodShape): StoredObject => {
  const container = { name: codeContainerName, image: "spark:1" };
  const names = { name: pod.name, namespace: pod.namespace, uid: pod.uid, resourceVersion: "1" };
  const body = {
    metadata: { creationTimestamp: "2026-01-02T03:04:05Z", ...names, ...metadata },
    spec: {
      ...(isScheduled && { nodeName: "n" }),
      restartPolicy: "Never",
      initContainers: [container],
      containers: [{ name: "spark-kubernetes-driver", image: "spark:1" }],
    },
    status: {
      phase: "Pending",
      ...(init && { initContainerStatuses: [{ ...container, ...init }] }),
      ...status,
    },
  };
  return { apiVersion: "v1", kind: "Pod", ...names, body };
};

/** The output of the program in the init container, sent after the archive was written; `early`: before that. */
interface Program {
  readonly items: readonly ExecItem[];
  readonly early?: boolean;
  readonly canCloseInput?: boolean;
}

/** Creates a pod with these results of reads and program starts, in order. The last one of each repeats. */
function rig(
  reads: readonly (PodShape | ClusterError)[] | ((starts: number) => PodShape),
  programs: readonly (Program | ClusterError)[] = [{ items: [ended(0)] }],
  archive: () => AsyncIterable<Uint8Array> = three,
) {
  const clock = new VirtualClock();
  const waits: string[] = [];
  const sent: number[] = [];
  const inputs: Buffer[] = [];
  let looks = 0;
  let starts = 0;
  const ports: SendCodePorts = {
    objects: {
      read: () => {
        const read =
          typeof reads === "function"
            ? reads(starts)
            : (reads[Math.min(looks, reads.length - 1)] ?? {});
        looks += 1;
        return Promise.resolve("kind" in read ? err(read) : ok(podWith(read)));
      },
    },
    exec: {
      start: () => {
        const program = programs[Math.min(starts, programs.length - 1)] ?? outage;
        starts += 1;
        if ("kind" in program) return Promise.resolve(err(program));
        return Promise.resolve(ok(sessionOf(program, inputs)));
      },
    },
    collector: { archive },
    clock,
  };
  const run = (signal = new AbortController().signal) =>
    sendCode(
      pod,
      [],
      ports,
      { waiting: (reason) => waits.push(inEnglish(reason)), sent: (bytes) => sent.push(bytes) },
      signal,
    );
  const outcome = async (ms = 60_000): Promise<SendFailure | "arrived"> => {
    const running = run();
    await clock.advance(ms);
    const result = await running;
    return result.ok ? "arrived" : result.error;
  };
  return { run, outcome, clock, waits, sent, inputs, starts: () => starts };
}

async function* three(): AsyncGenerator<Uint8Array> {
  for (const text of ["one", "two", "three"]) yield await Promise.resolve(Buffer.from(text));
}

function sessionOf({ items, early = false, canCloseInput = true }: Program, inputs: Buffer[]) {
  const index = inputs.push(Buffer.alloc(0)) - 1;
  let finish = (): void => undefined;
  const finished = new Promise<void>((resolve) => (finish = resolve));
  const session: ExecSession = {
    items: (async function* () {
      if (!early && canCloseInput) await finished;
      for (const item of items) yield await Promise.resolve(item);
    })(),
    canCloseInput,
    write: (bytes) => {
      inputs[index] = Buffer.concat([inputs[index] ?? Buffer.alloc(0), bytes]);
      return Promise.resolve();
    },
    closeInput: finish,
    type: () => undefined,
    resize: () => undefined,
    dispose: finish,
  };
  return session;
}

describe("sendCode", () => {
  test("succeeds by the exit code of the init container", async () => {
    const { outcome, sent, inputs } = rig([{ init: running }, { init: exited(0) }]);
    assert.equal(await outcome(), "arrived");
    assert.deepEqual(inputs.map(String), ["-\nonetwothree"]);
    assert.deepEqual(sent, [11]);
  });

  test("succeeds although the program was killed with its container", async () => {
    const { outcome, starts } = rig(
      [{ init: running }, { init: running }, { init: exited(0) }],
      [{ items: [ended(137)] }],
    );
    assert.equal(await outcome(), "arrived");
    assert.equal(starts(), 1);
  });

  test("sends the length first if the server cannot close the input", async () => {
    const { outcome, inputs } = rig(
      [{ init: running }, { init: exited(0) }],
      [{ items: [ended(0)], canCloseInput: false }],
    );
    assert.equal(await outcome(), "arrived");
    assert.match(String(inputs[0]), /^11\n/);
  });

  test("fails if the container does not end within 30 s of the transfer", async () => {
    const { outcome } = rig([{ init: running }]);
    const failure = await outcome();
    assert.ok(failure !== "arrived" && failure.kind === "podEnded");
  });

  test("tells each reason of the wait once, without a time limit", async () => {
    const reads = [
      ...Array<PodShape>(20).fill({
        isScheduled: false,
        status: {
          conditions: [
            {
              type: "PodScheduled",
              status: "False",
              reason: "Unschedulable",
              message: "0/1 nodes",
            },
          ],
        },
      }),
      ...Array<PodShape>(2000).fill({ init: waitsFor("ImagePullBackOff", "not found") }),
      { init: running },
      { init: exited(0) },
    ];
    const { outcome, waits } = rig(reads);
    assert.equal(await outcome(3_600_000), "arrived");
    assert.deepEqual(waits, [
      "pending: no node yet: 0/1 nodes",
      'pending: image "spark:1" cannot be pulled: not found',
    ]);
  });

  test("waits for a missing Secret, and gives up on what the pod itself prevents", async () => {
    const missing = waitsFor("CreateContainerConfigError", 'secret "s" not found');
    const healing = rig([{ init: missing }, { init: running }, { init: exited(0) }]);
    assert.equal(await healing.outcome(), "arrived");
    for (const init of [
      waitsFor("InvalidImageName", "bad"),
      waitsFor(
        "CreateContainerConfigError",
        "container has runAsNonRoot and image will run as root",
      ),
    ]) {
      const failure = await rig([{ init }]).outcome();
      assert.ok(failure !== "arrived" && failure.kind === "podEnded");
    }
  });

  test("fails at once if the pod ended, is being deleted, was deleted or replaced", async () => {
    const cases: readonly (PodShape | ClusterError)[] = [
      { status: { phase: "Failed", reason: "Evicted", message: "node is low on memory" } },
      { init: running, metadata: { deletionTimestamp: "2026-01-02T03:04:06Z" } },
      { kind: "notFound", resource: "pods", name: pod.name, detail: "gone" },
      { init: running, metadata: { uid: "u2" } },
      { init: exited(1, "No code arrived within 300 seconds.") },
    ];
    for (const read of cases) {
      const { outcome, starts } = rig([read]);
      const failure = await outcome();
      assert.ok(failure !== "arrived" && failure.kind === "podEnded", JSON.stringify(failure));
      assert.equal(starts(), 0);
    }
  });

  test("names the message of the ended container, or else its reason and its exit code", async () => {
    const failureOf = async (terminated: object): Promise<string> => {
      const failure = await rig([{ init: { state: { terminated } } }]).outcome();
      assert.ok(failure !== "arrived" && "detail" in failure);
      const program = "program" in failure ? ` ${failure.program}` : "";
      return `${failure.kind}${program}: ${inEnglish(failure.detail)}`;
    };
    const failed = `podEnded: container "${codeContainerName}" failed:`;
    assert.equal(
      await failureOf({ exitCode: 1, reason: "Error", message: " no space\n" }),
      `${failed} no space`,
    );
    assert.equal(await failureOf({ exitCode: 1, reason: "Error" }), `${failed} Error, exit code 1`);
    assert.equal(await failureOf({ exitCode: 1 }), `${failed} exit code 1`);
    const noBash = 'exec: "bash": executable file not found';
    assert.equal(
      await failureOf({ exitCode: 128, message: noBash }),
      `lacksProgram bash: ${noBash}`,
    );
    assert.match(await failureOf({ exitCode: 11, message: "x" }), /^lacksProgram tar: x$/);
    assert.match(await failureOf({ exitCode: 13, message: "x" }), /^notVerified: x$/);
  });

  test("names the eviction that ended the container", async () => {
    const message = 'Usage of EmptyDir volume "code" exceeds the limit "1Mi".';
    const status = { phase: "Failed", reason: "Evicted", message };
    const failure = await rig([{ init: exited(143), status }]).outcome();
    assert.ok(failure !== "arrived" && failure.kind === "podEnded");
    assert.match(inEnglish(failure.detail), /evicted.*EmptyDir volume "code" exceeds/i);
  });

  test("names the deletion or the eviction of the pod, not the end of its container", async () => {
    const metadata = { deletionTimestamp: "2026-01-02T03:04:06Z" };
    const detailOf = async (status: object): Promise<string> => {
      const failure = await rig([{ init: exited(143), metadata, status }]).outcome();
      return failure !== "arrived" && failure.kind === "podEnded" ? inEnglish(failure.detail) : "";
    };
    const type = "DisruptionTarget";
    const reason = "EvictionByEvictionAPI";
    const message = "Eviction API: evicting";
    const conditions = [{ type, status: "True", reason, message }];
    assert.equal(await detailOf({}), "the pod is being deleted");
    assert.equal(
      await detailOf({ conditions }),
      "the pod is being evicted: Eviction API: evicting",
    );
  });

  test("retries a broken connection three times from the beginning", async () => {
    const broken: Program = { items: [{ kind: "failed", error: outage }] };
    const healed = rig(
      (starts) => ({ init: starts < 3 ? running : exited(0) }),
      [broken, outage, { items: [ended(0)] }],
    );
    assert.equal(await healed.outcome(), "arrived");
    assert.equal(healed.starts(), 3);
    assert.deepEqual(healed.sent, [11, 11]);
    const hopeless = rig([{ init: running }], [broken]);
    assert.deepEqual(await hopeless.outcome(), { kind: "cluster", error: outage });
    assert.equal(hopeless.starts(), 4);
  });

  test("does not send again if the files arrived before the connection broke", async () => {
    const { outcome, starts } = rig(
      [{ init: running }, outage, outage, { init: running }, { init: exited(0) }],
      [{ items: [{ kind: "failed", error: outage }] }],
    );
    assert.equal(await outcome(), "arrived");
    assert.equal(starts(), 1);
  });

  test("survives an outage of two minutes at most while the pod is pending", async () => {
    const reads = [...Array<ClusterError>(60).fill(outage), { init: running }, { init: exited(0) }];
    assert.equal(await rig(reads).outcome(180_000), "arrived");
    assert.deepEqual(await rig([outage]).outcome(180_000), { kind: "cluster", error: outage });
  });

  test("names a missing right without a retry", async () => {
    const error = forbidden("create", "pods/exec");
    const { outcome, starts } = rig([{ init: running }], [error]);
    assert.deepEqual(await outcome(), { kind: "cluster", error });
    assert.equal(starts(), 1);
  });

  test("names the cause of a program that failed", async () => {
    const cases: readonly (readonly [Program, string])[] = [
      [
        { items: [says("tar: a: Cannot write: No space left on device\n"), ended(12)] },
        "volumeFull",
      ],
      [{ items: [says("neither tar nor python3\n"), ended(receiveCode.noTar)] }, "lacksProgram"],
      [{ items: [says("Hashes differ: a\n"), ended(receiveCode.notVerified)] }, "notVerified"],
      [{ items: [says("tar: Read-only file system\n"), ended(12)] }, "notUnpacked"],
      [
        {
          items: [
            {
              kind: "failed",
              error: {
                kind: "badResponse",
                status: undefined,
                detail: 'exec: "bash": executable file not found in $PATH',
              },
            },
          ],
        },
        "lacksProgram",
      ],
    ];
    for (const [program, kind] of cases) {
      const { outcome, starts } = rig([{ init: running }], [program]);
      const failure = await outcome();
      assert.ok(failure !== "arrived");
      assert.equal(failure.kind, kind);
      assert.equal(starts(), 1);
    }
  });

  test("reads the cause from the pod if the container ended before the program's exit code arrived", async () => {
    for (const [end, kind] of [
      [exited(receiveCode.notVerified, "Hashes differ: a: FAILED"), "notVerified"],
      [exited(receiveCode.noTar, "neither"), "lacksProgram"],
      [exited(128, 'exec: "bash": executable file not found in $PATH: unknown'), "lacksProgram"],
    ] as const) {
      const { outcome } = rig([{ init: running }, { init: end }], [{ items: [ended(137)] }]);
      const failure = await outcome();
      assert.ok(failure !== "arrived");
      assert.equal(failure.kind, kind);
    }
  });

  test("stops sending once the volume is full", async () => {
    let read = 0;
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (;;) {
        read += 1;
        assert.ok(read < 100);
        await new Promise((resolve) => setImmediate(resolve));
        yield new Uint8Array(1 << 18);
      }
    }
    const items = [says("tar: a: Wrote only 512 of 10240 bytes: No space left on device\n")];
    const { outcome } = rig(
      [{ init: running }],
      [{ items: [...items, ended(12)], early: true }],
      endless,
    );
    const failure = await outcome();
    assert.ok(failure !== "arrived" && failure.kind === "volumeFull");
  });

  test("a file that changes during the transfer ends it", async () => {
    async function* changing(): AsyncGenerator<Uint8Array> {
      yield await Promise.resolve(Buffer.from("one"));
      throw new CodeChanged("/w/main.py");
    }
    const { outcome, starts } = rig([{ init: running }], [{ items: [ended(12)] }], changing);
    assert.deepEqual(plainEnglish(await outcome()), {
      kind: "fileChanged",
      detail: '"/w/main.py" changed while it was being sent',
    });
    assert.equal(starts(), 1);
  });

  test("a cancellation rejects, whether the pod is pending or receives", async () => {
    for (const reads of [[{}], [{ init: running }]]) {
      const stop = new AbortController();
      const { run, clock } = rig(reads, [{ items: [] }], async function* () {
        yield await Promise.resolve(Buffer.from("one"));
        stop.abort();
        yield Buffer.from("two");
      });
      const outcome = assert.rejects(run(stop.signal), { name: "AbortError" });
      await clock.advance(1_000);
      stop.abort();
      await outcome;
      assert.equal(clock.pending, 0);
    }
  });
});
