import { err, ok, type Result } from "../base/result.ts";
import type { ClusterError } from "../engine/clusterError.ts";
import type { DriverAddress, DriverApi } from "../engine/ports/reports.ts";
import {
  addToTotals,
  decodeAllocation,
  decodeReported,
  decodeReportedUsage,
  noTotals,
  targetIn,
  type AllocationConf,
  type ReportedExecutors,
} from "../spark/diagnosis/driverReport.ts";
import type { ExecutorUsage } from "../spark/diagnosis/executorUsage.ts";
import type { DriverList } from "../spark/progress/driverQuery.ts";
import { proxiedRules, type ApiCall, type ApiClient } from "./apiRequest.ts";
import { ItemSplitter } from "./bytes/itemSplitter.ts";
import { fieldAt, parseJson } from "../base/json.ts";
import { pageCall, UnpagedLists, type ApiPodPages } from "./podPages.ts";
import { isJson } from "./readRefusal.ts";
import { BodyLost } from "../io/http/body.ts";

/** Size limit of one item in bytes. A driver describes an executor in about 2 KB, and a stage in 4 KB. */
const largestItem = 1 << 20;
/** Size limit of a whole response in bytes: a hostile driver could send items without end. */
const largestReport = 128 << 20;
/** Further rows are read but dropped. By default a driver retains 1,000 jobs and 1,000 stages. */
const maxRows = 2_000;

/** Spark drivers, reached through the API server's pod proxy. Requires the permission to get `pods/proxy`. */
export class ProxiedDrivers implements DriverApi {
  readonly #api: ApiClient;
  readonly #pages: ApiPodPages;
  readonly #executors = new UnpagedLists<Result<ReportedExecutors, ClusterError>>();
  readonly #rows = new UnpagedLists<Result<readonly unknown[], ClusterError>>();

  constructor(api: ApiClient, pages: ApiPodPages) {
    this.#api = api;
    this.#pages = pages;
  }

  async executors(
    driver: DriverAddress,
    signal: AbortSignal,
  ): Promise<Result<ReportedExecutors, ClusterError>> {
    const call = callOf(driver, `${rest(driver)}/allexecutors`);
    if (!call.ok) return call;
    const ask = (whole: AbortSignal): Promise<Result<ReportedExecutors, ClusterError>> =>
      this.#readExecutors(call.value, whole);
    return this.#executors.ask(call.value.path, ask, signal);
  }

  async #readExecutors(
    call: ApiCall,
    signal: AbortSignal,
  ): Promise<Result<ReportedExecutors, ClusterError>> {
    const registered = new Set<string>();
    const removed = new Map<string, string>();
    const excluded = new Set<string>();
    const activeTasks = new Map<string, number>();
    const usage = new Map<string, ExecutorUsage>();
    let totals = noTotals;
    const read = await this.#readItems(call, "list", signal, (json) => {
      totals = addToTotals(totals, json);
      const used = decodeReportedUsage(json);
      if (used !== undefined) usage.set(...used);
      const executor = decodeReported(json);
      if (executor === undefined) return;
      if (executor.isActive) registered.add(executor.id);
      else removed.set(executor.id, executor.reason);
      if (executor.isActive && executor.isExcluded) excluded.add(executor.id);
      if (executor.activeTasks > 0) activeTasks.set(executor.id, executor.activeTasks);
    });
    return read.ok ? ok({ registered, removed, excluded, activeTasks, usage, totals }) : read;
  }

  async rows<T>(
    driver: DriverAddress,
    { path, shape, decode }: DriverList<T>,
    signal: AbortSignal,
  ): Promise<Result<readonly T[], ClusterError>> {
    const call = callOf(driver, `${rest(driver)}/${path}`);
    if (!call.ok) return call;
    const ask = async (whole: AbortSignal): Promise<Result<readonly unknown[], ClusterError>> => {
      const items: T[] = [];
      const read = await this.#readItems(call.value, shape, whole, (json) => {
        const item = items.length < maxRows ? decode(json) : undefined;
        if (item !== undefined) items.push(item);
      });
      return read.ok ? ok(items) : read;
    };
    // The cast is safe, because callers with the same path pass the same `decode`.
    return this.#rows.ask(call.value.path, ask, signal) as Promise<
      Result<readonly T[], ClusterError>
    >;
  }

  /**
   * Parses one item at a time as the bytes arrive. Reads to the end even after invalid JSON, because a driver logs an
   * error with a stack trace if its response is not read.
   */
  async #readItems(
    call: ApiCall,
    shape: DriverList<unknown>["shape"],
    signal: AbortSignal,
    take: (json: unknown) => void,
  ): Promise<Result<void, ClusterError>> {
    const answer = await this.#api.open(gzipped(call), proxiedRules, signal);
    if (!answer.ok) return answer;
    const isReport = isJson(answer.value.contentType);
    const splitter = new ItemSplitter(largestItem);
    const takeItem = (item: Buffer): void => {
      const json = parseJson(item.toString("utf8"));
      if (json.ok) take(json.value);
    };
    // ItemSplitter expects a Kubernetes list, but Spark sends a bare array or object, so wrap it in `{"items":…}`.
    const [before, after] = shape === "list" ? ['{"items":', "}"] : ['{"items":[', "]}"];
    splitter.push(Buffer.from(before), takeItem);
    try {
      let bytes = 0;
      for await (const chunk of answer.value.chunks) {
        bytes += chunk.length;
        if (bytes > largestReport) return err(tooLong);
        if (isReport) splitter.push(chunk, takeItem);
      }
    } catch (error) {
      if (!(error instanceof BodyLost)) throw error;
      return err(this.#api.lossOf(error, call));
    }
    if (!isReport) return err(notFromSpark);
    splitter.push(Buffer.from(after), takeItem);
    const envelope = parseJson(splitter.takeEnvelope().toString());
    const isList = envelope.ok && Array.isArray(fieldAt(envelope.value, "items"));
    return isList && !splitter.isBroken ? ok(undefined) : err(notFromSpark);
  }

  async allocation(
    driver: DriverAddress,
    known: AllocationConf | undefined,
    signal: AbortSignal,
  ): Promise<Result<AllocationConf, ClusterError>> {
    if (known?.kind === "fixed") return ok(known);
    const environment = known ?? (await this.#read(driver, `${rest(driver)}/environment`, signal));
    if ("ok" in environment && !environment.ok) return environment;
    const conf = "ok" in environment ? decodeAllocation(environment.value) : environment;
    if (conf.kind === "fixed") return ok(conf);
    const metrics = await this.#read(driver, "/metrics/json/", signal);
    // The metrics servlet may be disabled; then the target number of executors is unknown.
    const target = metrics.ok ? targetIn(metrics.value) : undefined;
    return ok({ ...conf, target });
  }

  #read(
    { namespace, pod, port }: DriverAddress,
    path: string,
    signal: AbortSignal,
  ): Promise<Result<unknown, ClusterError>> {
    return this.#pages.read({ namespace, name: pod, port }, path, signal);
  }
}

const notFromSpark: ClusterError = {
  kind: "badResponse",
  status: undefined,
  detail: "the response is not from a Spark driver",
};

const tooLong: ClusterError = {
  ...notFromSpark,
  detail: `the list from the driver is larger than ${largestReport >> 20} MB`,
};

const rest = ({ applicationId }: DriverAddress): string =>
  `/api/v1/applications/${encodeURIComponent(applicationId)}`;

/** Requests gzip: Spark's JSON is indented, and gzip saves 65 to 97 %. Drivers support no other encoding. */
const gzipped = (call: ApiCall): ApiCall => ({ ...call, headers: { "accept-encoding": "gzip" } });

const callOf = (
  { namespace, pod, port }: DriverAddress,
  path: string,
): Result<ApiCall, ClusterError> => pageCall({ namespace, name: pod, port }, path);
