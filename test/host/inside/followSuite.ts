import { inEnglish, type MessageText } from "../../../src/base/message.ts";
import type { LogsContext } from "../../../src/editor/logs/logsContext.ts";
import assert from "node:assert/strict";
import { ClusterSession } from "../../../src/editor/apps/clusterSession.ts";
import { followSelection, type LogSelection } from "../../../src/editor/logs/tailLogs.ts";
import type { Connection } from "../../../src/engine/ports/connection.ts";
import { buildApplications } from "../../../src/spark/pods/applications.ts";
import { firstOf } from "../../../src/spark/pods/ordered.ts";
import { replacePods } from "../../../src/spark/pods/podListing.ts";
import { emptySnapshot } from "../../../src/spark/pods/podSnapshot.ts";
import { containerFixture, driverFixture } from "../../unit/pods/podFixture.ts";
import type { Suite } from "./runSuite.ts";

const openedAt = Date.parse("2026-01-02T10:00:00Z");
const hour = 3_600_000;

export const followSuite: Suite = {
  "what is seen later is read from its first line only if it began later, by the cluster's time":
    () => {
      const all = undefined;
      assert.deepEqual(
        linesOf({ began: openedAt - hour, isSeenLater: false, aheadMs: 0 }),
        [1_000],
      );
      assert.deepEqual(linesOf({ began: openedAt - hour, isSeenLater: true, aheadMs: 0 }), [1_000]);
      assert.deepEqual(linesOf({ began: openedAt + 1_000, isSeenLater: true, aheadMs: 0 }), [all]);
      // By the local clock, the logs began half an hour before the terminal opened, and half an hour after.
      const ahead = { began: openedAt + hour / 2, isSeenLater: true, aheadMs: hour };
      assert.deepEqual(linesOf(ahead), [1_000]);
      const behind = { began: openedAt - hour / 2, isSeenLater: true, aheadMs: -hour };
      assert.deepEqual(linesOf(behind), [all]);
      return Promise.resolve();
    },
};

interface Seen {
  readonly began: number;
  /** True if its context connects a minute after the terminal opens. */
  readonly isSeenLater: boolean;
  /** The milliseconds by which the cluster's clock is ahead of the local one. */
  readonly aheadMs: number;
}

/** Returns the number of existing lines that each followed log begins with; undefined means all. */
function linesOf({ began, isSeenLater, aheadMs }: Seen): readonly (number | undefined)[] {
  const state = { kind: "running", startedAt: new Date(began).toISOString() } as const;
  const pod = driverFixture({ containers: [containerFixture({ state })] });
  const { snapshot } = replacePods(emptySnapshot, [pod]);
  const application = firstOf(buildApplications(snapshot).applications);
  assert.ok(application?.driver);
  const followed = { application, pod: application.driver, name: "driver" };
  let now = openedAt;
  let isConnected = !isSeenLater;
  let look: Parameters<ClusterSession["onDidChange"]>[0] = () => undefined;
  const session = fakeSession({
    connectionOf: () => (isConnected ? connection : undefined),
    onDidChange: (listener) => {
      look = listener;
      return { dispose: () => undefined };
    },
    byContext: () => [],
    podsOf: () => ({
      areKnown: () => true,
      findPod: () => pod,
      onDidChange: () => ({ dispose: () => undefined }),
    }),
  });
  const connection = {
    ...({} as Connection),
    ...{ context: "dev", server: "s", now: () => now + aheadMs },
  };
  const selection: LogSelection = {
    ...{ key: "k", name: "pi", place: "dev/jobs", title: "pi" },
    pods: () => [followed],
    applications: () => [application],
    isOfSeveral: false,
    mayGrow: () => true,
  };
  const context = {
    ...{ session, secrets: () => "hidden" },
    screen: {
      translated: (text: MessageText) => (typeof text === "string" ? text : inEnglish(text)),
    },
  } as unknown as LogsContext;
  const lines: (number | undefined)[] = [];
  const following = followSelection(context, selection, { now: () => now })((logs) => {
    lines.push(...logs.map(({ tailLines }) => tailLines));
  });
  now += 60_000;
  isConnected = true;
  look({ changedKeys: new Set() });
  following.dispose();
  return lines;
}

type Asked = Pick<ClusterSession, "connectionOf" | "onDidChange" | "byContext" | "podsOf">;

const fakeSession = (asked: Asked): ClusterSession =>
  Object.create(
    ClusterSession.prototype,
    Object.fromEntries(Object.entries(asked).map(([name, value]) => [name, { value }])),
  ) as ClusterSession;
