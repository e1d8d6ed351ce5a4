import {
  apacheAppNameLabel,
  appNameLabel,
  appSelectorLabel,
  connectServerRole,
  kubeflowAppNameLabel,
  kubeflowConnectNameLabel,
  roleLabel,
} from "../labels.ts";
import { simulationLabel } from "../simulation.ts";
import { runnerClass } from "../runnerClass.ts";
import type { Application, Origin } from "./application.ts";
import type { ResourceName } from "./operatorResource.ts";
import type { PodRecord } from "./podRecord.ts";

/**
 * Returns the key of a pod's application within its namespace. The pod of an operator's Connect server has no
 * application id, and its executors get a new id on each start.
 */
export const applicationIdOf = ({ labels, name }: PodRecord): string =>
  labels[kubeflowConnectNameLabel] ?? labels[appSelectorLabel] ?? name;

/** Returns Spark's application id, for the REST API. Undefined if the pod has no such label. */
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

// The application name of a Connect server. It identifies a server by its executors if the server's own pod has no
// Spark labels.
const connectServerName = "spark-connect-server";

const isConnect = ({ labels, driving }: PodRecord): boolean =>
  labels[roleLabel] === connectServerRole ||
  labels[kubeflowConnectNameLabel] !== undefined ||
  labels[appNameLabel] === connectServerName ||
  driving?.mainClass === connectServerClass;

/** True for a Python application. Undefined without a driver pod or if its main class is unknown. */
export const isPython = ({ driver }: Application): boolean | undefined =>
  driver?.pod.driving?.mainClass === undefined
    ? undefined
    : driver.pod.driving.mainClass === runnerClass.python;

/**
 * Returns the name of a pod's application: the name of its custom resource, the value of its name label, or a part of
 * the pod's name. Spark's pod names are `<prefix>-driver` and `<prefix>-exec-<id>`. The prefix often ends with a random
 * suffix.
 */
export function nameOf(pod: PodRecord): string {
  const { labels } = pod;
  const label = operatorOf(pod)?.name ?? labels[appNameLabel];
  if (label !== undefined && label !== "") return label;
  const stem = pod.name.replace(/-(?:driver|exec-\d+)$/, "");
  return stem.replace(/-[0-9a-f]{16}$/, "");
}

/** True if the sandbox simulates the pod. Then no process runs in the pod. */
export const isSimulated = ({ labels }: PodRecord): boolean => labels[simulationLabel] === "true";
