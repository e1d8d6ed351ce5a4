import { l10n, window, workspace, type Memento } from "vscode";
import { DisposableStore, type Disposable } from "../../base/disposable.ts";
import { containerNews } from "../../engine/containerNews.ts";
import { keepLog } from "../../engine/keepLog.ts";
import type { Connection, KeptLogName, KeptLogs, KeptLogWriter } from "../../engine/ports.ts";
import { logTargetOf } from "../../spark/logs/targets.ts";
import { isAlive, type Application } from "../../spark/pods/application.ts";
import { keptMarksKey, settings, settingsSection } from "../ids.ts";
import { hasLog, podsOfApplication, type LogPod } from "./followed.ts";
import type { LogsContext } from "./logsContext.ts";
import { SessionLogs } from "./sessionLogs.ts";
import { noticeWords } from "./terminalPrinter.ts";

// A window that has died, or was closed, leaves its applications to the others.
const takeOverMs = 15_000;

/** Keeps logs of applications that are followed, where the setting says so, and of those that were marked. */
export class Keeper implements Disposable {
  readonly #owned = new DisposableStore();
  readonly #context: LogsContext;
  readonly #store: KeptLogs;
  readonly #memory: Memento;
  readonly #kept = new Map<string, DisposableStore>();

  constructor(context: LogsContext, store: KeptLogs, memory: Memento) {
    this.#context = context;
    this.#store = store;
    this.#memory = memory;
    for (const key of this.#marks) this.#keep(key);
  }

  get #marks(): readonly string[] {
    return this.#memory.get<readonly string[]>(keptMarksKey, []);
  }

  /** An application is followed: it is kept if the user has set so. */
  followed(applications: readonly Application[]): void {
    const says = workspace.getConfiguration(settingsSection).get(settings.keepLogs);
    if (says === "followed") for (const { key } of applications) this.#keep(key);
  }

  /** Marks applications, or takes their marks away. */
  async turn(applications: readonly Application[]): Promise<void> {
    for (const { key, name } of applications) {
      const isMarked = this.#marks.includes(key);
      const rest = this.#marks.filter((one) => one !== key);
      await this.#memory.update(keptMarksKey, isMarked ? rest : [...rest, key]);
      if (isMarked) this.#stop(key);
      else this.#keep(key);
      window.setStatusBarMessage(
        isMarked
          ? l10n.t('The logs of "{0}" are not kept any more', name)
          : l10n.t('The logs of "{0}" are kept on this machine', name),
        5_000,
      );
    }
  }

  dispose(): void {
    for (const life of this.#kept.values()) life.dispose();
    this.#owned.dispose();
  }

  #stop(key: string): void {
    this.#kept.get(key)?.dispose();
    this.#kept.delete(key);
  }

  #keep(key: string): void {
    if (this.#kept.has(key)) return;
    const life = new DisposableStore();
    this.#kept.set(key, life);
    const stop = new AbortController();
    life.add({
      dispose: () => {
        stop.abort();
      },
    });
    this.#run(key, life, stop.signal).catch((error: unknown) => {
      if (!stop.signal.aborted) this.#context.log.error(error);
    });
  }

  async #run(key: string, life: DisposableStore, signal: AbortSignal): Promise<void> {
    const { session, clock } = this.#context;
    await session.loaded(signal);
    const connected = await session.connectTo(key, signal);
    const application = session.find(key);
    if (!connected.ok || application === undefined) {
      this.#kept.delete(key);
      return;
    }
    let writer: KeptLogWriter | undefined;
    for (;;) {
      writer = await this.#store.openWriter(connected.value.context, application.id);
      if (writer !== undefined) break;
      await clock.sleep(takeOverMs, signal);
    }
    life.add(writer);
    const known = new Set<string>();
    let open = 0;
    const look = (): void => {
      const now = session.find(key);
      for (const one of now ? podsOfApplication(now) : []) {
        if (known.has(one.pod.pod.uid) || !hasLog(one.pod)) continue;
        known.add(one.pod.pod.uid);
        open += 1;
        life.add(
          this.#keepPod(one, connected.value, writer, () => {
            open -= 1;
            const last = session.find(key);
            if (open === 0 && (last === undefined || !isAlive(last))) this.#finish(key);
          }),
        );
      }
    };
    look();
    life.add(session.onDidChange(look));
  }

  #keepPod(
    one: LogPod,
    connection: Connection,
    writer: KeptLogWriter,
    ended: () => void,
  ): Disposable {
    const { session, clock, random, log } = this.#context;
    const target = logTargetOf(one.pod);
    const name: KeptLogName = {
      context: connection.context,
      namespace: target.namespace,
      applicationId: one.application.id,
      application: one.application.name,
      source: one.name,
      pod: target.pod,
      uid: one.pod.pod.uid,
      container: target.container ?? "",
    };
    const keeping = keepLog(name, target, {
      logs: new SessionLogs(session, one.application.key, connection, "hidden"),
      clock,
      random,
      writer,
      news: containerNews(session.podsOf(one.application.key), target),
      words: (notice) =>
        notice.kind === "gap" || notice.kind === "restarted" ? noticeWords(notice) : undefined,
      ended,
    });
    keeping.done.catch((error: unknown) => {
      log.error(error);
      void window.showWarningMessage(
        l10n.t('The log of {0} is not kept any more: "{1}".', one.name, wordsOf(error)),
      );
    });
    return keeping;
  }

  /** Everything was written to its end; a moment later the last of it is on the disk. */
  #finish(key: string): void {
    this.#stop(key);
    const rest = this.#marks.filter((one) => one !== key);
    if (rest.length < this.#marks.length) {
      Promise.resolve(this.#memory.update(keptMarksKey, rest)).catch(this.#context.log.error);
    }
  }
}

const wordsOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
