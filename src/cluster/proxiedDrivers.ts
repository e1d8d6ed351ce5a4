import { err, ok, type Result } from "../base/result.ts";
import type { ClusterError } from "../engine/clusterError.ts";
import type { DriverAddress, DriverApi } from "../engine/ports.ts";
import {
  decodeAllocation,
  decodeReported,
  targetIn,
  type AllocationConf,
  type ReportedExecutors,
} from "../spark/diagnosis/driverReport.ts";
import { headersMs, type AnswerRules, type ApiCall, type ApiClient } from "./apiRequest.ts";
import { ItemSplitter } from "./bytes/itemSplitter.ts";
import { fieldOf, parseJson } from "./json.ts";
import { pageCall } from "./podPages.ts";
import { isJson } from "./readRefusal.ts";
import { BodyLost } from "./transport/body.ts";

const rules: AnswerRules = { channel: "api", headersMs, silenceMs: 30_000, wholeMs: 60_000 };

/** What a driver says of one executor has some 2 KB. */
const largestExecutor = 1 << 20;

/** Drivers by way of the API server: it passes a request on to a port of a pod, for who may get `pods/proxy`. */
export class ProxiedDrivers implements DriverApi {
  readonly #api: ApiClient;

  constructor(api: ApiClient) {
    this.#api = api;
  }

  // One executor at a time while the bytes arrive: a driver may have ten thousand.
  async executors(
    driver: DriverAddress,
    signal: AbortSignal,
  ): Promise<Result<ReportedExecutors, ClusterError>> {
    const call = callOf(driver, `${rest(driver)}/allexecutors`);
    if (!call.ok) return call;
    const answer = await this.#api.open(call.value, rules, signal);
    if (!answer.ok) return answer;
    if (!isJson(answer.value.contentType)) {
      answer.value.close();
      return err(notFromSpark);
    }
    const registered = new Set<string>();
    const removed = new Map<string, string>();
    const activeTasks = new Map<string, number>();
    const take = (item: Buffer): void => {
      const json = parseJson(item.toString("utf8"));
      const executor = json.ok ? decodeReported(json.value) : undefined;
      if (executor === undefined) return;
      if (executor.isActive) registered.add(executor.id);
      else removed.set(executor.id, executor.reason);
      if (executor.activeTasks > 0) activeTasks.set(executor.id, executor.activeTasks);
    };
    const splitter = new ItemSplitter(largestExecutor);
    // The splitter reads lists of Kubernetes; this one comes without anything around it.
    splitter.push(Buffer.from('{"items":'), take);
    try {
      for await (const chunk of answer.value.chunks) splitter.push(chunk, take);
    } catch (error) {
      if (!(error instanceof BodyLost)) throw error;
      return err(this.#api.lossOf(error, call.value));
    }
    splitter.push(Buffer.from("}"), take);
    const envelope = parseJson(splitter.takeEnvelope().toString());
    const isList = envelope.ok && Array.isArray(fieldOf(envelope.value, "items"));
    return isList && !splitter.isBroken
      ? ok({ registered, removed, activeTasks })
      : err(notFromSpark);
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
    // The servlet of the metrics can be switched off: then nobody tells the target.
    const target = metrics.ok ? targetIn(metrics.value) : undefined;
    return ok({ ...conf, target });
  }

  async #read(
    driver: DriverAddress,
    path: string,
    signal: AbortSignal,
  ): Promise<Result<unknown, ClusterError>> {
    const call = callOf(driver, path);
    return call.ok ? this.#api.request(call.value, signal) : call;
  }
}

const notFromSpark: ClusterError = {
  kind: "badResponse",
  status: undefined,
  detail: "the answer is not that of a Spark driver",
};

const rest = ({ applicationId }: DriverAddress): string =>
  `/api/v1/applications/${encodeURIComponent(applicationId)}`;

const callOf = (
  { namespace, pod, port }: DriverAddress,
  path: string,
): Result<ApiCall, ClusterError> => pageCall({ namespace, name: pod, port }, path);
