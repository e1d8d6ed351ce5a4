// A watch uses protobuf if the server supports it. The decoded pods must equal the JSON of the same objects;
// podMessages/record.ts recorded both from a real API server.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import fc from "fast-check";
import { FrameSplitter } from "../../src/cluster/bytes/frameSplitter.ts";
import type { ClusterError } from "../../src/engine/clusterError.ts";
import type { PodWatchItem, PodWatchRequest } from "../../src/engine/ports/pods.ts";
import { decodePod } from "../../src/spark/pods/decodePod.ts";
import { startServer, type Script } from "./hostileServer.ts";
import { collect, connectTo, never } from "./rig.ts";

const type = "application/vnd.kubernetes.protobuf;stream=watch";
const recorded = JSON.parse(
  readFileSync(new URL("podMessages/recorded.json", import.meta.url), "utf8"),
) as {
  readonly pods: readonly unknown[];
  readonly watch: string;
  readonly refusals: readonly {
    readonly status: { readonly code: number };
    readonly message: string;
  }[];
  readonly expired: { readonly event: unknown; readonly watch: string };
};
const bytesOf = (text: string): Buffer => Buffer.from(text, "base64");
const watchBytes = bytesOf(recorded.watch);
const expected = recorded.pods.map((pod) => decodePod(pod));

const request: PodWatchRequest = {
  namespace: "ns",
  labelSelector: "",
  resourceVersion: undefined,
  sendInitialEvents: true,
  timeoutSeconds: 300,
};

async function watchOf(
  t: Parameters<typeof startServer>[0],
  script: Script,
): Promise<PodWatchItem[]> {
  const server = await startServer(t, script);
  const { connection } = await connectTo(t, server.url);
  return collect(connection.pods.watchPods(request, never));
}

const eventsIn = (items: readonly PodWatchItem[]) =>
  items.flatMap((item) => (item.kind === "events" ? item.events : []));
const podsIn = (items: readonly PodWatchItem[]) =>
  eventsIn(items).flatMap((event) => (event.kind === "bookmark" ? [] : [event.pod]));
const failuresIn = (items: readonly PodWatchItem[]) =>
  items.flatMap((item) => (item.kind === "failed" ? [item.error] : []));

test("decodes a pod from protobuf as from JSON", async (t) => {
  let accept: string | undefined;
  const items = await watchOf(t, (seen, reply) => {
    ({ accept } = seen.headers);
    reply.stream(type).end(watchBytes);
  });
  assert.deepEqual(podsIn(items), expected);
  const last = eventsIn(items).at(-1);
  assert.ok(last?.kind === "bookmark" && last.initialEventsEnd && last.resourceVersion !== "");
  assert.match(accept ?? "", /^application\/vnd\.kubernetes\.protobuf, application\/json$/);
});

/** Encodes a length-delimited field: a string or a message of less than 128 bytes. */
const field = (number: number, ...parts: readonly (Buffer | string)[]): Buffer => {
  const content = Buffer.concat(parts.map((part) => Buffer.from(part)));
  assert.ok(content.length < 128);
  const tag = (number << 3) | 2;
  const head = tag < 128 ? [tag] : [(tag & 127) | 128, tag >> 7];
  return Buffer.concat([Buffer.from([...head, content.length]), content]);
};

test("decodes the volume claims and the node selector of a pod from protobuf as from JSON", async (t) => {
  const volume = field(1, field(1, "data"), field(2, field(10, field(1, "orders-claim"))));
  const empty = field(1, field(1, "tmp"), field(2, field(2)));
  const selector = field(7, field(1, "disk"), field(2, "ssd"));
  const metadata = field(1, field(1, "p"), field(3, "ns"), field(5, "u-1"));
  const pod = Buffer.concat([metadata, field(2, empty, volume, selector)]);
  const raw = Buffer.concat([Buffer.from("k8s\0"), field(2, pod)]);
  const event = Buffer.concat([field(1, "ADDED"), field(2, field(1, raw))]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(event.length);
  const items = await watchOf(t, (_, reply) => {
    reply.stream(type).end(Buffer.concat([length, event]));
  });
  const json = {
    metadata: { name: "p", namespace: "ns", uid: "u-1" },
    spec: {
      nodeSelector: { disk: "ssd" },
      volumes: [
        { name: "tmp", emptyDir: {} },
        { name: "data", persistentVolumeClaim: { claimName: "orders-claim" } },
      ],
    },
  };
  assert.deepEqual(podsIn(items), [decodePod(json)]);
  assert.deepEqual(podsIn(items)[0]?.claims, ["orders-claim"]);
  assert.deepEqual(podsIn(items)[0]?.nodeSelector, { disk: "ssd" });
});

test("the recorded pods cover every decoded field of a pod", () => {
  const said = new Map<string, boolean>();
  const look = (value: unknown, place: string): void => {
    // Containers and init containers share one decoder, as do state and lastState.
    const path = place.replace("initContainers", "containers").replace("lastState", "state");
    said.set(path, said.get(path) === true || value !== undefined);
    if (Array.isArray(value)) for (const item of value) look(item, `${path}[]`);
    else if (typeof value === "object" && value !== null)
      for (const [name, field] of Object.entries(value)) look(field, `${path}.${name}`);
  };
  for (const pod of expected) look(pod, "pod");
  assert.deepEqual(
    [...said].filter(([, isSaid]) => !isSaid).map(([path]) => path),
    [],
  );
});

test("splits the same frames for any chunks", () => {
  const framesOf = (chunks: readonly Buffer[]): string[] => {
    const splitter = new FrameSplitter(1 << 20);
    const frames: string[] = [];
    for (const chunk of chunks) splitter.push(chunk, (frame) => frames.push(frame.toString("hex")));
    assert.equal(splitter.hasBegun, false);
    return frames;
  };
  const whole = framesOf([watchBytes]);
  assert.equal(whole.length, expected.length + 1);
  const cuts = fc.array(fc.integer({ min: 1, max: watchBytes.length - 1 }), { maxLength: 40 });
  fc.assert(
    fc.property(cuts, (places) => {
      const sorted = [0, ...places.toSorted((a, b) => a - b), watchBytes.length];
      const chunks = sorted
        .slice(1)
        .map((end, at) => Buffer.from(watchBytes.subarray(sorted[at], end)));
      assert.deepEqual(framesOf(chunks), whole);
    }),
  );
  assert.deepEqual(framesOf(Array.from(watchBytes, (byte) => Buffer.from([byte]))), whole);
});

/** Removes the server's address, because each test server has its own port. */
const withoutServer = (error: ClusterError): object => ({ ...error, server: undefined });

test("decodes an error response from protobuf as from JSON", async (t) => {
  for (const { status, message } of recorded.refusals) {
    const inJson = await watchOf(t, (_seen, reply) => {
      reply.json(status.code, status);
    });
    const inMessages = await watchOf(t, (_seen, reply) => {
      reply.stream("application/vnd.kubernetes.protobuf", status.code).end(bytesOf(message));
    });
    assert.equal(failuresIn(inMessages).length, 1);
    assert.deepEqual(
      failuresIn(inMessages).map(withoutServer),
      failuresIn(inJson).map(withoutServer),
    );
  }
});

test("an ERROR event in protobuf ends the watch with the error of its Status", async (t) => {
  const items = await watchOf(t, (_seen, reply) => {
    reply.stream(type).end(bytesOf(recorded.expired.watch));
  });
  const [error] = failuresIn(items);
  assert.equal(error?.kind, "expired");
  assert.match(error.detail, /too old resource version/);
});

test("invalid, truncated and oversized messages end the watch as a bad response", async (t) => {
  const framed = (bytes: Buffer): Buffer => {
    const head = Buffer.alloc(4);
    head.writeUInt32BE(bytes.length);
    return Buffer.concat([head, bytes]);
  };
  const tails = [
    framed(Buffer.from("garbage")),
    framed(Buffer.from([0x0a, 0x05, 0x41])),
    framed(Buffer.alloc(30, 0xff)),
    watchBytes.subarray(0, 500),
    Buffer.from([0x7f, 0xff, 0xff, 0xff, 0x0a]),
    Buffer.from([0, 0]),
  ];
  for (const tail of tails) {
    const items = await watchOf(t, (_seen, reply) => {
      reply.stream(type).end(Buffer.concat([watchBytes, tail]));
    });
    assert.deepEqual(podsIn(items), expected);
    assert.deepEqual(
      failuresIn(items).map(({ kind }) => kind),
      ["badResponse"],
      tail.toString("hex"),
    );
  }
});

test("any corrupted byte yields pods or a bad response, never another error", async (t) => {
  const frame = watchBytes.subarray(4, 4 + watchBytes.readUInt32BE(0));
  const server = await startServer(t, (seen, reply) => {
    const [, at = "0", byte = "0"] = /resourceVersion=(\d+)\.(\d+)/.exec(seen.path) ?? [];
    const broken = Buffer.from(watchBytes.subarray(0, 4 + frame.length));
    broken[4 + (Number(at) % frame.length)] = Number(byte);
    reply.stream(type).end(broken);
  });
  const { connection } = await connectTo(t, server.url);
  await fc.assert(
    fc.asyncProperty(fc.nat(), fc.nat(255), async (at, byte) => {
      const broken = { ...request, sendInitialEvents: false, resourceVersion: `${at}.${byte}` };
      const items = await collect(connection.pods.watchPods(broken, never));
      assert.ok(items.every((item) => item.kind === "events" || item.error.kind === "badResponse"));
    }),
    { numRuns: 300 },
  );
});
