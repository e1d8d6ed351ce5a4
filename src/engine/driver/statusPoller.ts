import type { Disposable } from "../../base/disposable.ts";
import { steadyTime } from "../../base/steadyTime.ts";
import type { AllocationConf, DriverReport } from "../../spark/diagnosis/driverReport.ts";
import { mayBeKilledByProbe } from "../../spark/diagnosis/exits.ts";
import type { PodEventRecord } from "../../spark/diagnosis/podEventRecord.ts";
import { relatedObjects } from "../../spark/diagnosis/relatedObjects.ts";
import { isStarving } from "../../spark/diagnosis/starving.ts";
import type { Application, SparkPod } from "../../spark/pods/application.ts";
import { lastOf, sliceOf } from "../../spark/pods/ordered.ts";
import { defaultUiPort } from "../../spark/pods/decodePod.ts";
import { sparkIdOf } from "../../spark/pods/origin.ts";
import type { PodRecord } from "../../spark/pods/podRecord.ts";
import type { Log } from "../log.ts";
import type { Clock } from "../ports/clock.ts";
import type { Connection } from "../ports/connection.ts";
import type { DriverAddress } from "../ports/reports.ts";
import { start, type Running } from "../running.ts";
import { isExplainedByEvents } from "./explainedByEvents.ts";
import { withinTime } from "../withinTime.ts";

interface StatusPollerOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly find: (key: string) => Application | undefined;
  /** Called with the keys of applications whose report or events changed. */
  readonly changed: (keys: ReadonlySet<string>) => void;
  /** Called with each report. */
  readonly reported?: (key: string, report: DriverReport) => void;
}

type StatusPorts = Pick<Connection, "drivers" | "podEvents" | "rights" | "now">;

const tickMs = 2_000;
const maxApplications = 20;
// Maximum number of concurrent requests. A driver may accept a connection and never respond; the others are polled
// meanwhile.
const maxAtOnce = 4;
const patienceMs = 5_000;
// Maximum number of executors per unhealthy state whose events are read. Pods that fail for the same reason have the
// same events.
const maxPodsPerState = 3;
const maxPodsExamined = 100;
const firstEventsMs = 5_000;
const maxPauseMs = 300_000;
const busyReportMs = 5_000;
const calmReportMs = 20_000;
const slowReportMs = 60_000;
const youngMs = 180_000;
// Permissions change rarely; same interval as for the operators' resource kinds.
const lookAgainMs = 600_000;

/**
 * Polls data that no watch delivers, for visible applications only: the executors that their drivers
 * report, and the events of unhealthy pods. A forbidden request is retried after 10 min; other
 * failures back off. Without visible applications it sends nothing.
 */
export class StatusPoller implements Disposable {
  readonly #connection: StatusPorts;
  readonly #options: StatusPollerOptions;
  readonly #time: () => number;
  readonly #reports = new Map<string, Entry<DriverReport>>();
  readonly #events = new Map<string, Entry<readonly PodEventRecord[]>>();
  /** Cached permission to `get pods/proxy`, by namespace, and its expiry. */
  readonly #mayAsk = new Map<string, { readonly may: boolean; readonly until: number }>();
  #shown: readonly string[] = [];
  #close: ReadonlySet<string> = new Set();
  #running: Running | undefined;

  constructor(connection: StatusPorts, options: StatusPollerOptions) {
    this.#connection = connection;
    this.#options = options;
    this.#time = steadyTime(options.clock);
  }

  /**
   * Replaces the set of visible applications; an empty set stops polling. `close` contains the keys of applications
   * whose drivers are polled frequently even without changes.
   */
  look(keys: Iterable<string>, close: ReadonlySet<string> = new Set()): void {
    this.#close = close;
    this.#shown = [...keys].slice(0, maxApplications);
    for (const key of this.#reports.keys()) {
      if (this.#options.find(key) === undefined) this.#reports.delete(key);
    }
    if (this.#shown.length === 0) {
      this.#running?.dispose();
      this.#running = undefined;
      this.#events.clear();
    } else if (this.#running === undefined) {
      this.#running = start((signal) => this.#run(signal));
      this.#running.done.catch(this.#options.log.error);
    }
  }

  /** Makes all requests due at the next tick, including refused and failed ones. */
  wake(): void {
    this.#mayAsk.clear();
    for (const entry of [...this.#reports.values(), ...this.#events.values()]) {
      Object.assign(entry, dueAtOnce);
    }
  }

  /** Polls a driver again on the next tick. Has no effect before its first report. */
  askSoon(key: string): void {
    const entry = this.#reports.get(key);
    if (entry?.value !== undefined) entry.nextAt = -Infinity;
  }

  reportOf(key: string): DriverReport | undefined {
    return this.#reports.get(key)?.value;
  }

  /** True if the user may `get pods/proxy` in a namespace; undefined until it is known. */
  mayReadDrivers(namespace: string): boolean | undefined {
    return this.#mayAsk.get(namespace)?.may;
  }

  eventsOf(uid: string): readonly PodEventRecord[] {
    return this.#events.get(uid)?.value ?? [];
  }

  dispose(): void {
    this.#running?.dispose();
  }

  async #run(signal: AbortSignal): Promise<void> {
    for (;;) {
      const unhealthy = new Set<string>();
      const rights: Rights = new Map();
      const ofPods: Question = (one) => this.#askNotices(one, unhealthy, signal);
      const ofDriver: Question = (one) => this.#askDriver(one, rights, signal);
      const questions = [ofPods, ofDriver].flatMap((ask) =>
        this.#shown.map((key) => ({ key, ask })),
      );
      await severalAtOnce(questions, async ({ key, ask }) => {
        const application = this.#options.find(key);
        const isNews = application !== undefined && (await ask(application));
        signal.throwIfAborted();
        if (isNews) this.#options.changed(new Set([key]));
      });
      for (const uid of this.#events.keys()) if (!unhealthy.has(uid)) this.#events.delete(uid);
      await this.#options.clock.sleep(tickMs, signal);
    }
  }

  /** Runs a request. Returns undefined after 5 s without a response. */
  #inTime<T>(
    ask: (signal: AbortSignal) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T | undefined> {
    return withinTime(ask, { clock: this.#options.clock, ms: patienceMs }, signal);
  }

  async #askDriver(
    application: Application,
    rights: Rights,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { key, driver, counts, createdAt } = application;
    const address = driverAddressOf(application);
    const mayRun = driver === undefined || driver.state.kind === "running";
    if (!mayRun || address === undefined) return this.#reports.delete(key);
    const entry = this.#reports.get(key) ?? freshEntry<DriverReport>();
    this.#reports.set(key, entry);
    if (this.#time() < entry.nextAt) return false;
    if (!(await this.#isAllowed(address.namespace, rights, signal))) return false;
    const startedAt = this.#time();
    const report = await this.#report(address, entry.value?.allocation, signal);
    if (report === "late") {
      // Keep the last report until the driver responds, so that the executor count does not flicker.
      entry.nextAt = this.#time() + busyReportMs;
      return false;
    }
    if (report === undefined) {
      // Retry a young driver soon: it starts to listen some time after its pod is running.
      const startTime = Date.parse(driver?.pod.startTime ?? createdAt);
      const isYoung = this.#connection.now() - startTime < youngMs;
      return fail(entry, this.#time(), isYoung ? busyReportMs : maxPauseMs);
    }
    const calm =
      !this.#close.has(key) && counts.pending === 0 && report.registered.size === counts.running;
    // Poll a slow driver less often. Ignore the first response time, because it includes the start-up of the driver.
    const tookMs = entry.value === undefined ? 0 : this.#time() - startedAt;
    const pause = Math.max(calm ? calmReportMs : busyReportMs, Math.min(10 * tookMs, slowReportMs));
    const isNews = !isSameReport(entry.value, report);
    succeed(entry, report, this.#time() + pause);
    this.#options.reported?.(key, report);
    return isNews;
  }

  async #report(
    address: DriverAddress,
    known: AllocationConf | undefined,
    signal: AbortSignal,
  ): Promise<DriverReport | "late" | undefined> {
    const { drivers } = this.#connection;
    const executors = await this.#inTime((inTime) => drivers.executors(address, inTime), signal);
    if (executors === undefined) return "late";
    if (!executors.ok) {
      this.#options.log.debug(`driver ${address.pod}: ${executors.error.detail}`);
      if (executors.error.kind === "forbidden") this.#learnRight(address.namespace, false);
      return undefined;
    }
    const allocation = await this.#inTime(
      (inTime) => drivers.allocation(address, known, inTime),
      signal,
    );
    const isKnown = allocation?.ok === true;
    const { registered, removed, excluded, usage, totals } = executors.value;
    const ids = {
      ...{ registered, removed },
      ...(excluded && { excluded }),
      ...(usage && { usage }),
      ...(totals && { totals }),
    };
    const readAt = this.#connection.now();
    return { readAt, ...ids, allocation: isKnown ? allocation.value : known };
  }

  async #isAllowed(namespace: string, rights: Rights, signal: AbortSignal): Promise<boolean> {
    const known = this.#mayAsk.get(namespace);
    if (known !== undefined && this.#time() < known.until) return known.may;
    const right = rights.get(namespace) ?? this.#askRight(namespace, signal);
    rights.set(namespace, right);
    return right;
  }

  async #askRight(namespace: string, signal: AbortSignal): Promise<boolean> {
    const right = { verb: "get", group: "", resource: "pods/proxy", namespace, subject: undefined };
    const can = await this.#inTime((inTime) => this.#connection.rights.can(right, inTime), signal);
    if (can === undefined) return false;
    // If access reviews are forbidden, try the request; a refusal shows that permission is missing.
    const may = can.ok ? can.value : can.error.kind === "forbidden";
    if (can.ok || may) this.#learnRight(namespace, may);
    return may;
  }

  // A grant does not expire, because a refused request later corrects it.
  #learnRight(namespace: string, may: boolean): void {
    this.#mayAsk.set(namespace, { may, until: may ? Infinity : this.#time() + lookAgainMs });
  }

  async #askNotices(
    application: Application,
    unhealthy: Set<string>,
    signal: AbortSignal,
  ): Promise<boolean> {
    let isNews = false;
    const facts = { report: this.reportOf(application.key), now: this.#connection.now() };
    for (const one of unhealthyPods(application, facts)) {
      const { pod } = one;
      unhealthy.add(pod.uid);
      const entry = this.#events.get(pod.uid) ?? freshEntry<readonly PodEventRecord[]>();
      this.#events.set(pod.uid, entry);
      const now = this.#time();
      const age = this.#connection.now() - Date.parse(pod.creationTimestamp);
      if (age < firstEventsMs || now < entry.nextAt) continue;
      const related = relatedObjects(application, one, facts);
      const events = await this.#inTime(
        (inTime) => this.#connection.podEvents.eventsOf(pod, related, inTime),
        signal,
      );
      if (events?.ok !== true) {
        fail(entry, now, maxPauseMs);
        if (events?.error.kind === "forbidden") entry.nextAt = now + lookAgainMs;
        continue;
      }
      isNews ||= (entry.value ?? [])[0]?.lastAt !== events.value[0]?.lastAt;
      entry.pauseMs = Math.min(maxPauseMs, entry.pauseMs * 2);
      entry.value = events.value;
      entry.nextAt = now + entry.pauseMs;
    }
    return isNews;
  }
}

/** Sends the due requests about one application. Resolves to true if a result changed. */
type Question = (application: Application) => Promise<boolean>;

/** Access reviews in flight, by namespace. */
type Rights = Map<string, Promise<boolean>>;

async function severalAtOnce<T>(
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  const waiting = items.values();
  const one = async (): Promise<void> => {
    for (const item of waiting) await work(item);
  };
  await Promise.all(Array.from({ length: maxAtOnce }, one));
}

interface Entry<T> {
  value: T | undefined;
  nextAt: number;
  pauseMs: number;
}

const dueAtOnce = { nextAt: -Infinity, pauseMs: 5_000 };

const freshEntry = <T>(): Entry<T> => ({ value: undefined, ...dueAtOnce });

function succeed<T>(entry: Entry<T>, value: T, nextAt: number): void {
  entry.value = value;
  entry.nextAt = nextAt;
  entry.pauseMs = busyReportMs;
}

function fail(entry: Entry<unknown>, now: number, maxMs: number): boolean {
  const hadValue = entry.value !== undefined;
  entry.value = undefined;
  entry.nextAt = now + entry.pauseMs;
  entry.pauseMs = Math.min(maxMs, entry.pauseMs * 2);
  return hadValue;
}

/** Returns the address of the driver's REST API. Undefined if the driver's pod or the application id is unknown. */
export function driverAddressOf(application: Application): DriverAddress | undefined {
  const { driver, live, namespace, state } = application;
  const pod = driver?.pod;
  const applicationId = (pod && sparkIdOf(pod)) ?? sliceOf(live, 0, 1).map(idIn)[0];
  if (applicationId === undefined) return undefined;
  if (pod?.driving !== undefined) {
    return { namespace, pod: pod.name, port: pod.driving.uiPort, applicationId };
  }
  // The driver may run in another pod, such as a notebook. The request contains the application id, so the UI of
  // another application returns 404.
  const owner = state.kind === "driverElsewhere" ? state.owner : undefined;
  return owner === undefined
    ? undefined
    : { namespace, pod: owner, port: defaultUiPort, applicationId };
}

const idIn = ({ pod }: { readonly pod: PodRecord }): string | undefined => sparkIdOf(pod);

/**
 * Returns the unhealthy pods, whose events are read: the driver, and the newest three executors of each unhealthy
 * state. Also unhealthy: a running executor with a volume claim that may have to grow, a running driver that lacks
 * executors, and the last failed executor if a probe may have killed it.
 */
function unhealthyPods(
  application: Application,
  { report, now }: { readonly report: DriverReport | undefined; readonly now: number },
): readonly SparkPod[] {
  const { driver, live, ended, past } = application;
  const isUnhealthy =
    driver !== undefined &&
    (isExplainedByEvents(driver.state) ||
      mayBeKilledByProbe(driver) ||
      isStarving(application, report, now));
  const found: SparkPod[] = isUnhealthy ? [driver] : [];
  const failed = past.lastFailed ?? lastOf(ended);
  if (failed !== undefined && mayBeKilledByProbe(failed)) found.push(failed);
  const byKind = new Map<string, number>();
  for (const one of sliceOf(live, live.size - maxPodsExamined, live.size).toReversed()) {
    const { pod, state } = one;
    if (!isExplainedByEvents(state) && (state.kind !== "running" || !pod.claims)) continue;
    const count = (byKind.get(state.kind) ?? 0) + 1;
    byKind.set(state.kind, count);
    if (count <= maxPodsPerState) found.push(one);
  }
  return found;
}

function isSameReport(before: DriverReport | undefined, after: DriverReport): boolean {
  if (before === undefined || before.registered.size !== after.registered.size) return false;
  if (before.removed.size !== after.removed.size) return false;
  for (const id of after.registered) if (!before.registered.has(id)) return false;
  if ((before.excluded?.size ?? 0) !== (after.excluded?.size ?? 0)) return false;
  for (const id of after.excluded ?? []) if (before.excluded?.has(id) !== true) return false;
  return JSON.stringify(before.allocation) === JSON.stringify(after.allocation);
}
