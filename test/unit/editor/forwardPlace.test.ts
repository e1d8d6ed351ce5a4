import assert from "node:assert/strict";
import { test } from "node:test";
import {
  contextIfSeveral,
  placeWords,
  unknownWatch,
} from "../../../src/editor/apps/sessionState.ts";
import { isSamePlace, type ForwardPlace } from "../../../src/editor/forward/forwardPlace.ts";
import type { Connection } from "../../../src/engine/ports/connection.ts";
import { driverFixture } from "../pods/podFixture.ts";

const place = (fields: Partial<ForwardPlace> = {}, uid?: string): ForwardPlace => ({
  ...{ context: "dev", namespace: "etl", name: "orders driver" },
  found: () => (uid === undefined ? undefined : { key: uid, pod: driverFixture({ uid }) }),
  ...fields,
});

test("drivers with one name in two namespaces, clusters or runs are forwarded separately", () => {
  const known = place({}, "uid-1");
  assert.ok(isSamePlace(known, place({}, "uid-1")));
  assert.ok(!isSamePlace(known, place({ namespace: "etl-test" }, "uid-2")));
  assert.ok(!isSamePlace(known, place({ context: "staging" }, "uid-1")), "restored from a backup");
  assert.ok(!isSamePlace(known, place({}, "uid-2")), "another run");
});

test("names a row without a pod by its application", () => {
  assert.ok(isSamePlace(place(), place()));
  assert.ok(!isSamePlace(place(), place({ name: "orders executor 1" })));
  assert.ok(!isSamePlace(place(), place({}, "uid-1")));
});

test("names the context only if several are watched", () => {
  const watching = (...contexts: readonly string[]) => ({
    kind: "connected" as const,
    connection: {} as Connection,
    watches: contexts.map((context) => unknownWatch(context, { kind: "connecting" })),
  });
  assert.equal(placeWords(watching("dev", "dev"), place()), "etl");
  assert.equal(placeWords(watching("dev", "staging"), place()), "dev · etl");
  assert.equal(contextIfSeveral(watching("dev"), "dev"), undefined);
  assert.equal(contextIfSeveral(watching("dev", "staging"), "staging"), "staging");
});
