import assert from "node:assert/strict";
import { test } from "node:test";
import { inEnglish } from "../../../src/base/message.ts";
import { runWords } from "../../../src/editor/lifecycle/runWords.ts";
import type { Application } from "../../../src/spark/pods/application.ts";
import { buildApplications } from "../../../src/spark/pods/applications.ts";
import { itemsIn } from "../../../src/spark/pods/ordered.ts";
import { replacePods } from "../../../src/spark/pods/podListing.ts";
import { emptySnapshot } from "../../../src/spark/pods/podSnapshot.ts";
import { driverFixture } from "../pods/podFixture.ts";

test("a question names the profile and the start of an application only if another has its name", () => {
  const labels = { "spark-role": "driver", "spark-app-name": "pi" };
  const driver = (id: string) =>
    driverFixture({
      uid: id,
      name: `${id}-driver`,
      labels: { ...labels, "spark-app-selector": id },
    });
  const applicationsOf = (...ids: readonly string[]): readonly Application[] => [
    ...itemsIn(
      buildApplications(replacePods(emptySnapshot, ids.map(driver)).snapshot).applications,
    ),
  ];
  const words = (applications: readonly Application[], profile?: string): string | undefined => {
    const [first] = applications;
    assert.ok(first);
    const nowOf = (): number => Date.parse("2026-01-02T12:00:00Z");
    const found = runWords({ applications, nowOf, profileOf: () => profile }, first);
    return found && inEnglish(found);
  };
  assert.equal(words(applicationsOf("spark-1"), "nightly"), undefined);
  const both = applicationsOf("spark-1", "spark-2");
  assert.match(words(both, "nightly") ?? "", /^Run profile: "nightly"\. Started: .*\d:\d\d.*\.$/);
  assert.match(words(both) ?? "", /^Started: /);
});
