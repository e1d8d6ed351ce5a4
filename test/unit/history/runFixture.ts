import type { RunRecord } from "../../../src/spark/history/runRecord.ts";

export const runFixture = (fields: Partial<RunRecord> = {}): RunRecord => ({
  ...{ id: "uid-driver", name: "orders", folder: undefined, isSubmitted: true, context: "dev" },
  ...{ namespace: "etl", applicationId: "spark-1" },
  startedAt: Date.parse("2026-11-24T10:00:00Z"),
  endedAt: Date.parse("2026-11-24T10:04:00Z"),
  ...{ outcome: "failed", exitCode: 1, cause: "out of memory", sent: { files: 2, bytes: 2_048 } },
  conf: [
    ["spark.executor.instances", "4"],
    ["spark.kubernetes.namespace", "etl"],
  ],
  ...{ application: "jobs/orders.py", mainClass: undefined, args: ["--date", "2026-11-24"] },
  ...{ image: "registry.local/spark:4.3.0", digest: `sha256:${"a".repeat(64)}` },
  git: { commit: "0123456789abcdef0123456789abcdef01234567", branch: "main", isDirty: true },
  spent: { coreMs: 3_600_000, byteMs: 3_600_000 * 2 ** 31 },
  executors: { seen: 5, failed: 1 },
  definition: { type: "spark", application: "jobs/orders.py" },
  ...fields,
});
