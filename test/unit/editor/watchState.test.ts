import assert from "node:assert/strict";
import { test } from "node:test";
import {
  viewProblemOf,
  watchStateOf,
  type ViewProblem,
} from "../../../src/editor/apps/watchState.ts";
import { unknownWatch, type NamespaceWatch } from "../../../src/editor/apps/sessionState.ts";
import type { ClusterError } from "../../../src/engine/clusterError.ts";
import type { Connection } from "../../../src/engine/ports/connection.ts";
import { buildApplications } from "../../../src/spark/pods/applications.ts";
import { decodeOperatorResource } from "../../../src/spark/pods/operatorResource.ts";
import { emptySnapshot } from "../../../src/spark/pods/podSnapshot.ts";

test("each cause of an empty view has its own value", () => {
  const where = { resource: "pods", detail: "" };
  const rows: readonly (readonly [ClusterError, string])[] = [
    [{ kind: "unreachable", server: "s", requestSent: false, detail: "" }, "unreachable"],
    [{ kind: "unauthorized", server: "s", detail: "" }, "unauthorized"],
    [{ kind: "forbidden", verb: "list", namespace: "ns", ...where }, "forbidden"],
    [{ kind: "throttled", retryAfterMs: 7_000, detail: "" }, "busy"],
    [{ kind: "badResponse", status: 503, detail: "" }, "badAnswer"],
    [{ kind: "expired", detail: "" }, "badAnswer"],
    [{ kind: "notFound", name: "", ...where }, "badAnswer"],
    [{ kind: "configuration", problem: "noKubeconfig", detail: "" }, "noKubeconfig"],
    [{ kind: "configuration", problem: "credentials", detail: "" }, "badKubeconfig"],
  ];
  for (const [error, word] of rows) assert.equal(watchStateOf({ kind: "failed", error }), word);
});

test("reports a missing namespace even if others exist", () => {
  const word = (...missing: readonly boolean[]): string => {
    const live = unknownWatch("dev", { kind: "live", polled: undefined });
    const watches = missing.map((isMissing) => ({ ...live, namespace: "ns", isMissing }));
    return watchStateOf({ kind: "connected", connection: {} as Connection, watches });
  };
  assert.deepEqual([word(true), word(false, true)], ["noNamespace", "noNamespace"]);
  assert.deepEqual([word(false), word(false, false)], ["live", "live"]);
});

test("a forbidden pod list is reported above rows of custom resources, and by the welcome view without rows", () => {
  const error = { kind: "forbidden", verb: "list", resource: "pods", namespace: "ns", detail: "" };
  const unread = unknownWatch("dev", { kind: "failed", error: error as ClusterError });
  const resource = decodeOperatorResource("sparkoperator.k8s.io/v1beta2", "SparkApplication", {
    metadata: { name: "pi", namespace: "ns", uid: "uid-pi" },
  });
  assert.ok(resource);
  const told = (watch: NamespaceWatch): ViewProblem | undefined =>
    viewProblemOf({ kind: "connected", connection: {} as Connection, watches: [watch] });
  const model = buildApplications(emptySnapshot, [resource]);
  assert.deepEqual(told({ ...unread, model }), { kind: "failed", context: "dev", error });
  assert.equal(told(unread), undefined);
});
