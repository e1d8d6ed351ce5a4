import assert from "node:assert/strict";
import { test } from "node:test";
import {
  isInTrouble,
  noFilter,
  matchesFilter,
  stateClassOf,
  type ApplicationFilter,
} from "../../../src/spark/pods/applicationFilter.ts";
import { applicationRows } from "../../../src/spark/pods/applicationRows.ts";
import { buildApplications } from "../../../src/spark/pods/applications.ts";
import { itemsIn } from "../../../src/spark/pods/ordered.ts";
import type { PodRecord } from "../../../src/spark/pods/podRecord.ts";
import { replacePods } from "../../../src/spark/pods/podListing.ts";
import { emptySnapshot } from "../../../src/spark/pods/podSnapshot.ts";
import { driverFixture, endedFixture, podFixture } from "./podFixture.ts";

const driver = (id: string, name: string, phase: string, fields: Partial<PodRecord> = {}) =>
  driverFixture({
    uid: `uid-${id}`,
    name: `${id}-driver`,
    phase,
    creationTimestamp: `2026-01-0${id.at(-1) ?? "1"}T00:00:00Z`,
    labels: { "spark-app-selector": id, "spark-role": "driver", "spark-app-name": name },
    ...(phase === "Failed" && {
      containers: [endedFixture(1, { name: "spark-kubernetes-driver" })],
    }),
    ...fields,
  });

const applicationsOf = (pods: readonly PodRecord[]) => [
  ...itemsIn(buildApplications(replacePods(emptySnapshot, pods).snapshot).applications),
];

const pods = [
  driver("a1", "orders", "Succeeded"),
  driver("a2", "orders", "Failed"),
  driver("a3", "orders", "Running"),
  driver("a4", "report", "Succeeded"),
  driver("a5", "ingest", "Pending", { namespace: "etl" }),
];

test("lists active applications first, and folds older runs below the newest run of a name", () => {
  const rows = applicationRows(applicationsOf(pods)).map((row) =>
    row.kind === "application"
      ? row.application.id
      : `earlier: ${row.runs.map(({ id }) => id).join(", ")}`,
  );
  assert.deepEqual(rows, ["a5", "a3", "earlier: a2, a1", "a4"]);
});

test("folds ended runs below all live runs of the name", () => {
  const phases = { a1: "Failed", a2: "Running", a3: "Succeeded", a4: "Running" };
  const all = Object.entries(phases).map(([id, phase]) => driver(id, "orders", phase));
  const rows = applicationRows(applicationsOf(all)).map((row) =>
    row.kind === "application" ? row.application.id : row.runs.map(({ id }) => id).join(", "),
  );
  assert.deepEqual(rows, ["a4", "a2", "a3, a1"]);
});

test("folds runs of each run profile of a name apart", () => {
  const profiles: Readonly<Record<string, string>> = { a1: "small", a2: "large" };
  const all = ["a1", "a2", "a3"].map((id) => driver(id, "orders", "Failed"));
  const rows = applicationRows(applicationsOf(all), ({ id }) => profiles[id] ?? "small");
  assert.deepEqual(
    rows.map((row) => (row.kind === "application" ? row.application.id : row.of)),
    ["a3", "jobs/orders/small", "a2"],
  );
});

test("a filter passes applications that meet all its conditions", () => {
  const idsWith = (filter: Partial<ApplicationFilter>): string =>
    applicationsOf(pods)
      .filter((application) =>
        matchesFilter({ ...noFilter, ...filter }, application, ({ id }) => `run of ${id}`),
      )
      .map(({ id }) => id)
      .sort()
      .join(" ");
  assert.equal(idsWith({}), "a1 a2 a3 a4 a5");
  assert.equal(idsWith({ text: "ORD" }), "a1 a2 a3");
  assert.equal(idsWith({ text: "a4" }), "a4");
  assert.equal(idsWith({ text: "Run of a5" }), "a5");
  assert.equal(idsWith({ stateClasses: new Set(["failed", "waiting"]) }), "a2 a5");
  assert.equal(idsWith({ namespaces: new Set(["etl"]) }), "a5");
  assert.equal(idsWith({ text: "orders", stateClasses: new Set(["finished"]) }), "a1");
  assert.equal(idsWith({ user: "ada" }), "");
});

test("each application has a standing, and failing executors show while it runs", () => {
  const byId = new Map(applicationsOf(pods).map((one) => [one.id, one]));
  const standing = (id: string): string => {
    const application = byId.get(id);
    return application === undefined ? "" : stateClassOf(application);
  };
  assert.deepEqual(["a1", "a2", "a3", "a5"].map(standing), [
    "finished",
    "failed",
    "running",
    "waiting",
  ]);
  const [troubled] = applicationsOf([
    driver("a3", "orders", "Running"),
    podFixture({
      phase: "Failed",
      labels: { "spark-app-selector": "a3", "spark-role": "executor", "spark-exec-id": "1" },
      containers: [endedFixture(137)],
    }),
  ]);
  assert.ok(troubled && isInTrouble(troubled));
  const [well] = applicationsOf([driver("a3", "orders", "Running")]);
  assert.ok(well && !isInTrouble(well));
});
