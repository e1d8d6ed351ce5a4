import assert from "node:assert/strict";
import { test } from "node:test";
import { dateAndTime } from "../../../src/base/timeOfDay.ts";
import { msg } from "../../../src/base/message.ts";
import { pickApplication } from "../../../src/editor/apps/pick.ts";
import { appNameLabel, appSelectorLabel } from "../../../src/spark/labels.ts";
import { driverFixture } from "../pods/podFixture.ts";
import { lifecycleFixture } from "./lifecycleFixture.ts";

test("the question for an application tells applications with the same name apart by their start", async (t) => {
  const driver = (uid: string, name: string, creationTimestamp: string) =>
    driverFixture({
      ...{ uid, name: `${uid}-driver`, creationTimestamp },
      labels: { ...driverFixture().labels, [appSelectorLabel]: uid, [appNameLabel]: name },
    });
  const [early, late] = ["2026-01-02T01:22:03Z", "2026-01-02T02:22:03Z"];
  const pods = [driver("a", "etl", early), driver("b", "etl", late), driver("c", "pi", early)];
  const { run, screen } = await lifecycleFixture(t, pods, [undefined]);
  await run(async (context) => {
    await pickApplication(context, msg("Stop Application"), () => true);
  });
  const [shown = ""] = screen.shown;
  const start = (stamp: string): string => `started ${dateAndTime(Date.parse(stamp), "seconds")}`;
  assert.ok(shown.includes(`jobs · a · ${start(early)}`), shown);
  assert.ok(shown.includes(`jobs · b · ${start(late)}`), shown);
  assert.match(shown, /jobs · c$/m);
});
