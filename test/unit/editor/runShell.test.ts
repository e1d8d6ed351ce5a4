import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { err, ok } from "../../../src/base/result.ts";
import type { LogConsole } from "../../../src/editor/logs/logConsole.ts";
import { runShell } from "../../../src/editor/submit/runShell.ts";
import { TerminalRelay } from "../../../src/editor/ui/terminalRelay.ts";
import type { ClusterError } from "../../../src/engine/clusterError.ts";
import type { ExecItem, ExecSession } from "../../../src/engine/ports/channels.ts";
import type { MessageText } from "../../../src/base/message.ts";
import { settle, VirtualClock } from "../engine/virtualClock.ts";
import { driverFixture } from "../pods/podFixture.ts";
import { inText, scriptedScreen } from "./screenFixture.ts";
import { recordedObjects } from "./sessionFixture.ts";

const driver = driverFixture({ name: "shell-driver" });
const bodyIn = (state: object) => ({
  metadata: { name: driver.name, namespace: "jobs", uid: driver.uid, creationTimestamp: "2026" },
  spec: {
    nodeName: "n",
    restartPolicy: "Never",
    containers: [{ name: "spark-kubernetes-driver", image: "spark:4", args: ["bash"] }],
  },
  status: {
    phase: "Running",
    containerStatuses: [{ name: "spark-kubernetes-driver", image: "spark:4", state }],
  },
});
const refusal = (resource: string, verb: string): ClusterError => ({
  ...{ kind: "forbidden", verb, resource, namespace: "jobs", detail: "no" },
});
const unreachable = { kind: "unreachable", detail: "down" } as unknown as ClusterError;
const deleted = "delete Pod shell-driver in 1 s";

interface Given {
  readonly keeps?: boolean;
  readonly attachError?: ClusterError;
  readonly deleteError?: ClusterError;
  /** The last item of the program; undefined: it runs until the signal aborts. */
  readonly last?: ExecItem | "none";
  readonly exitCode?: number;
}

async function shell(given: Given, abort?: "before the terminal" | "in the terminal") {
  const state = { running: { startedAt: "2026-01-02T03:04:05Z" } };
  const bodies: Record<string, unknown> = { "Pod shell-driver": bodyIn(state) };
  const { deleteError, exitCode = 0 } = given;
  const refused = deleteError === undefined ? {} : { "delete Pod": deleteError };
  const { objects, written } = recordedObjects(bodies, refused);
  const clock = new VirtualClock();
  const stop = new AbortController();
  const said: string[] = [];
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const session: ExecSession = {
    items: (async function* () {
      if (given.last === undefined) await ended;
      const terminated = { terminated: { exitCode, reason: "Error" } };
      bodies["Pod shell-driver"] = bodyIn(terminated);
      if (given.last !== undefined && given.last !== "none") yield given.last;
    })(),
    canCloseInput: true,
    write: () => undefined,
    closeInput: () => undefined,
    type: () => undefined,
    resize: () => undefined,
    dispose: () => {
      end();
    },
  };
  const { attachError } = given;
  const place = {
    connection: {
      objects,
      exec: {
        start: (_: unknown, signal: AbortSignal) => {
          signal.throwIfAborted();
          return Promise.resolve(attachError === undefined ? ok(session) : err(attachError));
        },
      },
    },
    terminal: {
      output: {
        note: (text: MessageText) => said.push(inText(text)),
        problem: (severity: string, text: MessageText) => said.push(`${severity}: ${inText(text)}`),
      } as unknown as LogConsole,
      relay: new TerminalRelay(() => undefined),
    },
    clock,
    screen: scriptedScreen(),
    keepsShells: () => given.keeps === true,
  };
  if (abort === "before the terminal") stop.abort();
  const work = runShell(driver, place, stop.signal).catch(String);
  await settle();
  if (abort === "in the terminal") stop.abort();
  await clock.advanceUntil(work);
  return { code: await work, said, written };
}

describe("shell of a driver pod", () => {
  test("ends with its exit code, and its pod is deleted", async () => {
    const { code, said, written } = await shell({ last: "none", exitCode: 3 });
    assert.deepEqual([code, said], [3, ["the shell ended with exit code 3"]]);
    assert.deepEqual(written, [deleted]);
  });

  test("keeps its pod if the settings say so", async () => {
    const { code, written } = await shell({ last: "none", keeps: true });
    assert.deepEqual([code, written], [0, []]);
  });

  test("reports a broken connection", async () => {
    const last = { kind: "failed", error: unreachable } as ExecItem;
    const { code, said } = await shell({ last, exitCode: 4 });
    assert.deepEqual([code, said[0]], [4, "error: It is unreachable."]);
  });

  test("that cannot be attached never keeps its pod", async () => {
    const attachError = refusal("pods/attach", "create");
    const { code, said, written } = await shell({ attachError, keeps: true });
    assert.deepEqual([code, written], [1, [deleted]]);
    assert.deepEqual(said, [
      "error: Cannot open the Spark shell. It is forbidden. A Spark session does not require this permission.",
    ]);
    const other = await shell({ attachError: unreachable });
    assert.deepEqual(other.said, ["error: Cannot open the Spark shell. It is unreachable."]);
  });

  test("is stopped with the exit code of Ctrl+C, and its pod is deleted", async () => {
    const { code, written } = await shell({}, "in the terminal");
    assert.deepEqual([code, written], [130, [deleted]]);
    assert.deepEqual((await shell({ keeps: true }, "in the terminal")).written, []);
  });

  test("is aborted before it is attached", async () => {
    const { code, written } = await shell({ keeps: true }, "before the terminal");
    assert.match(String(code), /AbortError/);
    assert.deepEqual(written, [deleted]);
  });

  test("says why its pod stays", async () => {
    const deleteError = refusal("pods", "delete");
    const { said } = await shell({ last: "none", deleteError });
    assert.equal(said.at(-1), 'error: Cannot delete pod "shell-driver". It is forbidden.');
  });
});
