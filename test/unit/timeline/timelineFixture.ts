import { readFileSync } from "node:fs";
import type { DriverSample } from "../../../src/spark/timeline/driverSample.ts";
import type { StageSpan } from "../../../src/spark/timeline/stageSpan.ts";

export const sampleFixture = (fields: Partial<DriverSample> = {}): DriverSample => ({
  ...{ at: 0, target: 2, registered: 2, activeTasks: 1, maxActive: 1, minActive: 0, slots: 2 },
  ...{ completedTasks: 0, failedTasks: 0, taskMs: 0, gcMs: 0, inputBytes: 0 },
  ...{ shuffleReadBytes: 0, shuffleWriteBytes: 0, peakBytes: 400 << 20, limitBytes: 896 << 20 },
  ...{ memorySpilledBytes: undefined, diskSpilledBytes: undefined },
  ...fields,
});

export const spanFixture = (fields: Partial<StageSpan> = {}): StageSpan => ({
  ...{ stageId: 0, attemptId: 0, name: "count", status: "COMPLETE" },
  ...{ submittedAt: 0, endedAt: 1_000, tasks: 2, done: 2, failed: 0, runMs: 1_000, gcMs: 0 },
  ...{ inputBytes: 0, shuffleReadBytes: 0, shuffleWriteBytes: 0 },
  ...{ memorySpilledBytes: 0, diskSpilledBytes: 0 },
  ...fields,
});

interface RecordedDriver {
  readonly allexecutors: readonly Readonly<Record<string, unknown>>[];
  readonly stages: readonly Readonly<Record<string, unknown>>[];
}

/** Returns recorded REST responses of real drivers by moment, without fields that no plot shows. */
export const recordedDrivers = (
  version: "4.3.0" | "3.5.9",
): ReadonlyMap<string, RecordedDriver> => {
  const text = readFileSync(new URL(`recordings/${version}.json`, import.meta.url), "utf8");
  return new Map(Object.entries(JSON.parse(text) as Record<string, RecordedDriver>));
};
