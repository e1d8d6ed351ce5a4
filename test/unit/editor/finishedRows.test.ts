import assert from "node:assert/strict";
import { test } from "node:test";
import { finishedItem } from "../../../src/editor/lifecycle/finishedRows.ts";
import { failedDriver } from "../diagnosis/diagnosedFixture.ts";
import { driverFixture } from "../pods/podFixture.ts";
import { scriptedScreen } from "./screenFixture.ts";
import { sessionFixture } from "./sessionFixture.ts";

test("a finished application in the list of Clean Up has the cause of its failure", async (t) => {
  const describe = async (pod: ReturnType<typeof driverFixture>): Promise<string> => {
    const { session } = await sessionFixture(t, [pod]);
    const [application = assert.fail()] = session.applications;
    const context = { session, screen: scriptedScreen() };
    return (
      finishedItem(context, { application, endedAt: undefined, hasSucceeded: false }, 0)
        .description ?? ""
    );
  };
  assert.match(
    await describe(failedDriver(137, { reason: "OOMKilled" })),
    /^failed · out of memory/,
  );
  assert.equal(await describe(failedDriver(3)), "failed, exit code 3");
  assert.equal(await describe(driverFixture({ phase: "Succeeded" })), "succeeded");
});

test("a finished application in the list of Clean Up names its run profile and its end", async (t) => {
  const pods = [driverFixture({ phase: "Succeeded" })];
  const { session } = await sessionFixture(t, pods);
  const [application = assert.fail()] = session.applications;
  Object.defineProperty(session, "profileOf", { value: () => "nightly" });
  const context = { session, screen: scriptedScreen() };
  const finished = { application, endedAt: 0, hasSucceeded: true };
  assert.equal(
    finishedItem(context, finished, 3_600_000).description,
    "succeeded · ended 1 h ago · nightly",
  );
});
