import type { Memento } from "vscode";
import { msg } from "../../base/message.ts";
import { disposable, type Disposable } from "../../base/disposable.ts";
import { containerUpdates } from "../../engine/logs/containerState.ts";
import {
  keepApplication,
  type KeepFailure,
  type LogToKeep,
  type SeenApplication,
} from "../../engine/logs/keepApplication.ts";
import { keepFailedLogs, type FailedLog } from "../../engine/logs/keepFailed.ts";
import { keepLog, type KeepOptions } from "../../engine/logs/keepLog.ts";
import type { Connection } from "../../engine/ports/connection.ts";
import type { KeptLogName, KeptLogs } from "../../engine/ports/logs.ts";
import { start, type Running } from "../../engine/running.ts";
import type { TailEnd } from "../../engine/logs/tail.ts";
import { hasTargetEnded } from "../../spark/logs/targets.ts";
import type { Application } from "../../spark/pods/application.ts";
import { keptMarksKey, keptToldKey, settings, settingsSection } from "../ids.ts";
import { storedList } from "../stored.ts";
import { allLogsOf, boundedLogsOf, followedTargetOf, type LogPod } from "./followed.ts";
import { isKeptMark, markOf, nameOfMark, markedStateOf, type KeptMark } from "./keptMark.ts";
import type { LogsContext } from "./logsContext.ts";
import { SessionLogs } from "./sessionLogs.ts";
import { noticeWords } from "./noticeWords.ts";

/** An application whose logs are being saved because it is followed or marked. */
interface Kept {
  readonly keeping: Running;
  followers: number;
}

/** Saves the logs of marked and followed applications, and the last lines of failed pods. */
export class Keeper implements Disposable {
  readonly #context: LogsContext;
  readonly #store: KeptLogs;
  readonly #memory: Memento;
  readonly #kept = new Map<string, Kept>();
  readonly #failed: ReturnType<typeof keepFailedLogs>;

  constructor(context: LogsContext, store: KeptLogs, memory: Memento) {
    this.#context = context;
    this.#store = store;
    this.#memory = memory;
    this.#failed = keepFailedLogs({
      openWriter: (log) => store.openWriter(log.context, log.applicationId),
      clock: context.clock,
      kept: () => {
        this.#tellOnce();
      },
      failed: context.log.error,
    });
    this.#failed.done.catch(context.log.error);
    for (const mark of this.#marks) this.#keep(mark);
  }

  /** Saves the last log lines of failed pods. */
  keepFailed(pods: readonly LogPod[]): void {
    this.#failed.add(pods.flatMap((one) => this.#failedLog(one) ?? []));
  }

  get #marks(): readonly KeptMark[] {
    return storedList(this.#memory, keptMarksKey).filter(isKeptMark);
  }

  /**
   * Saves the logs of the given applications until disposal. Calls `applications` again after each change, so that new
   * applications are included. The log of an application that has ended is still saved to its end.
   */
  follow(applications: () => readonly Application[]): Disposable {
    const { session } = this.#context;
    const joined = new Map<string, KeptMark>();
    const check = (): void => {
      for (const application of applications()) {
        const mark = markOf(session.state, application);
        if (mark === undefined || joined.has(nameOfMark(mark))) continue;
        joined.set(nameOfMark(mark), mark);
        this.#keep(mark).followers += 1;
        this.#tellOnce();
      }
    };
    check();
    const looking = session.onDidChange(check);
    return disposable(() => {
      looking.dispose();
      for (const mark of joined.values()) this.#unfollow(mark);
    });
  }

  /**
   * Marks the applications and starts to save their logs. For those with a mark, shows a notification with a button
   * that removes their marks.
   */
  async turn(applications: readonly Application[]): Promise<void> {
    const { screen } = this.#context;
    const marked: KeptMark[] = [];
    for (const application of applications) {
      const mark = markOf(this.#context.session.state, application);
      if (mark === undefined) continue;
      if (this.#isMarked(mark)) {
        marked.push(mark);
        continue;
      }
      await this.#memory.update(keptMarksKey, [...this.#marks, mark]);
      this.#keep(mark);
      void screen.showInformationMessage(
        msg`The logs of "${mark.name}" are saved on this machine. Use Open Kept Log to show them.`,
      );
    }
    if (marked.length === 0) return;
    const stop = msg("Stop Saving");
    const names = marked.map(({ name }) => `"${name}"`).join(", ");
    const asked = msg`The logs of ${names} are already being saved.`;
    if ((await screen.showInformationMessage(asked, stop)) !== stop) return;
    for (const mark of marked) {
      await this.#unmark(mark);
      if (this.#kept.get(nameOfMark(mark))?.followers === 0) this.#stop(mark);
      screen.say(msg`The logs of "${mark.name}" are no longer saved`);
    }
  }

  dispose(): void {
    this.#failed.dispose();
    for (const { keeping } of this.#kept.values()) keeping.dispose();
  }

  #isMarked(mark: KeptMark): boolean {
    return this.#marks.some((one) => nameOfMark(one) === nameOfMark(mark));
  }

  async #unmark(mark: KeptMark): Promise<void> {
    const rest = this.#marks.filter((one) => nameOfMark(one) !== nameOfMark(mark));
    if (rest.length < this.#marks.length) await this.#memory.update(keptMarksKey, rest);
  }

  #unfollow(mark: KeptMark): void {
    const kept = this.#kept.get(nameOfMark(mark));
    // After the application has ended, continue until its log is saved to the end.
    if (kept === undefined || markedStateOf(this.#context.session.state, mark)?.isOver === true)
      return;
    kept.followers -= 1;
    if (!this.#isWanted(mark)) this.#stop(mark);
  }

  /** True if the application is still followed or marked. Reads the stored marks, which other windows may change. */
  #isWanted(mark: KeptMark): boolean {
    const followers = this.#kept.get(nameOfMark(mark))?.followers ?? 0;
    return followers > 0 || this.#isMarked(mark);
  }

  #stop(mark: KeptMark): void {
    this.#kept.get(nameOfMark(mark))?.keeping.dispose();
    this.#kept.delete(nameOfMark(mark));
  }

  #keep(mark: KeptMark): Kept {
    const known = this.#kept.get(nameOfMark(mark));
    if (known) return known;
    const { session, clock, log } = this.#context;
    session.start();
    const keeping = keepApplication({
      see: () => this.#see(mark),
      onDidChange: (onChange) => session.onDidChange(onChange),
      isWanted: () => this.#isWanted(mark),
      openWriter: () => this.#store.openWriter(mark.context, mark.id),
      clock,
      failed: (why) => {
        this.#tell(mark, why).catch(log.error);
      },
      finished: () => {
        this.#kept.delete(nameOfMark(mark));
        this.#unmark(mark).catch(log.error);
      },
    });
    keeping.done.catch(log.error);
    const kept: Kept = { keeping, followers: 0 };
    this.#kept.set(nameOfMark(mark), kept);
    return kept;
  }

  async #tell({ name }: KeptMark, why: KeepFailure): Promise<void> {
    const { screen, log } = this.#context;
    const task = msg`The logs of "${name}" are currently not saved`;
    if (why.kind === "cluster") await screen.showClusterError(task, why.error, log);
    else {
      log.error(why.error);
      void screen.showWarningMessage(msg`${task}: ${wordsOf(why.error)}`);
    }
  }

  #see(mark: KeptMark): SeenApplication | undefined {
    const seen = markedStateOf(this.#context.session.state, mark);
    if (seen === undefined) return undefined;
    const logsOf = this.#isMarked(mark) ? allLogsOf : boundedLogsOf;
    const all = seen.application ? logsOf(seen.application) : [];
    const logs = all.map((one): LogToKeep => {
      const { uid, container } = followedTargetOf(one);
      return {
        id: `${uid}/${container ?? ""}`,
        hasEnded: hasTargetEnded(one.pod.pod, followedTargetOf(one)),
        keep: (writer, ended) =>
          start((signal) => this.#connectAndKeep(mark, one, writer, ended, signal)),
      };
    });
    return { logs, isOver: seen.isOver };
  }

  async #connectAndKeep(
    mark: KeptMark,
    one: LogPod,
    writer: KeepOptions["writer"],
    ended: (end: TailEnd) => void,
    signal: AbortSignal,
  ): Promise<void> {
    const connected = await this.#context.session.connectTo(one.application.key, signal);
    signal.throwIfAborted();
    if (!connected.ok) {
      ended({ kind: "failed", error: connected.error });
      return;
    }
    // The window may have switched to another context while it connected.
    if (connected.value.context !== mark.context) return;
    const keeping = this.#keepLog(one, connected.value, writer, ended);
    const stop = (): void => {
      keeping.dispose();
    };
    signal.addEventListener("abort", stop);
    await keeping.done;
    signal.removeEventListener("abort", stop);
  }

  /**
   * Returns the failed log to save. Undefined while its application is marked or followed, or without a watch or
   * connection.
   */
  #failedLog(one: LogPod): FailedLog | undefined {
    const { session } = this.#context;
    const mark = markOf(session.state, one.application);
    const connection = session.connectionOf(one.application.key);
    if (mark === undefined || connection === undefined) return undefined;
    if (this.#kept.has(nameOfMark(mark))) return undefined;
    return {
      name: keptNameOf(this.#context, one, connection),
      read: (signal) => session.failedLogOf(one.application.key, one.pod, signal),
    };
  }

  /** Shows a notification that logs are saved, once per machine, with a button that opens the setting. */
  #tellOnce(): void {
    if (this.#memory.get(keptToldKey) === true) return;
    const tell = async (): Promise<void> => {
      await this.#memory.update(keptToldKey, true);
      const { screen, keptLogLimits } = this.#context;
      const { bytes, ageMs } = keptLogLimits();
      const change = msg("Change Setting");
      const said = msg`Logs of followed runs and the last lines of failed pods are kept on this machine, with secrets redacted: for ${ageMs / 86_400_000} days, at most ${bytes / 2 ** 20} MB.`;
      if ((await screen.showInformationMessage(said, change)) !== change) return;
      const setting = `${settingsSection}.${settings.keepLogs}`;
      await screen.runCommand("workbench.action.openSettings", setting);
    };
    tell().catch(this.#context.log.error);
  }

  #keepLog(
    one: LogPod,
    connection: Connection,
    writer: KeepOptions["writer"],
    ended: (end: TailEnd) => void,
  ): Running {
    const { session, screen, clock, random } = this.#context;
    const target = followedTargetOf(one);
    return keepLog(keptNameOf(this.#context, one, connection), target, {
      logs: new SessionLogs(session, one.application.key, connection, "hidden"),
      clock,
      random,
      writer,
      news: containerUpdates(session.podsOf(one.application.key), target),
      words: (notice) =>
        notice.kind === "gap" || notice.kind === "restarted"
          ? screen.translated(noticeWords(notice))
          : undefined,
      ended,
    });
  }
}

const keptNameOf = ({ screen }: LogsContext, one: LogPod, { context }: Connection): KeptLogName => {
  const { namespace, pod, uid, container } = followedTargetOf(one);
  const { id, name } = one.application;
  return {
    ...{ context, namespace, applicationId: id, application: name },
    ...{ source: screen.translated(one.name), pod, uid, container: container ?? "" },
  };
};

const wordsOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
