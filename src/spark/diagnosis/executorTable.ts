// The table of an application's executors with what each of them uses.
import type { Application, SparkPod } from "../pods/application.ts";
import { itemsIn } from "../pods/ordered.ts";
import type { PodRecord } from "../pods/podRecord.ts";
import { parseQuantity } from "../quantity.ts";
import { sparkContainerOf } from "../pods/sparkContainer.ts";
import { requestOf } from "./amounts.ts";
import type { ExecutorUsage, PodUsage } from "./executorUsage.ts";

/** The known usage of an application's pods. */
export interface KnownUsage {
  /** By executor id, and `driver`; undefined if the driver did not answer. */
  readonly byDriver: ReadonlyMap<string, ExecutorUsage> | undefined;
  /** By pod name; undefined without metrics-server. */
  readonly byMetrics: ReadonlyMap<string, PodUsage> | undefined;
}

export interface ExecutorTableRow {
  /** `driver`, or the executor id; the pod name without one. */
  readonly name: string;
  readonly pod: PodRecord;
  readonly driver: ExecutorUsage | undefined;
  readonly metrics: PodUsage | undefined;
}

/** The driver and the live executors, the largest users of memory first. */
export function executorRowsOf(
  { driver, live }: Pick<Application, "driver" | "live">,
  { byDriver, byMetrics }: KnownUsage,
): readonly ExecutorTableRow[] {
  const rowOf = (name: string, { pod }: SparkPod): ExecutorTableRow => ({
    name,
    pod,
    driver: byDriver?.get(name),
    metrics: byMetrics?.get(pod.name),
  });
  const rows = [
    ...(driver?.state.kind === "running" ? [rowOf("driver", driver)] : []),
    ...[...itemsIn(live)].map((executor) =>
      rowOf(
        executor.executorId === undefined ? executor.pod.name : `${executor.executorId}`,
        executor,
      ),
    ),
  ];
  return rows.sort(
    (a, b) =>
      memoryOf(b) - memoryOf(a) ||
      a.name.localeCompare(b.name, "en", { numeric: true, sensitivity: "base" }),
  );
}

/** By metrics-server, else the peak of the heap, else the storage memory. */
const memoryOf = ({ metrics, driver }: ExecutorTableRow): number =>
  metrics?.memoryBytes ?? (driver?.peakHeapBytes || driver?.storageBytes) ?? 0;

// A screen reader and an editor handle this many lines well; the first rows are the interesting ones.
const maxRows = 1_000;

/** The table as aligned text. A column without any value is absent. */
export function executorTable(rows: readonly ExecutorTableRow[]): string {
  const shown = rows.slice(0, maxRows);
  const cells = columns
    .map(({ title, valueOf }) => ({ title, values: shown.map((row) => valueOf(row) ?? "-") }))
    .filter(({ values }) => values.some((value) => value !== "-"));
  const widths = cells.map(({ title, values }) =>
    values.reduce((width, value) => Math.max(width, value.length), title.length),
  );
  const lineOf = (texts: readonly string[]): string =>
    texts
      .map((text, index) =>
        index === 0 ? text.padEnd(widths[index] ?? 0) : text.padStart(widths[index] ?? 0),
      )
      .join("  ");
  const more = rows.length - shown.length;
  return [
    lineOf(cells.map(({ title }) => title)),
    ...shown.map((_, index) => lineOf(cells.map(({ values }) => values[index] ?? ""))),
    ...(more === 0 ? [] : ["", `${more} more ${more === 1 ? "pod" : "pods"} with less memory`]),
  ].join("\n");
}

interface Column {
  readonly title: string;
  readonly valueOf: (row: ExecutorTableRow) => string | undefined;
}

const byDriver =
  (valueOf: (usage: ExecutorUsage) => string | undefined) =>
  ({ driver }: ExecutorTableRow): string | undefined =>
    driver && valueOf(driver);

const columns: readonly Column[] = [
  { title: "Executor", valueOf: ({ name }) => name },
  { title: "CPU", valueOf: ({ metrics }) => metrics && coresText(metrics.cores) },
  { title: "CPU request", valueOf: ({ pod }) => positive(requestOf(pod, "cpu"), coresText) },
  { title: "Memory", valueOf: ({ metrics }) => metrics && mebibytes(metrics.memoryBytes) },
  {
    title: "Memory limit",
    valueOf: ({ pod }) =>
      positive(parseQuantity(sparkContainerOf(pod)?.memoryLimit ?? "") ?? 0, mebibytes),
  },
  {
    title: "Peak heap",
    valueOf: byDriver(({ peakHeapBytes }) => positive(peakHeapBytes, mebibytes)),
  },
  { title: "Storage", valueOf: byDriver(({ storageBytes }) => mebibytes(storageBytes)) },
  {
    title: "Storage limit",
    valueOf: byDriver(({ maxStorageBytes }) => mebibytes(maxStorageBytes)),
  },
  { title: "GC time", valueOf: byDriver(({ gcMs }) => milliseconds(gcMs)) },
  { title: "Task time", valueOf: byDriver(({ taskMs }) => milliseconds(taskMs)) },
  {
    title: "GC share",
    valueOf: byDriver(({ gcMs, taskMs }) =>
      taskMs === 0 ? undefined : `${Math.round((100 * gcMs) / taskMs)} %`,
    ),
  },
  { title: "Active", valueOf: byDriver(({ activeTasks }) => `${activeTasks}`) },
  { title: "Completed", valueOf: byDriver(({ completedTasks }) => `${completedTasks}`) },
  { title: "Failed", valueOf: byDriver(({ failedTasks }) => `${failedTasks}`) },
];

const positive = (amount: number, print: (amount: number) => string): string | undefined =>
  amount === 0 ? undefined : print(amount);

const coresText = (cores: number): string => cores.toFixed(2);

const mebibytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MiB`;

const milliseconds = (ms: number): string => `${ms} ms`;
