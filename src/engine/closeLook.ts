import type { Disposable } from "../base/disposable.ts";
import type { AllocationConf, DriverReport } from "../spark/diagnosis/driverReport.ts";
import type { PodNotice } from "../spark/diagnosis/podNotice.ts";
import type { Application } from "../spark/pods/application.ts";
import { sliceOf } from "../spark/pods/ordered.ts";
import { sparkIdOf } from "../spark/pods/origin.ts";
import type { PodRecord } from "../spark/pods/podRecord.ts";
import { isUnwell } from "./unwell.ts";
import type { Log } from "./log.ts";
import type { Clock, Connection, DriverAddress } from "./ports.ts";
import { start, type Running } from "./running.ts";

export interface CloseLookOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly find: (key: string) => Application | undefined;
  /** Keys of the applications of which more is known than before. */
  readonly changed: (keys: ReadonlySet<string>) => void;
}

type Asked = Pick<Connection, "drivers" | "notices" | "rights">;

const tickMs = 2_000;
const mostApplications = 20;
// A pod that is not well for the same reason as its neighbors has the same notices.
const mostPodsOfAKind = 3;
const mostPodsLookedAt = 100;
const firstNoticesMs = 5_000;
const longestPauseMs = 300_000;
const busyReportMs = 5_000;
const calmReportMs = 20_000;
const slowReportMs = 60_000;
const youngMs = 180_000;

/**
 * Asks for what the watch does not tell, and only about applications that somebody looks at: what their
 * drivers say of their executors, and what the cluster has noted of pods that are not well. What is refused
 * once is not asked again; what fails is asked ever more rarely. When nobody looks nothing is sent.
 */
export class CloseLook implements Disposable {
  readonly #connection: Asked;
  readonly #options: CloseLookOptions;
  readonly #reports = new Map<string, Entry<DriverReport>>();
  readonly #notices = new Map<string, Entry<readonly PodNotice[]>>();
  /** Whether drivers may be asked, by namespace. */
  readonly #mayAsk = new Map<string, boolean>();
  #shown: readonly string[] = [];
  #running: Running | undefined;

  constructor(connection: Asked, options: CloseLookOptions) {
    this.#connection = connection;
    this.#options = options;
  }

  /** From now on these are looked at; none: nobody looks. */
  look(keys: Iterable<string>): void {
    this.#shown = [...keys].slice(0, mostApplications);
    for (const key of this.#reports.keys()) {
      if (this.#options.find(key) === undefined) this.#reports.delete(key);
    }
    if (this.#shown.length === 0) {
      this.#running?.dispose();
      this.#running = undefined;
      this.#notices.clear();
    } else if (this.#running === undefined) {
      this.#running = start((signal) => this.#run(signal));
      this.#running.done.catch(this.#options.log.error);
    }
  }

  reportOf(key: string): DriverReport | undefined {
    return this.#reports.get(key)?.value;
  }

  noticesOf(uid: string): readonly PodNotice[] {
    return this.#notices.get(uid)?.value ?? [];
  }

  dispose(): void {
    this.#running?.dispose();
  }

  async #run(signal: AbortSignal): Promise<void> {
    for (;;) {
      const changed = new Set<string>();
      const unwell = new Set<string>();
      for (const key of this.#shown) {
        const application = this.#options.find(key);
        if (application === undefined) continue;
        const news = [
          await this.#askDriver(application, signal),
          await this.#askNotices(application, unwell, signal),
        ];
        signal.throwIfAborted();
        if (news.includes(true)) changed.add(key);
      }
      for (const uid of this.#notices.keys()) if (!unwell.has(uid)) this.#notices.delete(uid);
      if (changed.size > 0) this.#options.changed(changed);
      await this.#options.clock.sleep(tickMs, signal);
    }
  }

  async #askDriver(application: Application, signal: AbortSignal): Promise<boolean> {
    const { key, driver, counts } = application;
    const address = addressOf(application);
    if (driver?.state.kind !== "running" || address === undefined) {
      return this.#reports.delete(key);
    }
    const entry = this.#reports.get(key) ?? freshEntry<DriverReport>();
    this.#reports.set(key, entry);
    const { clock } = this.#options;
    const startedAt = clock.now();
    if (startedAt < entry.nextAt || !(await this.#isAllowed(address.namespace, signal))) {
      return false;
    }
    const report = await this.#report(address, entry.value?.allocation, signal);
    if (report === undefined) {
      // A driver begins to listen some time after its pod runs.
      const age = clock.now() - Date.parse(driver.pod.startTime ?? driver.pod.creationTimestamp);
      return fail(entry, clock.now(), age < youngMs ? busyReportMs : longestPauseMs);
    }
    const calm = counts.pending === 0 && report.registered.size === counts.running;
    // What takes the driver long is asked rarely.
    const tookMs = clock.now() - startedAt;
    const pause = Math.max(calm ? calmReportMs : busyReportMs, Math.min(10 * tookMs, slowReportMs));
    const isNews = !isSameReport(entry.value, report);
    succeed(entry, report, clock.now() + pause);
    return isNews;
  }

  async #report(
    address: DriverAddress,
    known: AllocationConf | undefined,
    signal: AbortSignal,
  ): Promise<DriverReport | undefined> {
    const { drivers } = this.#connection;
    const executors = await drivers.executors(address, signal);
    if (!executors.ok) {
      this.#options.log.debug(`driver ${address.pod}: ${executors.error.detail}`);
      if (executors.error.kind === "forbidden") this.#mayAsk.set(address.namespace, false);
      return undefined;
    }
    const allocation = await drivers.allocation(address, known, signal);
    return { ...executors.value, allocation: allocation.ok ? allocation.value : known };
  }

  async #isAllowed(namespace: string, signal: AbortSignal): Promise<boolean> {
    const known = this.#mayAsk.get(namespace);
    if (known !== undefined) return known;
    const right = { verb: "get", group: "", resource: "pods/proxy", namespace, subject: undefined };
    const can = await this.#connection.rights.can(right, signal);
    // Who cannot be told of rights tries, and is told by the refusal.
    const may = can.ok ? can.value : can.error.kind === "forbidden";
    if (can.ok || may) this.#mayAsk.set(namespace, may);
    return may;
  }

  async #askNotices(
    application: Application,
    unwell: Set<string>,
    signal: AbortSignal,
  ): Promise<boolean> {
    let isNews = false;
    for (const pod of unwellPods(application)) {
      unwell.add(pod.uid);
      const entry = this.#notices.get(pod.uid) ?? freshEntry<readonly PodNotice[]>();
      this.#notices.set(pod.uid, entry);
      const now = this.#options.clock.now();
      const isYoung = now - Date.parse(pod.creationTimestamp) < firstNoticesMs;
      if (isYoung || now < entry.nextAt) continue;
      const notices = await this.#connection.notices.noticesOf(pod, signal);
      if (!notices.ok) {
        fail(entry, now, longestPauseMs);
        if (notices.error.kind === "forbidden") entry.nextAt = Infinity;
        continue;
      }
      isNews ||= (entry.value ?? [])[0]?.lastAt !== notices.value[0]?.lastAt;
      entry.pauseMs = Math.min(longestPauseMs, entry.pauseMs * 2);
      entry.value = notices.value;
      entry.nextAt = now + entry.pauseMs;
    }
    return isNews;
  }
}

interface Entry<T> {
  value: T | undefined;
  nextAt: number;
  pauseMs: number;
}

const freshEntry = <T>(): Entry<T> => ({ value: undefined, nextAt: -Infinity, pauseMs: 5_000 });

function succeed<T>(entry: Entry<T>, value: T, nextAt: number): void {
  entry.value = value;
  entry.nextAt = nextAt;
  entry.pauseMs = busyReportMs;
}

function fail(entry: Entry<unknown>, now: number, longestMs: number): boolean {
  const hadValue = entry.value !== undefined;
  entry.value = undefined;
  entry.nextAt = now + entry.pauseMs;
  entry.pauseMs = Math.min(longestMs, entry.pauseMs * 2);
  return hadValue;
}

function addressOf(application: Application): DriverAddress | undefined {
  const { driver, live, namespace } = application;
  const pod = driver?.pod;
  const applicationId = (pod && sparkIdOf(pod)) ?? sliceOf(live, 0, 1).map(idIn)[0];
  if (pod?.driving === undefined || applicationId === undefined) return undefined;
  return { namespace, pod: pod.name, port: pod.driving.uiPort, applicationId };
}

const idIn = ({ pod }: { readonly pod: PodRecord }): string | undefined => sparkIdOf(pod);

/** The driver, and some executors of each way of not being well: the newest, as the older stand for theirs. */
function unwellPods({ driver, live }: Application): readonly PodRecord[] {
  const found = driver !== undefined && isUnwell(driver.state) ? [driver.pod] : [];
  const byKind = new Map<string, number>();
  for (const { pod, state } of sliceOf(
    live,
    live.size - mostPodsLookedAt,
    live.size,
  ).toReversed()) {
    if (!isUnwell(state)) continue;
    const count = (byKind.get(state.kind) ?? 0) + 1;
    byKind.set(state.kind, count);
    if (count <= mostPodsOfAKind) found.push(pod);
  }
  return found;
}

function isSameReport(before: DriverReport | undefined, after: DriverReport): boolean {
  if (before === undefined || before.registered.size !== after.registered.size) return false;
  if (before.removed.size !== after.removed.size) return false;
  for (const id of after.registered) if (!before.registered.has(id)) return false;
  return JSON.stringify(before.allocation) === JSON.stringify(after.allocation);
}
