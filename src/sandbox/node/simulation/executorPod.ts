// Builds executor pods in the shape that Spark's driver creates.
import {
  appNameLabel,
  appSelectorLabel,
  executorContainerName,
  executorIdLabel,
  executorRole,
  resourceProfileIdLabel,
  roleLabel,
  sparkVersionLabel,
} from "../../../spark/labels.ts";
import { textOf } from "../../../base/json.ts";
import { simulationLabel } from "../../../spark/simulation.ts";
import type { KubeObject } from "../../kubeObject.ts";
import { mebibytes, type SimulatedConf } from "./driverConf.ts";

export interface ExecutorOrder {
  readonly driver: KubeObject;
  readonly id: number;
  readonly image: string;
  readonly sparkVersion: string;
  readonly conf: SimulatedConf;
  /** Memory limit of the container as a quantity; undefined to compute it from the conf. */
  readonly memory: string | undefined;
}

/** Spark's default memory overhead: 10 % of the heap, at least 384 MiB. */
const overhead = { share: 0.1, minMib: 384 };

export function executorPod({
  driver,
  id,
  image,
  sparkVersion,
  conf,
  memory,
}: ExecutorOrder): KubeObject {
  const { name, namespace = "", uid = "", labels = {} } = driver.metadata;
  const heap = conf.get("spark.executor.memory") ?? "1g";
  const heapMib = mebibytes(heap);
  const totalMib = heapMib + Math.max(overhead.minMib, Math.floor(heapMib * overhead.share));
  const cores = conf.get("spark.executor.cores") ?? "1";
  const prefix =
    conf.get("spark.kubernetes.executor.podNamePrefix") ?? name.replace(/-driver$/, "");
  const podName = `${prefix}-exec-${id}`;
  const applicationId = textOf(labels[appSelectorLabel]) ?? "spark-simulation";
  const limits = { memory: memory ?? `${totalMib}Mi` };
  const variables = {
    SPARK_DRIVER_URL: `spark://CoarseGrainedScheduler@${name}-svc.${namespace}.svc:7078`,
    SPARK_EXECUTOR_CORES: cores,
    SPARK_EXECUTOR_MEMORY: heap,
    SPARK_APPLICATION_ID: applicationId,
    SPARK_EXECUTOR_ID: String(id),
    SPARK_RESOURCE_PROFILE_ID: "0",
  };
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name: podName,
      namespace,
      generation: 1,
      labels: {
        [appSelectorLabel]: applicationId,
        [appNameLabel]: labels[appNameLabel] ?? name,
        [roleLabel]: executorRole,
        [executorIdLabel]: String(id),
        [resourceProfileIdLabel]: "0",
        [sparkVersionLabel]: sparkVersion,
        [simulationLabel]: "true",
      },
      ownerReferences: [{ apiVersion: "v1", kind: "Pod", name, uid, controller: true }],
    },
    spec: {
      containers: [
        {
          name: executorContainerName,
          image,
          imagePullPolicy: "IfNotPresent",
          args: ["executor"],
          env: Object.entries(variables).map(([key, value]) => ({ name: key, value })),
          resources: {
            requests: {
              ...limits,
              cpu: conf.get("spark.kubernetes.executor.request.cores") ?? cores,
            },
            limits,
          },
          terminationMessagePath: "/dev/termination-log",
          terminationMessagePolicy: "File",
        },
      ],
      restartPolicy: "Never",
      terminationGracePeriodSeconds: 30,
      schedulerName: "default-scheduler",
      serviceAccountName: "default",
      dnsPolicy: "ClusterFirst",
      priority: 0,
    },
    status: { phase: "Pending", qosClass: "Burstable" },
  };
}
