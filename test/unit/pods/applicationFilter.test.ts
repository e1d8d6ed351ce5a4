import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Application } from "../../../src/spark/pods/application.ts";
import {
  isFiltering,
  isInTrouble,
  noFilter,
  matchesFilter,
  stateClassOf,
  type ApplicationFilter,
} from "../../../src/spark/pods/applicationFilter.ts";
import { buildApplications } from "../../../src/spark/pods/applications.ts";
import { firstOf } from "../../../src/spark/pods/ordered.ts";
import { replacePods } from "../../../src/spark/pods/podListing.ts";
import type { PodRecord } from "../../../src/spark/pods/podRecord.ts";
import { emptySnapshot } from "../../../src/spark/pods/podSnapshot.ts";
import { driverFixture, endedFixture, executorFixture, podFixture } from "./podFixture.ts";

function applicationOf(...pods: readonly PodRecord[]): Application {
  const only = firstOf(buildApplications(replacePods(emptySnapshot, pods).snapshot).applications);
  return only ?? assert.fail();
}

const running = applicationOf(driverFixture({ sparkUser: "ada" }), podFixture());
const pending = applicationOf(
  driverFixture({ phase: "Pending", nodeName: undefined, containers: [] }),
);
const succeeded = applicationOf(
  driverFixture({ phase: "Succeeded", containers: [endedFixture(0)] }),
);
const failed = applicationOf(driverFixture({ phase: "Failed", containers: [endedFixture(1)] }));
const operated = (outlook: string, hasEnded: boolean): Application =>
  ({
    ...running,
    state: { kind: "operated", resource: { outlook, hasEnded } },
  }) as unknown as Application;

describe("the standing of an application", () => {
  for (const [title, application, expected] of [
    ["running", running, "running"],
    ["pending", pending, "waiting"],
    ["succeeded", succeeded, "finished"],
    ["failed", failed, "failed"],
    ["of an operator that failed", operated("failed", true), "failed"],
    ["of an operator that runs", operated("running", false), "running"],
    ["of an operator that has ended", operated("succeeded", true), "finished"],
    ["of an operator that has not ended", operated("waiting", false), "waiting"],
  ] as const) {
    test(`${title} is ${expected}`, () => {
      assert.equal(stateClassOf(application), expected);
    });
  }
});

describe("a filter", () => {
  for (const [filter, expected] of [
    [{}, true],
    [{ text: "PI" }, true],
    [{ text: "spark-1" }, true],
    [{ text: "none" }, false],
    [{ stateClasses: new Set(["running", "failed"]) }, true],
    [{ stateClasses: new Set(["failed"]) }, false],
    [{ namespaces: new Set(["jobs"]) }, true],
    [{ namespaces: new Set(["other"]) }, false],
    [{ user: "ada" }, true],
    [{ user: "eve" }, false],
    [{ text: "pi", user: "eve" }, false],
  ] as readonly (readonly [Partial<ApplicationFilter>, boolean])[]) {
    const shown = Object.entries(filter).map(
      ([name, value]) => `${name} ${[...(value as Iterable<string>)].join("")}`,
    );
    test(`by ${shown.join(", ") || "nothing"} ${expected ? "shows" : "hides"} an application`, () => {
      assert.equal(
        matchesFilter({ ...noFilter, ...filter }, running, () => undefined),
        expected,
      );
      assert.equal(isFiltering({ ...noFilter, ...filter }), shown.length > 0);
    });
  }
});

test("an application is in trouble if it failed, is blocked, or its executors failed while it is alive", () => {
  const lost = executorFixture(2, { phase: "Failed", containers: [endedFixture(1)] });
  const done = driverFixture({ phase: "Succeeded", containers: [endedFixture(0)] });
  assert.deepEqual(
    [
      ...[running, pending, succeeded, failed],
      ...[applicationOf(driverFixture(), lost), applicationOf(done, lost)],
    ].map(isInTrouble),
    [false, false, false, true, true, false],
  );
  assert.equal(
    isInTrouble({ ...running, state: { kind: "blocked" } } as unknown as Application),
    true,
  );
});
