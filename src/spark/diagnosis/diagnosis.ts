import type { Message } from "../../base/message.ts";
import type { Application } from "../pods/application.ts";
import type { DisplayState } from "../pods/displayState.ts";
import type { PodRecord } from "../pods/podRecord.ts";
import type { DriverReport } from "./driverReport.ts";
import type { LogCause } from "./logCause.ts";
import type { LogCauseKind } from "./logCauseKinds.ts";
import type { PodEventRecord } from "./podEventRecord.ts";

/** The rule that takes its cause from the log. */
export const logCauseRule = "D113";

/** A problem of a pod, its cause, and how to fix it. */
export interface Diagnosis extends DiagnosisText {
  /** The rule's id, such as `D39`. Stable across versions. */
  readonly id: string;
  /** Undefined if the diagnosis comes from no rule. */
  readonly confidence?: Confidence;
}

/**
 * `certain`: Kubernetes or the log names the cause. `likely`: inferred from exit codes, times or missing objects.
 * `possible`: a usual cause of the state, without evidence.
 */
export type Confidence = "certain" | "likely" | "possible";

export interface DiagnosisText {
  /** Short text for a tree row, without a full stop: `no node has 5.4 GiB free`. */
  readonly fact: Message;
  /** The problem and its cause, in sentences. */
  readonly what: Message;
  /** How to fix the problem, in sentences; undefined if the cause is unknown. */
  readonly change: Message | undefined;
  /** The conf keys to change; empty if the conf cannot fix the problem. */
  readonly keys: readonly string[];
  /** The original message of Kubernetes, the driver or the log. */
  readonly told: string | undefined;
  /** The kind of the error, if the log names the cause. */
  readonly logKind?: LogCauseKind;
}

/** The input of the diagnosis rules for one pod. */
export interface DiagnosedPod {
  readonly pod: PodRecord;
  readonly state: DisplayState;
  readonly role: "driver" | "executor";
  /** True for a Python application. Undefined if the main class of the driver is unknown. */
  readonly isPython: boolean | undefined;
  /** Events about the pod and its related objects, newest first. */
  readonly events: readonly PodEventRecord[];
  readonly application: Application;
  /** The report of the driver's REST API. Undefined if the driver was not queried. */
  readonly report: DriverReport | undefined;
  /** Undefined if nodes cannot be listed. */
  readonly largestNode?: NodeSize | undefined;
  /** The error at the end of the log of Spark's container. Undefined if there is none, or if the log was not read. */
  readonly logCause?: LogCause | undefined;
  /** True if a command in this window stops the driver. The pod itself does not show who deleted it. */
  readonly isStoppedHere?: boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** The largest allocatable amount of each resource on any node. */
export interface NodeSize {
  readonly cores: number;
  readonly memoryBytes: number;
  /** Taints of all nodes that keep pods from being scheduled. Absent if no node has such a taint. */
  readonly taints?: readonly NodeTaint[];
}

export interface NodeTaint {
  readonly key: string;
  /** The taint's value, which may be empty. */
  readonly value: string;
  /** `NoSchedule` or `NoExecute`. */
  readonly effect: string;
}

/** A rule that returns at most one diagnosis. `needs`: the least reliable source that the rule reads. */
export interface DiagnosisRule {
  readonly id: string;
  readonly needs: "the pod" | "its events" | "its log" | "the driver's word";
  readonly find: (diagnosed: DiagnosedPod) => DiagnosisText | undefined;
}
