import assert from "node:assert/strict";
import { test } from "node:test";
import { err, ok } from "../../../../src/base/result.ts";
import { readWorkload } from "../../../../src/engine/driver/readWorkload.ts";
import { driverFixture } from "../../pods/podFixture.ts";
import { unreachable } from "../fakePodServer.ts";

test("the nodes are listed once for an advice that is read again", async () => {
  let lists = 0;
  const failing = () => Promise.resolve(err(unreachable));
  const connection = {
    drivers: { rows: () => Promise.resolve(ok([])) },
    nodes: {
      largest: () => {
        lists += 1;
        return Promise.resolve(ok({ cores: 4, memoryBytes: 2 ** 34 }));
      },
    },
    objects: { read: failing },
    pages: { read: failing },
    now: () => 0,
  } as unknown as Parameters<typeof readWorkload>[0];
  const { signal } = new AbortController();
  const first = await readWorkload(connection, driverFixture(), signal);
  assert.ok(first.ok);
  const again = await readWorkload(connection, driverFixture(), signal, first.value);
  assert.ok(again.ok);
  assert.equal(lists, 1);
  assert.deepEqual(again.value.node, first.value.node);
  assert.equal(first.value.node?.cores, 4);
});
