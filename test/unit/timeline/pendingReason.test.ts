import assert from "node:assert/strict";
import { test } from "node:test";
import { inEnglish } from "../../../src/base/message.ts";
import type { DisplayState } from "../../../src/spark/pods/displayState.ts";
import {
  pendingReasonNames,
  pendingReasonOf,
  pendingReasons,
} from "../../../src/spark/timeline/pendingReason.ts";

const blocked = (reason: string): DisplayState => ({
  kind: "blocked",
  problem: { container: "main", image: "spark", reason, message: undefined },
});
const refused = (message: string | undefined, held = false): DisplayState => ({
  ...{ kind: "unscheduled", held, message },
});

test("a pending pod has one reason, and another pod has none", () => {
  const rows: readonly (readonly [DisplayState, string | undefined])[] = [
    [{ kind: "requested" }, "waiting for the scheduler"],
    [refused(undefined), "waiting for the scheduler"],
    [refused("0/3 nodes are available: 3 Insufficient memory.", true), "held by a queue"],
    [refused("3 Insufficient memory, 2 Insufficient cpu."), "no node has enough memory"],
    [refused("3 Insufficient cpu, 1 node(s) had untolerated taint."), "no node has enough CPU"],
    [refused("1 node(s) had untolerated taint {a: b}."), "taints"],
    [refused("didn't match Pod's node affinity/selector"), "node selection"],
    [refused("didn't match node selector"), "node selection"],
    [refused("didn't match pod topology spread constraints"), "node selection"],
    [refused('persistentvolumeclaim "a" not found, 3 Insufficient memory'), "volume"],
    [refused("1 node(s) had volume node affinity conflict"), "volume"],
    [refused(`${" ".repeat(2_000)}taint`), "waiting for the scheduler"],
    [{ kind: "pulling", image: "spark" }, "pulling the image"],
    [{ kind: "initializing", container: "load" }, "init container"],
    [blocked("ImagePullBackOff"), "pulling the image"],
    [blocked("CreateContainerConfigError"), "cannot start"],
    [{ kind: "scheduled" }, "starting"],
    [{ kind: "starting" }, "starting"],
    [{ kind: "terminating" }, undefined],
    [{ kind: "deleted" }, undefined],
    [{ kind: "unknown", phase: "x", isDeleting: false }, undefined],
    [{ kind: "failed", exit: undefined, isDeleting: false }, undefined],
    [{ kind: "stopped", by: "killed", isDeleting: false }, undefined],
    [{ kind: "succeeded", heldBy: undefined, isDeleting: false }, undefined],
    [{ kind: "running", restarts: 0, lastExit: undefined, failedSidecar: undefined }, undefined],
  ];
  const found = new Set<string>();
  for (const [state, words] of rows) {
    const reason = pendingReasonOf(state);
    if (reason !== undefined) found.add(reason);
    assert.equal(reason && inEnglish(pendingReasonNames[reason]), words, JSON.stringify(state));
  }
  assert.deepEqual([...found].sort(), [...pendingReasons].sort());
});
