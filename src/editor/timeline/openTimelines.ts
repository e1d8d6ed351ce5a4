import { msg, type Message, type ShowMessage } from "../../base/message.ts";
import { DisposableStore, type Disposable } from "../../base/disposable.ts";
import type { Clock } from "../../engine/ports/clock.ts";
import { start } from "../../engine/running.ts";
import { hasEndedPod, type Application } from "../../spark/pods/application.ts";
import { executorsOf } from "../../spark/pods/applicationRun.ts";
import { describeApplication } from "../../spark/pods/describeApplication.ts";
import { plotsOf, translatedPlots, type PlotTarget } from "../../spark/timeline/plots.ts";
import { describeProblem } from "../../spark/progress/describeProgress.ts";
import type { ProgressProblem } from "../../spark/progress/progress.ts";
import { csvOf, svgOf } from "../../spark/timeline/plotText.ts";
import { describeSpent } from "../../spark/timeline/spent.ts";
import type { Timeline } from "../../spark/timeline/timeline.ts";
import {
  pngBase64,
  timelineActionOf,
  type TimelineAction,
  type TimelineContent,
} from "../../spark/timeline/timelinePanel.ts";
import type { ClusterSession } from "../apps/clusterSession.ts";
import { pickApplication } from "../apps/pick.ts";
import type { TreeNode } from "../apps/treeNode.ts";
import type { Screen } from "../screen.ts";
import type { Log } from "../log.ts";
import type { PageOptions, PagePanel } from "../ui/pagePanel.ts";
import { timelineLabels } from "./timelineLabels.ts";

export interface TimelineContext {
  readonly session: ClusterSession;
  readonly screen: Screen;
  readonly clock: Clock;
  readonly log: Log;
  readonly openPanel: (
    options: Pick<PageOptions, "closed" | "received" | "shown"> & { readonly title: string },
  ) => PagePanel;
  /** Shows a save dialog and writes the file. Returns false if the user cancels. */
  readonly saveFile: (name: string, extension: string, bytes: Uint8Array) => Promise<boolean>;
  readonly revealExecutor: (key: string, uid: string | undefined) => Promise<void>;
  readonly openLog: (nodes: readonly TreeNode[], atError: boolean) => Promise<void>;
}

/** A kept timeline, which no longer changes. */
export interface StoredTimeline {
  /** Identifies the run. */
  readonly id: string;
  readonly name: string;
  readonly notes: readonly string[];
  readonly timeline: Timeline;
  /** Epoch milliseconds; undefined if the end is not known. */
  readonly endedAt: number | undefined;
  readonly open: (target: PlotTarget) => Promise<void>;
}

/** The timeline panels of the window. */
export interface OpenTimelines extends Disposable {
  show(nodes: readonly TreeNode[]): Promise<void>;
  showStored(stored: StoredTimeline): void;
}

const refreshMs = 1_000;
/** The polling interval of all stages while a panel is visible, in ms. */
const stagesMs = 8_000;

export function timelinePanels(context: TimelineContext): OpenTimelines {
  const { session } = context;
  const owned = new DisposableStore();
  const panels = new Map<string, TimelinePanel>();
  const record = (): void => {
    const visible = [...panels].filter(([, { isLive }]) => isLive).map(([key]) => key);
    session.recordDrivers("panels", new Map(visible.map((key) => [key, stagesMs])));
  };
  const open = (id: string, source: TimelineSource): void => {
    const known = panels.get(id);
    if (known !== undefined) {
      known.reveal();
      return;
    }
    const panel = new TimelinePanel(source, context, record, () => {
      panels.delete(id);
      owned.remove(panel);
      record();
    });
    panels.set(id, owned.add(panel));
    record();
  };
  return {
    show: async (nodes) => {
      const keys = [...new Set(nodes.flatMap((node) => ("key" in node ? [node.key] : [])))];
      const picked =
        keys.length > 0
          ? undefined
          : await pickApplication(context, msg("Show Timeline"), () => true);
      for (const key of picked === undefined ? keys : [picked.key]) {
        open(key, watchedSource(context, key));
      }
    },
    showStored: ({ id, name, notes, timeline, endedAt, open: openTarget }) => {
      open(`stored ${id}`, {
        name,
        read: () => ({ timeline, notes, now: endOf(timeline, endedAt ?? 0), isLive: false }),
        open: openTarget,
      });
    },
    dispose: () => {
      owned.dispose();
    },
  };
}

interface TimelineSource {
  readonly name: string;
  /** Returns the timeline to show now; undefined if there is none. */
  readonly read: () =>
    | {
        readonly timeline: Timeline;
        readonly notes: readonly string[];
        /** The reason why metrics of the driver are missing; undefined if none are missing. */
        readonly unread?: Message | undefined;
        readonly now: number;
        /** False for a timeline that no longer changes. */
        readonly isLive: boolean;
      }
    | undefined;
  readonly open: (target: PlotTarget) => Promise<void>;
}

function watchedSource(context: TimelineContext, key: string): TimelineSource {
  const { session } = context;
  let last = session.find(key);
  const current = (): Application | undefined => (last = session.find(key) ?? last);
  return {
    name: last?.name ?? key,
    read: () => {
      const application = current();
      const timeline = session.timelineOf(key);
      if (timeline === undefined || application === undefined) return undefined;
      const hasEnded = session.find(key) === undefined || isOver(application);
      const now = hasEnded ? endOf(timeline, session.nowOf(key)) : session.nowOf(key);
      const unread = unreadWords(timeline.samples.length, session.progressOf(key)?.problem);
      return {
        timeline,
        notes: notesOf(application, timeline, unread).map((note) =>
          context.screen.translated(note),
        ),
        unread,
        now,
        isLive: !hasEnded,
      };
    },
    open: (target) => openTarget(context, current(), target),
  };
}

const isOver = ({ driver, live }: Application): boolean =>
  live.size === 0 && driver !== undefined && hasEndedPod(driver);

/**
 * Returns the end of an ended application's timeline: the time of its last event or sample, in epoch milliseconds, or
 * `now` if it is empty.
 */
const endOf = ({ changes, samples, stages }: Timeline, now: number): number => {
  const last = Math.max(
    changes.at(-1)?.at ?? 0,
    samples.at(-1)?.at ?? 0,
    ...stages.map(({ endedAt }) => endedAt ?? 0),
  );
  return last === 0 ? now : last;
};

const notesOf = (
  application: Application,
  { spent }: Timeline,
  unread: Message | undefined,
): readonly Message[] =>
  [describeApplication(application), describeSpent(spent), unread].filter(
    (note) => note !== undefined,
  );

/**
 * Returns the reason why the plots of the driver's metrics are empty or do not continue; undefined if they have data.
 */
function unreadWords(samples: number, problem: ProgressProblem | undefined): Message | undefined {
  if (problem !== undefined) return msg`No metrics from the driver: ${describeProblem(problem)}`;
  return samples === 0 ? msg("No metrics from the driver yet") : undefined;
}

/**
 * Opens a target: for a stage or the driver, the driver's log; for a failed executor, its log at the error; for another
 * executor, its row.
 */
async function openTarget(
  { session, revealExecutor, openLog }: TimelineContext,
  application: Application | undefined,
  target: PlotTarget,
): Promise<void> {
  if (application === undefined) return;
  const { key, driver } = application;
  if (target.kind === "stage" || target.id === "driver") {
    const uid = driver?.pod.uid;
    if (uid !== undefined)
      await openLog([{ kind: "driver", id: `pod:${key}:${uid}`, key, uid }], false);
    return;
  }
  const executor = [...executorsOf(application)].find(
    ({ executorId, pod }) => String(executorId ?? pod.name) === target.id,
  );
  const uid = executor?.pod.uid;
  if (uid === undefined || executor?.state.kind !== "failed") {
    if (session.find(key) !== undefined) await revealExecutor(key, uid);
    return;
  }
  await openLog([{ kind: "executor", id: `pod:${key}:${uid}`, key, uid }], true);
}

/** A timeline panel. Sends nothing to its page while hidden. */
class TimelinePanel implements Disposable {
  readonly #owned = new DisposableStore();
  readonly #source: TimelineSource;
  readonly #log: Log;
  readonly #show: ShowMessage;
  readonly #saveFile: TimelineContext["saveFile"];
  readonly #panel: PagePanel;
  #content: TimelineContent | undefined;
  #sent: Timeline | undefined;
  #isLive = true;
  #wasLive = true;

  constructor(
    source: TimelineSource,
    { openPanel, saveFile, screen, clock, log }: TimelineContext,
    changed: () => void,
    closed: () => void,
  ) {
    this.#source = source;
    this.#log = log;
    this.#show = screen.translated;
    this.#saveFile = saveFile;
    this.#panel = this.#owned.add(
      openPanel({
        title: screen.translated(msg`Timeline: ${source.name}`),
        received: (message) => {
          const action = timelineActionOf(message);
          if (action !== undefined) this.#act(action).catch(log.error);
        },
        shown: () => {
          changed();
          this.#refresh(true);
        },
        closed: () => {
          this.#owned.dispose();
          closed();
        },
      }),
    );
    const refreshing = this.#owned.add(
      start(async (signal) => {
        for (;;) {
          await clock.sleep(refreshMs, signal);
          if (this.#panel.isVisible) this.#refresh(false);
          if (this.#wasLive === this.isLive) continue;
          this.#wasLive = this.isLive;
          changed();
        }
      }),
    );
    refreshing.done.catch(log.error);
  }

  /** True if the panel is visible and its timeline still changes. */
  get isLive(): boolean {
    return this.#isLive && this.#panel.isVisible;
  }

  reveal(): void {
    this.#panel.reveal();
    this.#refresh(true);
  }

  dispose(): void {
    this.#owned.dispose();
  }

  #refresh(isAsked: boolean): void {
    const read = this.#source.read();
    if (read === undefined) return;
    const { timeline, notes, unread, now, isLive } = read;
    this.#isLive = isLive;
    if (!isAsked && !isLive && this.#sent === timeline) return;
    this.#sent = timeline;
    this.#content = {
      kind: "content",
      title: this.#source.name,
      notes,
      plots: translatedPlots(plotsOf(timeline, now, unread), this.#show),
      labels: timelineLabels(this.#show),
    };
    this.#panel.send(this.#content);
  }

  async #act(action: TimelineAction): Promise<void> {
    switch (action.kind) {
      case "ready":
        this.#refresh(true);
        return;
      case "open":
        await this.#source.open(action.target);
        return;
      case "savePng":
        await this.#save("png", Buffer.from(pngBase64(action.image), "base64"));
        return;
      case "saveSvg":
      case "saveCsv": {
        const content = this.#content;
        if (content === undefined) return;
        const isSvg = action.kind === "saveSvg";
        const text = isSvg ? svgOf(content.plots, content.title) : csvOf(content.plots);
        await this.#save(isSvg ? "svg" : "csv", Buffer.from(text));
      }
    }
  }

  async #save(extension: string, bytes: Uint8Array): Promise<void> {
    const name = `${this.#source.name.replace(/[^\w.-]+/g, "-").slice(0, 80)}-timeline.${extension}`;
    if (!(await this.#saveFile(name, extension, bytes))) return;
    this.#log.debug(`saved a timeline as ${extension}`);
  }
}
