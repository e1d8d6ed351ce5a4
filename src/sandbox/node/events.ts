// Writes events in the formats of the scheduler and the kubelet.
import { createHash } from "node:crypto";
import type { Objects } from "../api/objects.ts";
import { timestamp, type SandboxClock } from "../clock.ts";
import type { JsonMembers, KubeObject } from "../kubeObject.ts";

interface Notice {
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly message: string;
}

/** Records the kubelet events of one pod. A repeated event increments `count`. */
export class PodEvents {
  readonly #objects: Objects;
  readonly #clock: SandboxClock;
  readonly #nodeName: string;
  readonly #pod: KubeObject;

  constructor(objects: Objects, clock: SandboxClock, nodeName: string, pod: KubeObject) {
    this.#objects = objects;
    this.#clock = clock;
    this.#nodeName = nodeName;
    this.#pod = pod;
  }

  /** Records an event. `fieldPath` names the container, such as `spec.containers{main}`. */
  record(notice: Notice, fieldPath?: string): void {
    const time = timestamp(this.#clock.now());
    const { namespace = "" } = this.#pod.metadata;
    // The name is a hash of the content, so a repeated event has the same name.
    const name = eventName(this.#pod, JSON.stringify([notice, fieldPath]));
    const again = this.#objects.update({ resource: "events", namespace, name }, (event) => ({
      ...event,
      count: Number(event["count"] ?? 1) + 1,
      lastTimestamp: time,
    }));
    if (again !== undefined) return;
    this.#objects.create("events", {
      ...eventOf(this.#pod, name, notice, fieldPath),
      source: { component: "kubelet", host: this.#nodeName },
      firstTimestamp: time,
      lastTimestamp: time,
      count: 1,
      eventTime: null,
      reportingComponent: "kubelet",
      reportingInstance: this.#nodeName,
    });
  }
}

export function recordScheduling(
  objects: Objects,
  clock: SandboxClock,
  pod: KubeObject,
  notice: Notice,
  action: "Binding" | "Scheduling" | "Preempting",
): void {
  const name = eventName(pod, `${notice.message} ${clock.now()}`);
  objects.create("events", {
    ...eventOf(pod, name, notice, undefined),
    source: {},
    firstTimestamp: null,
    lastTimestamp: null,
    eventTime: new Date(clock.now()).toISOString().replace("Z", "000Z"),
    action,
    reportingComponent: "default-scheduler",
    reportingInstance: "default-scheduler-sandbox",
  });
}

function eventOf(
  { metadata }: KubeObject,
  name: string,
  { type, reason, message }: Notice,
  fieldPath: string | undefined,
): KubeObject & JsonMembers {
  const { namespace = "", uid = "", resourceVersion = "" } = metadata;
  return {
    apiVersion: "v1",
    kind: "Event",
    metadata: { name, namespace },
    involvedObject: {
      kind: "Pod",
      namespace,
      name: metadata.name,
      uid,
      apiVersion: "v1",
      resourceVersion,
      ...(fieldPath === undefined ? {} : { fieldPath }),
    },
    reason,
    message,
    type,
  };
}

// Returns a name in the form of Kubernetes: the object's name and 16 hexadecimal digits.
function eventName({ metadata }: KubeObject, what: string): string {
  const seed = `${metadata.uid ?? ""} ${what}`;
  return `${metadata.name}.${createHash("sha256").update(seed).digest("hex").slice(0, 16)}`;
}
