import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ok } from "../../../../src/base/result.ts";
import type {
  AssistantHost,
  AssistantTool,
} from "../../../../src/engine/assistant/assistantTool.ts";
import { callTool } from "../../../../src/engine/assistant/callTool.ts";
import { listTool } from "../../../../src/engine/assistant/listTool.ts";
import { VirtualClock } from "../virtualClock.ts";

const never = new AbortController().signal;

const toolOf = (call: AssistantTool["call"]): AssistantTool => ({ ...listTool, call });

const hostAt = (clock: VirtualClock, decide?: Promise<void>): AssistantHost =>
  ({
    clock,
    mayChange: async () => {
      await decide;
      return { kind: "approved" };
    },
  }) as unknown as AssistantHost;

describe("a tool call", () => {
  test("ends after 60 s without an answer, and its requests are aborted", async () => {
    const clock = new VirtualClock();
    let aborted: AbortSignal | undefined;
    const silent = toolOf((_host, _given, signal) => {
      aborted = signal;
      return new Promise(() => undefined);
    });
    const called = callTool(silent, hostAt(clock), {}, never);
    await clock.advance(60_000);
    const result = await called;
    assert.ok(!result.ok && result.error !== "later");
    assert.match(result.error.text, /no answer within 60 s/);
    assert.equal(aborted?.aborted, true);
  });

  test("waits for the user without a deadline", async () => {
    const clock = new VirtualClock();
    let decide = (): void => undefined;
    const user = new Promise<void>((resolve) => (decide = resolve));
    const asking = toolOf(async (host, _given, signal) => {
      const question = { action: "Stop", detail: "", id: "stop a" };
      const { kind } = await host.mayChange({} as never, question, signal);
      return ok({ kind });
    });
    const called = callTool(asking, hostAt(clock, user), {}, never);
    await clock.advance(600_000);
    decide();
    assert.deepEqual(await called, ok({ kind: "approved" }));
  });

  test("treats arguments that are no object as none", async () => {
    const echo = toolOf((_host, given) =>
      Promise.resolve(ok({ count: Object.keys(given).length })),
    );
    assert.deepEqual(
      await callTool(echo, hostAt(new VirtualClock()), "a", never),
      ok({ count: 0 }),
    );
  });
});
