import { fieldsOf, itemsOf, numberOf, textOf, type Fields } from "../../base/json.ts";

/** Identifies an operator's custom resource within the namespace of the application. */
export interface ResourceName {
  readonly operator: "kubeflow" | "apache";
  readonly kind: "SparkApplication" | "SparkConnect";
  readonly name: string;
}

/** The state of a custom resource of an operator. */
export interface OperatorResource extends ResourceName {
  readonly namespace: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly creationTimestamp: string;
  /**
   * The operator's name of the state, such as `RUNNING` or `RunningHealthy`. Empty before the operator's first
   * reconciliation.
   */
  readonly word: string;
  readonly message: string | undefined;
  readonly outlook: ResourcePhase;
  /** True if the operator will not change the resource any more. */
  readonly hasEnded: boolean;
  /** The application id of the current attempt. Undefined if the operator does not report it. */
  readonly applicationId: string | undefined;
  readonly driverPod: string | undefined;
  /** The number of attempts, including the current one. 0 if the operator does not count them. */
  readonly attempts: number;
}

export type ResourcePhase = "waiting" | "running" | "failed" | "succeeded" | "suspended";

/** Returns the key of a resource, which can also be computed from the labels of the resource's pods. */
export const resourceKeyOf = (namespace: string, { operator, kind, name }: ResourceName): string =>
  `${namespace}/${operator}/${kind}/${name}`;

/**
 * Decodes a custom resource. Never throws: fields of an unexpected type are treated as absent. Undefined for other
 * kinds.
 */
export function decodeOperatorResource(
  apiVersion: string,
  kind: string,
  json: unknown,
): OperatorResource | undefined {
  const resource = fieldsOf(json);
  const metadata = fieldsOf(resource["metadata"]);
  const uid = textOf(metadata["uid"]);
  const name = textOf(metadata["name"]);
  const decode = decoders.get(`${apiVersion.split("/")[0] ?? ""}/${kind}`);
  if (!uid || !name || decode === undefined) return undefined;
  return {
    name,
    namespace: textOf(metadata["namespace"]) ?? "",
    uid,
    resourceVersion: textOf(metadata["resourceVersion"]) ?? "",
    creationTimestamp: textOf(metadata["creationTimestamp"]) ?? "",
    ...decode(fieldsOf(resource["status"])),
  };
}

type StatusFields = Omit<
  OperatorResource,
  "name" | "namespace" | "uid" | "resourceVersion" | "creationTimestamp"
>;

const decoders: ReadonlyMap<string, (status: Fields) => StatusFields> = new Map([
  ["sparkoperator.k8s.io/SparkApplication", decodeKubeflow],
  ["sparkoperator.k8s.io/SparkConnect", decodeConnect],
  ["spark.apache.org/SparkApplication", decodeApache],
]);

function decodeKubeflow(status: Fields): StatusFields {
  const state = fieldsOf(status["applicationState"]);
  const word = textOf(state["state"]) ?? "";
  return {
    operator: "kubeflow",
    kind: "SparkApplication",
    word,
    message: nonEmpty(state["errorMessage"]),
    outlook: kubeflowOutlooks.get(word) ?? "waiting",
    hasEnded: word === "COMPLETED" || word === "FAILED",
    applicationId: nonEmpty(status["sparkApplicationId"]),
    driverPod: nonEmpty(fieldsOf(status["driverInfo"])["podName"]),
    attempts: numberOf(status["executionAttempts"]) ?? 0,
  };
}

const kubeflowOutlooks: ReadonlyMap<string, ResourcePhase> = new Map([
  ["RUNNING", "running"],
  ["SUCCEEDING", "running"],
  ["COMPLETED", "succeeded"],
  ["FAILED", "failed"],
  ["FAILING", "failed"],
  ["SUBMISSION_FAILED", "failed"],
  ["SUSPENDING", "suspended"],
  ["SUSPENDED", "suspended"],
]);

function decodeConnect(status: Fields): StatusFields {
  const word = textOf(status["state"]) ?? "";
  const condition = itemsOf(status["conditions"]).map(fieldsOf).at(-1);
  return {
    operator: "kubeflow",
    kind: "SparkConnect",
    word,
    message: word === "Ready" ? undefined : nonEmpty(condition?.["message"]),
    outlook: connectOutlooks.get(word) ?? "waiting",
    hasEnded: word === "Completed" || word === "Failed",
    applicationId: undefined,
    driverPod: nonEmpty(fieldsOf(status["server"])["podName"]),
    attempts: numberOf(status["restartAttempts"]) ?? 0,
  };
}

const connectOutlooks: ReadonlyMap<string, ResourcePhase> = new Map([
  ["Ready", "running"],
  ["Failed", "failed"],
  ["Completed", "succeeded"],
]);

function decodeApache(status: Fields): StatusFields {
  const state = fieldsOf(status["currentState"]);
  const word = textOf(state["currentStateSummary"]) ?? "";
  const attempt = fieldsOf(fieldsOf(status["currentAttemptSummary"])["attemptInfo"]);
  const id = numberOf(attempt["id"]);
  return {
    operator: "apache",
    kind: "SparkApplication",
    word,
    message: nonEmpty(state["message"]),
    // After the end, the last state is about clean-up; the state before it is the outcome.
    outlook: apacheOutlook(apacheEnds.includes(word) ? wordBefore(status) : word),
    hasEnded: apacheEnds.includes(word),
    applicationId: undefined,
    driverPod: undefined,
    attempts: id === undefined ? 0 : id + 1,
  };
}

const apacheEnds: readonly string[] = ["ResourceReleased", "TerminatedWithoutReleaseResources"];

function wordBefore(status: Fields): string {
  const states = Object.entries(fieldsOf(status["stateTransitionHistory"]))
    .sort(([a], [b]) => Number(a) - Number(b))
    .map(([, state]) => textOf(fieldsOf(state)["currentStateSummary"]) ?? "");
  return states.filter((word) => !apacheEnds.includes(word)).at(-1) ?? "";
}

function apacheOutlook(word: string): ResourcePhase {
  if (word === "Succeeded") return "succeeded";
  if (word === "DriverReady" || /^(?:Running|Initialized)/.test(word)) return "running";
  if (/^Suspend/.test(word)) return "suspended";
  return /Fail|TimedOut|Evicted/.test(word) ? "failed" : "waiting";
}

const nonEmpty = (value: unknown): string | undefined => textOf(value) || undefined;
