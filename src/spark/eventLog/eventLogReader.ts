import { fieldsOf, itemsOf, numberOf, parseJson, textOf, type Fields } from "../../base/json.ts";
import { defaultSecretPattern, secretRule, type IsSecret } from "../redact.ts";
import { redactLine } from "../redactLine.ts";
import { redactValue } from "../redactText.ts";
import {
  eventLogLimits,
  type EventLog,
  type LoggedApplication,
  type LoggedExecution,
  type LoggedExecutor,
  type LoggedJob,
  type LoggedStage,
  type LoggedTask,
  type TaskOutcome,
} from "./eventLog.ts";
import { PlanMetrics, type OpenNode } from "./planMetrics.ts";
import { addMetrics, decodeMetrics, noMetrics, type MetricSum } from "./taskMetrics.ts";

/**
 * Decodes the JSON lines of an event log. Each line is a complete event, so the complete lines of a truncated log are
 * decoded. The files of a rolling log must be read in the order of `orderLogFiles`.
 */
export class EventLogReader {
  readonly #jobs = new Map<number, Open<LoggedJob>>();
  readonly #stages = new Map<string, OpenStage>();
  readonly #executors = new Map<string, OpenExecutor>();
  readonly #executions = new Map<number, OpenExecution>();
  #application: LoggedApplication = {
    ...{ id: undefined, attemptId: undefined, name: undefined, user: undefined },
    ...{ startedAt: undefined, endedAt: undefined, exitCode: undefined },
  };
  #conf: ReadonlyMap<string, string> = new Map();
  #isSecret: IsSecret = secretRule(undefined, defaultSecretPattern);
  #sparkVersion: string | undefined;
  #javaVersion: string | undefined;
  #lastAt: number | undefined;
  #tasks = 0;
  #planMetrics = 0;
  #dropped = 0;
  #isTorn = false;

  /**
   * Decodes one event. Ignores empty lines and events of unused types. Counts a line that is not an event as dropped.
   */
  takeLine(line: string): void {
    // Skips TaskStart events, which are half of all events, because TaskEnd repeats all their data.
    if (line.startsWith(taskStart) || line.trim() === "") return;
    const json = parseJson(line);
    const event = json.ok ? fieldsOf(json.value) : undefined;
    const name = textOf(event?.["Event"]);
    if (event === undefined || name === undefined) {
      this.#dropped += 1;
      return;
    }
    this.#takeEvent(name.slice(name.lastIndexOf(".") + 1), event);
  }

  /**
   * Decodes the text after the last line break of a file. Marks the log as incomplete if the text is a partial event.
   */
  takeRest(rest: string): void {
    if (rest.trim() === "" || parseJson(rest).ok) this.takeLine(rest);
    else this.tear();
  }

  /** Marks the log as incomplete. */
  tear(): void {
    this.#isTorn = true;
  }

  /** Returns a snapshot of everything decoded so far. Later lines do not change it. */
  facts(): EventLog {
    const stages = [...this.#stages.values()];
    return {
      sparkVersion: this.#sparkVersion,
      application: this.#application,
      conf: this.#conf,
      javaVersion: this.#javaVersion,
      jobs: [...this.#jobs.values()].map((job) => ({ ...job })),
      stages: stages.map((stage) => ({
        ...stage,
        ...{ totals: { ...stage.totals }, peaks: { ...stage.peaks } },
        ...{ errors: new Map(stage.errors), tasks: [...stage.tasks] },
      })),
      executors: [...this.#executors.values()].map((executor) => ({
        ...executor,
        ...{ totals: { ...executor.totals }, peaks: { ...executor.peaks } },
      })),
      executions: [...this.#executions.values()].map(({ nodes, plan, jobIds, ...execution }) => ({
        ...execution,
        jobIds: [...jobIds],
        nodes: plan.close(nodes),
      })),
      lastAt: this.#lastAt,
      dropped: this.#dropped,
      isTorn: this.#isTorn,
    };
  }

  #takeEvent(name: string, event: Fields): void {
    switch (name) {
      case "SparkListenerLogStart":
        this.#sparkVersion = this.#text(event["Spark Version"]);
        return;
      case "SparkListenerEnvironmentUpdate":
        this.#takeEnvironment(event);
        return;
      case "SparkListenerApplicationStart":
        this.#application = {
          ...this.#application,
          id: this.#text(event["App ID"]),
          attemptId: this.#text(event["App Attempt ID"]),
          name: this.#text(event["App Name"]),
          user: this.#text(event["User"]),
          startedAt: this.#timeIn(event["Timestamp"]),
        };
        return;
      case "SparkListenerApplicationEnd": {
        const endedAt = this.#timeIn(event["Timestamp"]);
        const exitCode = numberOf(event["ExitCode"]);
        this.#application = { ...this.#application, endedAt, exitCode };
        return;
      }
      case "SparkListenerJobStart":
        this.#takeJobStart(event);
        return;
      case "SparkListenerJobEnd":
        this.#takeJobEnd(event);
        return;
      case "SparkListenerStageSubmitted":
      case "SparkListenerStageCompleted":
        this.#takeStage(event, name === "SparkListenerStageCompleted");
        return;
      case "SparkListenerTaskEnd":
        this.#takeTaskEnd(event);
        return;
      case "SparkListenerStageExecutorMetrics":
        this.#takePeaks(event);
        return;
      case "SparkListenerExecutorAdded":
        this.#takeExecutorAdded(event);
        return;
      case "SparkListenerExecutorRemoved": {
        const executor = this.#executors.get(idText(event["Executor ID"]));
        if (executor === undefined) return;
        executor.removedAt = this.#timeIn(event["Timestamp"]);
        executor.removedReason = this.#text(event["Removed Reason"]);
        return;
      }
      case "SparkListenerBlockManagerAdded": {
        const id = idText(fieldsOf(event["Block Manager ID"])["Executor ID"]);
        const executor = this.#executors.get(id);
        if (executor !== undefined) executor.maxMemory = numberOf(event["Maximum Memory"]);
        return;
      }
      case "SparkListenerSQLExecutionStart":
        this.#takeExecutionStart(event);
        return;
      case "SparkListenerSQLExecutionEnd": {
        const execution = this.#executions.get(idIn(event["executionId"]) ?? -1);
        if (execution === undefined) return;
        const failure = this.#text(event["errorMessage"]);
        execution.endedAt = this.#timeIn(event["time"]);
        execution.failure = failure;
        execution.state = failure === undefined ? "succeeded" : "failed";
        return;
      }
      case "SparkListenerSQLAdaptiveExecutionUpdate": {
        const execution = this.#executions.get(idIn(event["executionId"]) ?? -1);
        if (execution === undefined) return;
        execution.nodes = execution.plan.open(event["sparkPlanInfo"], this.#text);
        return;
      }
      case "SparkListenerSQLAdaptiveSQLMetricUpdates": {
        const execution = this.#executions.get(idIn(event["executionId"]) ?? -1);
        execution?.plan.declare(itemsOf(event["sqlPlanMetrics"]));
        return;
      }
      case "SparkListenerDriverAccumUpdates": {
        const execution = this.#executions.get(idIn(event["executionId"]) ?? -1);
        for (const update of itemsOf(event["accumUpdates"])) {
          const [id, value] = itemsOf(update);
          execution?.plan.add(id, value);
        }
        return;
      }
    }
  }

  #takeEnvironment(event: Fields): void {
    const properties = Object.entries(fieldsOf(event["Spark Properties"])).flatMap(
      ([key, value]): [string, string][] => (typeof value === "string" ? [[key, value]] : []),
    );
    const own = properties.find(([key]) => key === "spark.redaction.regex")?.[1];
    this.#isSecret = secretRule(own, defaultSecretPattern);
    this.#conf = new Map(
      properties.map(([key, value]) => [key, redactValue(key, value, this.#isSecret)]),
    );
    this.#javaVersion = this.#text(fieldsOf(event["JVM Information"])["Java Version"]);
  }

  #takeJobStart(event: Fields): void {
    const jobId = idIn(event["Job ID"]);
    if (jobId === undefined || !this.#hasRoom(this.#jobs, jobId, eventLogLimits.jobs)) return;
    const properties = fieldsOf(event["Properties"]);
    const executionId = executionIn(properties);
    this.#jobs.set(jobId, {
      jobId,
      stageIds: idsIn(event["Stage IDs"]),
      description: this.#text(properties["spark.job.description"]),
      group: this.#text(properties["spark.jobGroup.id"]),
      executionId,
      submittedAt: this.#timeIn(event["Submission Time"]),
      ...{ endedAt: undefined, state: "running", failure: undefined },
    });
    this.#executions.get(executionId ?? -1)?.jobIds.push(jobId);
  }

  #takeJobEnd(event: Fields): void {
    const job = this.#jobs.get(idIn(event["Job ID"]) ?? -1);
    if (job === undefined) return;
    const result = fieldsOf(event["Job Result"]);
    job.endedAt = this.#timeIn(event["Completion Time"]);
    job.state = textOf(result["Result"]) === "JobSucceeded" ? "succeeded" : "failed";
    job.failure = this.#text(fieldsOf(result["Exception"])["Message"]);
  }

  #takeStage(event: Fields, isEnd: boolean): void {
    const facts = fieldsOf(event["Stage Info"]);
    const stage = this.#stageOf(facts);
    if (stage === undefined) return;
    stage.name = this.#text(facts["Stage Name"]) ?? "";
    stage.numTasks = idIn(facts["Number of Tasks"]) ?? 0;
    stage.parentIds = idsIn(facts["Parent IDs"]);
    stage.resourceProfileId = idIn(facts["Resource Profile Id"]) ?? 0;
    stage.submittedAt = this.#timeIn(facts["Submission Time"]) ?? stage.submittedAt;
    if (!isEnd) {
      const properties = fieldsOf(event["Properties"]);
      stage.description = this.#text(properties["spark.job.description"]);
      stage.executionId = executionIn(properties);
      return;
    }
    stage.endedAt = this.#timeIn(facts["Completion Time"]);
    stage.failure = this.#text(facts["Failure Reason"]);
    stage.state = stage.failure === undefined ? "complete" : "failed";
  }

  /**
   * Returns the stage attempt of an event, and creates it if it is new. Undefined without a stage id, or if the limit
   * of stages is reached.
   */
  #stageOf(facts: Fields): OpenStage | undefined {
    const stageId = idIn(facts["Stage ID"]);
    const attemptId = idIn(facts["Stage Attempt ID"]) ?? 0;
    if (stageId === undefined) return undefined;
    const key = `${stageId}.${attemptId}`;
    const known = this.#stages.get(key);
    if (known !== undefined) return known;
    if (!this.#hasRoom(this.#stages, key, eventLogLimits.stages)) return undefined;
    const stage: OpenStage = {
      ...{ stageId, attemptId, name: "", description: undefined, parentIds: [] },
      ...{ executionId: undefined, resourceProfileId: 0, numTasks: 0, submittedAt: undefined },
      ...{ firstTaskLaunchedAt: undefined, endedAt: undefined, state: "active" },
      ...{ failure: undefined, succeeded: 0, failed: 0, killed: 0, errors: new Map() },
      ...{ totals: { ...noMetrics }, peaks: {}, tasks: [] },
    };
    this.#stages.set(key, stage);
    return stage;
  }

  #takeTaskEnd(event: Fields): void {
    const stage = this.#stageOf(event);
    const facts = fieldsOf(event["Task Info"]);
    const taskId = idIn(facts["Task ID"]);
    if (stage === undefined || taskId === undefined) return;
    const end = fieldsOf(event["Task End Reason"]);
    const task: LoggedTask = {
      taskId,
      index: idIn(facts["Index"]) ?? 0,
      attempt: idIn(facts["Attempt"]) ?? 0,
      executorId: idText(facts["Executor ID"]),
      locality: idText(facts["Locality"]),
      isSpeculative: facts["Speculative"] === true,
      launchedAt: this.#timeIn(facts["Launch Time"]) ?? 0,
      finishedAt: this.#timeIn(facts["Finish Time"]) ?? 0,
      outcome: outcomeIn(textOf(end["Reason"])),
      metrics: decodeMetrics(event["Task Metrics"]),
    };
    stage[task.outcome] += 1;
    addMetrics(stage.totals, task.metrics);
    if (task.outcome === "failed") this.#takeError(stage, end);
    stage.firstTaskLaunchedAt = Math.min(stage.firstTaskLaunchedAt ?? Infinity, task.launchedAt);
    const peaks = fieldsOf(event["Task Executor Metrics"]);
    raisePeaks(stage.peaks, peaks);
    const executor = this.#executors.get(task.executorId);
    if (executor !== undefined) {
      executor[task.outcome] += 1;
      executor.taskTime += Math.max(0, task.finishedAt - task.launchedAt);
      addMetrics(executor.totals, task.metrics);
      raisePeaks(executor.peaks, peaks);
    }
    const plan = this.#executions.get(stage.executionId ?? -1)?.plan;
    for (const item of plan === undefined ? [] : itemsOf(facts["Accumulables"])) {
      const update = fieldsOf(item);
      plan?.add(update["ID"], update["Update"]);
    }
    this.#tasks += 1;
    if (this.#tasks <= eventLogLimits.tasks) stage.tasks.push(task);
    else this.#dropped += 1;
  }

  #takeError(stage: OpenStage, end: Fields): void {
    const reason = textOf(end["Reason"]) ?? "";
    const text = end["Description"] ?? end["Message"] ?? end["Loss Reason"];
    const error = this.#text(firstLine(textOf(text) ?? "")) ?? reason;
    const known = stage.errors.get(error);
    if (known === undefined && stage.errors.size >= maxErrors) return;
    stage.errors.set(error, (known ?? 0) + 1);
  }

  #takePeaks(event: Fields): void {
    const peaks = fieldsOf(event["Executor Metrics"]);
    const stage = this.#stageOf(event);
    if (stage !== undefined) raisePeaks(stage.peaks, peaks);
    const executor = this.#executors.get(idText(event["Executor ID"]));
    if (executor !== undefined) raisePeaks(executor.peaks, peaks);
  }

  #takeExecutorAdded(event: Fields): void {
    const id = idText(event["Executor ID"]);
    const facts = fieldsOf(event["Executor Info"]);
    if (id === "" || !this.#hasRoom(this.#executors, id, eventLogLimits.executors)) return;
    this.#executors.set(id, {
      id,
      host: idText(facts["Host"]),
      cores: idIn(facts["Total Cores"]) ?? 0,
      resourceProfileId: idIn(facts["Resource Profile Id"]) ?? 0,
      addedAt: this.#timeIn(event["Timestamp"]),
      ...{ removedAt: undefined, removedReason: undefined, maxMemory: undefined },
      ...{ succeeded: 0, failed: 0, killed: 0, taskTime: 0 },
      ...{ totals: { ...noMetrics }, peaks: {} },
    });
  }

  #takeExecutionStart(event: Fields): void {
    const id = idIn(event["executionId"]);
    if (id === undefined) return;
    if (!this.#hasRoom(this.#executions, id, eventLogLimits.executions)) return;
    const plan = new PlanMetrics(() => (this.#planMetrics += 1) <= eventLogLimits.planMetrics);
    this.#executions.set(id, {
      id,
      rootId: idIn(event["rootExecutionId"]) ?? id,
      description: this.#text(event["description"]) ?? "",
      startedAt: this.#timeIn(event["time"]),
      ...{ endedAt: undefined, state: "running", failure: undefined },
      jobIds: [],
      nodes: plan.open(event["sparkPlanInfo"], this.#text),
      plan,
    });
  }

  #hasRoom<K>(known: ReadonlyMap<K, unknown>, key: K, limit: number): boolean {
    if (known.has(key) || known.size < limit) return true;
    this.#dropped += 1;
    return false;
  }

  #timeIn(value: unknown): number | undefined {
    const time = numberOf(value);
    // Spark writes 0 or -1 for a time that is not known yet.
    if (time === undefined || !(time > 0 && time <= maxTime)) return undefined;
    if (this.#lastAt === undefined || time > this.#lastAt) this.#lastAt = time;
    return time;
  }

  /** Shortens, trims and redacts a string. Undefined if it is empty or not a string. */
  readonly #text = (value: unknown): string | undefined => {
    const text = (textOf(value) ?? "").slice(0, maxText).trim();
    if (text === "") return undefined;
    return text
      .split("\n")
      .map((line) => redactLine(line, this.#isSecret))
      .join("\n");
  };
}

type Open<T> = { -readonly [name in keyof T]: T[name] };

type OpenStage = Omit<Open<LoggedStage>, "totals" | "peaks" | "tasks" | "errors"> & {
  readonly totals: MetricSum;
  readonly peaks: Record<string, number>;
  readonly tasks: LoggedTask[];
  readonly errors: Map<string, number>;
};

type OpenExecutor = Omit<Open<LoggedExecutor>, "totals" | "peaks"> & {
  readonly totals: MetricSum;
  readonly peaks: Record<string, number>;
};

type OpenExecution = Omit<Open<LoggedExecution>, "jobIds" | "nodes"> & {
  readonly jobIds: number[];
  nodes: readonly OpenNode[];
  readonly plan: PlanMetrics;
};

const taskStart = '{"Event":"SparkListenerTaskStart"';
/** The latest time that `Date` can represent. */
const maxTime = 8_640_000_000_000_000;
const maxText = 1_000;
const maxErrors = 20;
const maxPeaks = 100;
const maxIds = 10_000;

/**
 * Classifies as Spark does: killed tasks and commits denied by the driver count as killed, all other errors as failed.
 */
function outcomeIn(reason: string | undefined): TaskOutcome {
  if (reason === "Success") return "succeeded";
  return reason === "TaskKilled" || reason === "TaskCommitDenied" ? "killed" : "failed";
}

function raisePeaks(peaks: Record<string, number>, metrics: Fields): void {
  for (const [name, value] of Object.entries(metrics).slice(0, maxPeaks)) {
    if (typeof value !== "number" || !Number.isFinite(value) || !/^\w{1,60}$/.test(name)) continue;
    if (value > (peaks[name] ?? -1)) peaks[name] = value;
  }
}

const executionIn = (properties: Fields): number | undefined => {
  const id = textOf(properties["spark.sql.execution.id"]) ?? "";
  return /^\d{1,15}$/.test(id) ? Number(id) : undefined;
};

const idIn = (value: unknown): number | undefined => {
  const id = numberOf(value);
  return id !== undefined && Number.isSafeInteger(id) && id >= 0 ? id : undefined;
};

const idsIn = (value: unknown): readonly number[] =>
  itemsOf(value)
    .slice(0, maxIds)
    .flatMap((id) => idIn(id) ?? []);

const idText = (value: unknown): string => (textOf(value) ?? "").slice(0, 253);

const firstLine = (text: string): string => text.trimStart().split("\n", 1)[0] ?? "";
