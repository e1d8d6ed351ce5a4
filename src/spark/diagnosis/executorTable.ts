// The table of an application's executors and their resource usage.
import { msg, type Message, type MessageText } from "../../base/message.ts";
import { describeDuration } from "../describeDuration.ts";
import type { Application, SparkPod } from "../pods/application.ts";
import { itemsIn } from "../pods/ordered.ts";
import type { PodRecord } from "../pods/podRecord.ts";
import { parseQuantity } from "../quantity.ts";
import { sparkContainerOf } from "../pods/sparkContainer.ts";
import { requestOf } from "./amounts.ts";
import type { ExecutorUsage, PodUsage } from "./executorUsage.ts";

/** The resource usage of an application's pods, by source. */
export interface KnownUsage {
  /** Usage by executor id; the driver has the id `driver`. Undefined if the driver did not respond. */
  readonly byDriver: ReadonlyMap<string, ExecutorUsage> | undefined;
  /** Usage by pod name. Undefined without metrics-server. */
  readonly byMetrics: ReadonlyMap<string, PodUsage> | undefined;
}

export interface ExecutorTableRow {
  /** `driver` or the executor id. The pod name if the pod has no id. */
  readonly name: string;
  readonly pod: PodRecord;
  readonly driver: ExecutorUsage | undefined;
  readonly metrics: PodUsage | undefined;
}

/** Returns the rows of a running driver and of the live executors, sorted by descending memory usage. */
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

/**
 * Returns the memory usage in bytes that metrics-server reports. Without it, returns the peak heap, or else the storage
 * memory.
 */
const memoryOf = ({ metrics, driver }: ExecutorTableRow): number =>
  metrics?.memoryBytes ?? (driver?.peakHeapBytes || driver?.storageBytes) ?? 0;

// The maximum number of rows, which screen readers and editors handle well. The omitted rows use the least memory.
const maxRows = 1_000;

/** Formats the rows as an aligned text table in the language of `print`. Omits columns without any value. */
export function executorTable(
  rows: readonly ExecutorTableRow[],
  print: (message: Message) => string,
): string {
  const shown = rows.slice(0, maxRows);
  const cells = columns
    .map(({ title, valueOf }) => ({
      title: print(title),
      values: shown.map((row) => {
        const value = valueOf(row) ?? "-";
        return typeof value === "string" ? value : print(value);
      }),
    }))
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
    ...(more === 0 ? [] : ["", print(moreRows(more))]),
  ].join("\n");
}

const moreRows = (count: number): Message =>
  count === 1 ? msg("1 more pod with less memory") : msg`${count} more pods with less memory`;

interface Column {
  readonly title: Message;
  readonly valueOf: (row: ExecutorTableRow) => MessageText | undefined;
}

const byDriver =
  (valueOf: (usage: ExecutorUsage) => MessageText | undefined) =>
  ({ driver }: ExecutorTableRow): MessageText | undefined =>
    driver && valueOf(driver);

const columns: readonly Column[] = [
  { title: msg("Executor"), valueOf: ({ name }) => name },
  { title: msg("CPU"), valueOf: ({ metrics }) => metrics && coresText(metrics.cores) },
  { title: msg("CPU request"), valueOf: ({ pod }) => positive(requestOf(pod, "cpu"), coresText) },
  { title: msg("Memory"), valueOf: ({ metrics }) => metrics && mebibytes(metrics.memoryBytes) },
  {
    title: msg("Memory limit"),
    valueOf: ({ pod }) =>
      positive(parseQuantity(sparkContainerOf(pod)?.memoryLimit ?? "") ?? 0, mebibytes),
  },
  {
    title: msg("Peak heap"),
    valueOf: byDriver(({ peakHeapBytes }) => positive(peakHeapBytes, mebibytes)),
  },
  { title: msg("Storage"), valueOf: byDriver(({ storageBytes }) => mebibytes(storageBytes)) },
  {
    title: msg("Storage limit"),
    valueOf: byDriver(({ maxStorageBytes }) => mebibytes(maxStorageBytes)),
  },
  { title: msg("GC time"), valueOf: byDriver(({ gcMs }) => describeDuration(gcMs)) },
  { title: msg("Task time"), valueOf: byDriver(({ taskMs }) => describeDuration(taskMs)) },
  {
    title: msg("GC share"),
    valueOf: byDriver(({ gcMs, taskMs }) =>
      taskMs === 0 ? undefined : `${Math.round((100 * gcMs) / taskMs)} %`,
    ),
  },
  { title: msg("Active"), valueOf: byDriver(({ activeTasks }) => `${activeTasks}`) },
  { title: msg("Completed"), valueOf: byDriver(({ completedTasks }) => `${completedTasks}`) },
  { title: msg("Failed"), valueOf: byDriver(({ failedTasks }) => `${failedTasks}`) },
];

const positive = (amount: number, print: (amount: number) => string): string | undefined =>
  amount === 0 ? undefined : print(amount);

const coresText = (cores: number): string => cores.toFixed(2);

const mebibytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MiB`;
