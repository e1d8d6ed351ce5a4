import { Emitter, type Event } from "../../base/emitter.ts";
import { msg, type Message, type MessageText } from "../../base/message.ts";
import type { DebugProtocolMessage, DebugSession } from "vscode";
import { DisposableStore } from "../../base/disposable.ts";
import { assertNever } from "../../base/assertNever.ts";
import { isAbort } from "../../base/isAbort.ts";
import { fieldAt, fieldsOf, numberAt, textAt } from "../../base/json.ts";
import type { PodName } from "../../engine/ports/reports.ts";
import { deletedWithin, deletePod } from "../../engine/lifecycle/deletePod.ts";
import { appSelectorLabel, executorRole, roleLabel } from "../../spark/labels.ts";
import {
  readLaunchConfiguration,
  type LaunchConfiguration,
  type LaunchProblem,
} from "../../spark/submit/debug/launchConfiguration.ts";
import type { PlannedDebug } from "../../spark/submit/debug/plannedDebug.ts";
import type { DebuggedRun, ControlledRunEnd, StartedRun } from "../submit/controlledRun.ts";
import type { DebugContext, DebugScreen } from "./debugContext.ts";
import { debugPod, type PodSessions, type PodSessionsEnd } from "./debuggedPod.ts";

const executorListMs = 1_000;
const deleteMs = 15_000;

/**
 * The debug adapter of an application. It submits the application and starts a child session for each debugged process.
 * Its own session has no threads. Stop deletes the driver. VS Code implements Restart as stop and launch, so a restart
 * uses the current files.
 */
export class SparkDebugAdapter {
  readonly #session: DebugSession;
  readonly #context: DebugContext;
  readonly #owned = new DisposableStore();
  readonly #screen: DebugScreen;
  readonly #messages: Emitter<DebugProtocolMessage>;
  readonly onDidSendMessage: Event<DebugProtocolMessage>;
  readonly #stopping = new AbortController();
  readonly #ending = new AbortController();
  #seq = 0;
  #started: StartedRun | undefined;
  #stop: Promise<void> | undefined;
  #isStopping = false;
  #isOver = false;

  constructor(session: DebugSession, context: DebugContext, screen: DebugScreen) {
    this.#messages = this.#owned.add(new Emitter(context.log.error));
    this.onDidSendMessage = this.#messages.event;
    this.#screen = screen;
    this.#session = session;
    this.#context = context;
  }

  handleMessage(message: DebugProtocolMessage): void {
    if (textAt(message, "type") !== "request") return;
    const command = textAt(message, "command") ?? "";
    switch (command) {
      case "initialize":
        this.#respond(message, { supportsTerminateRequest: true });
        return;
      case "launch":
        this.#launch(message);
        return;
      case "threads":
        this.#respond(message, { threads: [] });
        return;
      case "terminate":
        this.#respond(message);
        this.#end().catch(this.#context.log.error);
        return;
      case "disconnect":
        this.#end()
          .catch(this.#context.log.error)
          .finally(() => {
            this.#respond(message);
          });
        return;
      default:
        this.#respond(message);
    }
  }

  dispose(): void {
    this.#ending.abort();
    // Stop the run, because the window may close while the application runs under the debugger.
    this.#end()
      .catch(this.#context.log.error)
      .finally(() => {
        this.#owned.dispose();
      });
  }

  #launch(message: DebugProtocolMessage): void {
    const read = readLaunchConfiguration(fieldsOf(fieldAt(message, "arguments")));
    if (!read.ok) {
      this.#refuse(message, this.#screen.show(problemWords(read.error)));
      return;
    }
    this.#respond(message);
    this.#run(read.value).catch((error: unknown) => {
      this.#context.log.error(error);
      this.#over({ outcome: "notSubmitted", exitCode: 1 });
    });
  }

  async #run(launch: LaunchConfiguration): Promise<void> {
    const debugged: DebuggedRun = {
      isRequested: this.#context.isRequested(this.#session.configuration),
      request: async (definition) => {
        if (!launch.isDebugged) return undefined;
        const application = textAt(definition, "application") ?? "";
        const language = /\.py$/i.test(application) ? "python" : "java";
        if (!(await this.#screen.hasExtension(language))) return "canceled";
        const { target, stopOnEntry, waitSeconds } = launch;
        const common = { target, stopOnEntry, waitSeconds };
        if (language === "java") {
          if (stopOnEntry) this.#print(noEntryWords());
          return { ...common, python: undefined };
        }
        const python = await this.#screen.pythonDebugger(definition);
        return python === undefined ? "canceled" : { ...common, python };
      },
      signal: this.#stopping.signal,
      started: (run) => {
        this.#started = run;
        // Delete the driver if the user pressed Stop while the submission created its objects.
        if (this.#isStopping) return this.#delete(run);
        if (run.plan.debug !== undefined) this.#attach(run, run.plan.debug, launch);
        return Promise.resolve();
      },
      isStopped: () => this.#isStopping,
      ended: (end) => {
        this.#over(end);
      },
    };
    const isRun = await this.#context.run(launch.source, debugged);
    if (!isRun) this.#over({ outcome: "notSubmitted", exitCode: 1 });
  }

  #attach(run: StartedRun, plan: PlannedDebug, { justMyCode }: LaunchConfiguration): void {
    const { clock, forward } = this.#context;
    const screen = this.#screen;
    const print = (line: MessageText): void => {
      this.#print(line);
    };
    const sessions = {
      run,
      plan,
      parent: this.#session,
      justMyCode,
      print,
      clock,
      forward,
      screen,
    };
    this.#print(
      plan.target === "driver"
        ? msg("waiting for the driver")
        : msg("waiting for an executor that runs Python functions or tasks"),
    );
    const debugged =
      plan.target === "driver"
        ? debugPod(run.driver, run.name, sessions, this.#ending.signal)
        : this.#debugExecutors(sessions);
    this.#watch(debugged);
  }

  /** Ends the application if no debugger can attach, because its processes would wait for one. */
  #watch(debugged: Promise<PodSessionsEnd>): void {
    debugged
      .then((end) => {
        if (this.#ending.signal.aborted) return undefined;
        this.#print(
          end === "notStarted" ? msg("the debugger was not started") : this.#screen.explain(end),
        );
        return this.#end();
      })
      .catch((error: unknown) => {
        if (!isAbort(error) && !this.#ending.signal.aborted) this.#context.log.error(error);
      });
  }

  async #debugExecutors(sessions: PodSessions): Promise<PodSessionsEnd> {
    const { run, clock } = sessions;
    const { connection, driver } = run;
    const { signal } = this.#ending;
    const known = new Set<string>();
    const id = driver.labels[appSelectorLabel] ?? "";
    const request = {
      namespace: driver.namespace,
      labelSelector: `${appSelectorLabel}=${id},${roleLabel}=${executorRole}`,
      resourceVersion: "0",
      limit: 50,
      continueToken: undefined,
    };
    for (;;) {
      const listed = await connection.pods.listPods(request, signal);
      for (const pod of listed.ok ? listed.value.pods : []) {
        if (pod.phase !== "Running" || known.has(pod.uid)) continue;
        known.add(pod.uid);
        this.#watchExecutor(pod, sessions);
      }
      await clock.sleep(executorListMs, signal);
    }
  }

  /**
   * Debugs an executor. Ends the application if VS Code starts no debugger, but not if the connection to the executor
   * ends.
   */
  #watchExecutor(pod: PodName, sessions: PodSessions): void {
    debugPod(pod, pod.name, sessions, this.#ending.signal)
      .then((end) => {
        if (end === "notStarted") this.#watch(Promise.resolve(end));
      })
      .catch((error: unknown) => {
        if (!isAbort(error)) this.#context.log.error(error);
      });
  }

  /** Stops the run once. If the driver exists, resolves after the request to delete it, and prints a failure. */
  #end(): Promise<void> {
    this.#stop ??= this.#stopRun();
    return this.#stop;
  }

  async #stopRun(): Promise<void> {
    if (this.#isOver) return;
    this.#isStopping = true;
    this.#ending.abort();
    // After the start, delete only the driver, because the run ends with it. Stopping the run first would close the
    // connection that deletes the driver.
    if (this.#started === undefined) this.#stopping.abort();
    else await this.#delete(this.#started);
  }

  async #delete({ connection, driver, name }: StartedRun): Promise<void> {
    const refusal = this.#screen.refusalIn(connection);
    if (refusal !== undefined) {
      this.#print(refusal);
      return;
    }
    this.#print(msg`stopping "${name}"`);
    const deleted = await deletedWithin(deleteMs, (limit) =>
      deletePod(connection.objects, driver, limit),
    );
    if (deleted.kind === "failed") this.#print(this.#screen.explain(deleted.error));
  }

  #over({ outcome, exitCode }: ControlledRunEnd): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#ending.abort();
    this.#print(endWords({ outcome, exitCode }));
    this.#event("exited", { exitCode });
    this.#event("terminated");
  }

  // ---- Messages ----------------------------------------------------------------------------------

  #respond(request: DebugProtocolMessage, body: object = {}): void {
    this.#send({ ...responseTo(request), success: true, body });
  }

  #refuse(request: DebugProtocolMessage, words: string): void {
    const error = { id: 1, format: "{words}", variables: { words }, showUser: true };
    this.#send({ ...responseTo(request), success: false, message: words, body: { error } });
  }

  #print(line: MessageText): void {
    this.#event("output", { category: "console", output: `${this.#screen.show(line)}\n` });
  }

  #event(event: string, body: object = {}): void {
    this.#send({ type: "event", event, body });
  }

  #send(message: object): void {
    this.#seq += 1;
    this.#messages.fire({ seq: this.#seq, ...message });
  }
}

const responseTo = (request: DebugProtocolMessage): object => ({
  type: "response",
  request_seq: numberAt(request, "seq") ?? 0,
  command: textAt(request, "command") ?? "",
});

function problemWords(problem: LaunchProblem): Message {
  switch (problem) {
    case "nothingToRun":
      return msg('Set "program" to a file, or "profile" to the name of a run profile.');
    case "twoSources":
      return msg('"profile" cannot be combined with "program" or "application".');
    case "unknownTarget":
      return msg('"target" must be "driver" or "executor".');
    case "entryOfExecutor":
      return msg('"stopOnEntry" requires "target": "driver".');
    case "badWait":
      return msg('"waitMinutes" must be a number of minutes, at most 1440.');
    default:
      return assertNever(problem);
  }
}

const noEntryWords = (): Message =>
  msg('"stopOnEntry" is supported only for Python. Set a breakpoint in the main method.');

function endWords({ outcome, exitCode }: ControlledRunEnd): Message {
  switch (outcome) {
    case "notSubmitted":
      return msg("not submitted");
    case "detached":
      return msg("detached; the application is still running");
    case "submitted":
      return msg("submitted");
    case "stopped":
      return msg("stopped");
    case "succeeded":
    case "failed":
      return msg`driver: exit code ${exitCode}`;
    default:
      return assertNever(outcome);
  }
}
