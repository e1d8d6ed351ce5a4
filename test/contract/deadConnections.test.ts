// F3: dead connections that were never closed, after a suspend or behind a middlebox that silently drops traffic. The
// half-open link has its own test, link.test.ts of the cluster tests, because it needs a network namespace.
import assert from "node:assert/strict";
import { connect, createServer, type Socket } from "node:net";
import { test, type TestContext } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { ManualClock } from "./clocks.ts";
import { startServer } from "./hostileServer.ts";
import { podJson, watchLine } from "./podJson.ts";
import { connectTo } from "./rig.ts";
import { listen, portOf } from "./sockets.ts";
import { isList, isWatch, names, streamList, untilOn, watchPods } from "./watched.ts";

interface OnTheWay {
  readonly url: string;
  readonly open: ReadonlySet<Socket>;
  /** Makes existing connections drop all traffic; new ones work. */
  readonly stall: () => void;
}

async function startOnTheWay(t: TestContext, port: number): Promise<OnTheWay> {
  const open = new Set<Socket>();
  const stalled = new WeakSet<Socket>();
  const front = createServer((socket) => {
    const other = connect(port, "127.0.0.1");
    for (const [from, to] of [
      [socket, other],
      [other, socket],
    ] as const) {
      from.on("data", (bytes) => stalled.has(socket) || to.write(bytes));
      from.on("error", () => undefined);
      from.on("close", () => to.destroy());
    }
    open.add(socket);
    socket.on("close", () => open.delete(socket));
  });
  await listen(front);
  t.after(() => {
    for (const socket of open) socket.destroy();
    front.close();
  });
  const stall = (): void => {
    for (const socket of open) stalled.add(socket);
  };
  return { url: `http://127.0.0.1:${portOf(front)}`, open, stall };
}

/** Starts three watches with different jitter on one `Connection`. Resolves once all are synced and wait for events. */
async function threeWatches(t: TestContext) {
  const clock = new ManualClock();
  /** Clock times in ms of the watch requests after the first list. */
  const asked: number[] = [];
  const server = await startServer(t, (seen, reply) => {
    if (isWatch(seen)) asked.push(clock.now());
    if (isList(seen)) streamList(reply, [podJson("a", "5")], "6");
    else reply.stream().write(watchLine("ADDED", podJson("b", "7")));
  });
  const way = await startOnTheWay(t, server.port);
  const { connection } = await connectTo(t, way.url, { clock });
  const chances = [0, 0.5, 0.99];
  const stores = chances.map((chance) => watchPods(t, connection, clock, () => chance).store);
  const until = untilOn(clock);
  await until(() => stores.every((store) => store.freshness.kind === "live"));
  return {
    ...{ way, clock, asked, server, until },
    areAllRight: () => stores.every((store) => names(store).join() === "a@5,b@7"),
  };
}

/** Asserts that each watch reconnected once and the old connections are closed. */
async function assertCameOnce({
  clock,
  asked,
  way,
  server,
}: Awaited<ReturnType<typeof threeWatches>>) {
  await clock.advance(60_000);
  assert.equal(asked.length, 3);
  assert.equal(server.connections, 6);
  while (way.open.size > 3) await wait(5);
  assert.equal(way.open.size, 3);
}

test("closes a silent connection and reconnects when a bookmark is overdue", async (t) => {
  const watches = await threeWatches(t);
  const { way, clock, asked, until, areAllRight } = watches;
  way.stall();
  const began = clock.now();
  await until(areAllRight);
  // The API server sends a bookmark about once a minute. Reconnecting earlier would be too expensive for an idle watch.
  for (const at of asked) assert.ok(at - began >= 90_000 && at - began <= 150_000);
  await assertCameOnce(watches);
});

test("watches reconnect automatically after a suspend, spread over time", async (t) => {
  const watches = await threeWatches(t);
  const { way, clock, asked, areAllRight } = watches;
  way.stall();
  clock.sleepThrough(300_000);
  const wokeAt = clock.now();
  // Advances in small steps, because requests are in flight meanwhile.
  while (!areAllRight()) {
    await clock.advance(20);
    await wait(5);
  }
  const [first = 0, , last = 0] = asked.map((at) => at - wokeAt).sort((one, other) => one - other);
  assert.ok(first <= 10_500, `the first after ${first} ms`);
  assert.ok(last - first >= 1_000 && last - first <= 5_000, `${last - first} ms between them`);
  await assertCameOnce(watches);
});

test("does not restart a watch after a suspend if it has already reconnected", async (t) => {
  const watches = await threeWatches(t);
  const { way, clock, until, areAllRight } = watches;
  clock.sleepThrough(300_000);
  for (const socket of way.open) socket.destroy();
  await until(areAllRight);
  await assertCameOnce(watches);
});
