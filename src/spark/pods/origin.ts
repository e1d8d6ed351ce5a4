import {
  apacheAppNameLabel,
  appNameLabel,
  appSelectorLabel,
  connectServerRole,
  kubeflowAppNameLabel,
  kubeflowConnectNameLabel,
  roleLabel,
} from "../labels.ts";
import { rehearsalLabel } from "../rehearsal.ts";
import type { Application, Origin } from "./application.ts";
import type { ResourceName } from "./operatorResource.ts";
import type { PodRecord } from "./podRecord.ts";

/**
 * What a pod's application is known by, within its namespace. The pod of a Connect server that an operator
 * keeps has no application id, and its executors have one that changes with each start.
 */
export const applicationIdOf = ({ labels, name }: PodRecord): string =>
  labels[kubeflowConnectNameLabel] ?? labels[appSelectorLabel] ?? name;

/** Spark's own id, for its REST API. */
export const sparkIdOf = ({ labels }: PodRecord): string | undefined => labels[appSelectorLabel];

export function originOf(pod: PodRecord): Origin {
  return { operator: operatorOf(pod), isConnect: isConnect(pod), user: pod.sparkUser };
}

function operatorOf({ labels }: PodRecord): ResourceName | undefined {
  const connect = labels[kubeflowConnectNameLabel];
  if (connect !== undefined) return { operator: "kubeflow", kind: "SparkConnect", name: connect };
  const kubeflow = labels[kubeflowAppNameLabel];
  if (kubeflow !== undefined) {
    return { operator: "kubeflow", kind: "SparkApplication", name: kubeflow };
  }
  const apache = labels[apacheAppNameLabel];
  return apache === undefined
    ? undefined
    : { operator: "apache", kind: "SparkApplication", name: apache };
}

const connectServerClass = "org.apache.spark.sql.connect.service.SparkConnectServer";

// A server that runs in a pod without labels of Spark shows by the name under which its executors run.
const connectServerName = "spark-connect-server";

const isConnect = ({ labels, driving }: PodRecord): boolean =>
  labels[roleLabel] === connectServerRole ||
  labels[kubeflowConnectNameLabel] !== undefined ||
  labels[appNameLabel] === connectServerName ||
  driving?.mainClass === connectServerClass;

const pythonRunner = "org.apache.spark.deploy.PythonRunner";

/** Undefined: no driver pod tells. */
export const isPython = ({ driver }: Application): boolean | undefined =>
  driver?.pod.driving?.mainClass === undefined
    ? undefined
    : driver.pod.driving.mainClass === pythonRunner;

/** Spark's own names: `<prefix>-driver` and `<prefix>-exec-<id>`, the prefix often with a random suffix. */
export function nameOf(pod: PodRecord): string {
  const { labels } = pod;
  const label = operatorOf(pod)?.name ?? labels[appNameLabel];
  if (label !== undefined && label !== "") return label;
  const stem = pod.name.replace(/-(?:driver|exec-\d+)$/, "");
  return stem.replace(/-[0-9a-f]{16}$/, "");
}

/** True for what the sandbox only acts: nothing is computed in it. */
export const isRehearsal = ({ labels }: PodRecord): boolean => labels[rehearsalLabel] === "true";
