import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import type { ServerResponse } from "node:http";
import { after, beforeEach, describe, mock, test } from "node:test";
import { Leases } from "../../../../src/sandbox/http/leases.ts";

/** A response that stays open until `close`. */
class FakeResponse extends EventEmitter {
  isEnded = false;
  writeHead(): void {
    // No headers.
  }
  flushHeaders(): void {
    // No headers.
  }
  end(): void {
    this.isEnded = true;
  }
  close(): void {
    this.emit("close");
  }
}

describe("leases", () => {
  let ends: number;
  let leases: Leases;
  beforeEach(() => {
    mock.timers.reset();
    mock.timers.enable({ apis: ["setTimeout"] });
    ends = 0;
    leases = new Leases(1_000, () => {
      ends += 1;
    });
  });
  after(() => {
    mock.timers.reset();
  });
  const take = (): FakeResponse => {
    const response = new FakeResponse();
    leases.take(response as unknown as ServerResponse);
    return response;
  };

  test("end the sandbox after the grace period without a first lease", () => {
    mock.timers.tick(999);
    assert.equal(ends, 0);
    mock.timers.tick(1);
    assert.equal(ends, 1);
  });

  test("keep the sandbox running while one is held", () => {
    mock.timers.tick(999);
    take();
    mock.timers.tick(100_000);
    assert.deepEqual([ends, leases.count], [0, 1]);
  });

  test("end the sandbox after the grace period from the last release", () => {
    const [first, second] = [take(), take()];
    first.close();
    mock.timers.tick(5_000);
    assert.deepEqual([ends, leases.count], [0, 1]);
    second.close();
    mock.timers.tick(999);
    assert.equal(ends, 0);
    mock.timers.tick(1);
    assert.deepEqual([ends, leases.count], [1, 0]);
  });

  test("keep the sandbox running if a window returns within the grace period", () => {
    take().close();
    mock.timers.tick(500);
    take();
    mock.timers.tick(100_000);
    assert.equal(ends, 0);
  });

  test("close open responses on disposal, without ending the sandbox", () => {
    const held = take();
    leases.dispose();
    mock.timers.tick(100_000);
    assert.deepEqual([held.isEnded, ends], [true, 0]);
  });
});
