// A short-lived pod that prints version, platform and packages of its image's Python.
import {
  fieldAt,
  fieldsOf,
  itemsOf,
  textAt,
  type Json,
  type JsonObject,
} from "../../../base/json.ts";
import { valueOf } from "../conf/conf.ts";
import type { Manifest } from "../plan/manifest.ts";
import type { SubmissionPlan } from "../plan/submissionPlan.ts";
import { imageScript } from "./imagePython.ts";

/** An image and the interpreter in it that runs the driver's program. */
export interface ImageQuestion {
  readonly image: string;
  /** A name or an absolute path in the image. */
  readonly python: string;
}

/**
 * Returns the image and interpreter of a plan's driver. Undefined if the driver has no image. Also undefined if the
 * interpreter has a relative path: it then comes from an archive, which contains the packages. Does not check that the
 * application is a Python program.
 */
export function imageQuestion({
  conf,
  writes,
}: Pick<SubmissionPlan, "conf" | "writes">): ImageQuestion | undefined {
  const container = sparkContainer(driverPodOf({ writes }));
  const image = textAt(container, "image");
  const env = itemsOf(fieldAt(container, "env"));
  const variable = (name: string): string | undefined =>
    textAt(
      env.find((one) => textAt(one, "name") === name),
      "value",
    );
  const python = valueOf(conf, "spark.pyspark.python") ?? variable("PYSPARK_PYTHON") ?? "python3";
  const isOfImage = python.startsWith("/") || !python.includes("/");
  return image !== undefined && isOfImage ? { image, python } : undefined;
}

export const imageContainer = "python";

/**
 * Returns a pod with the driver's pull secrets, node selection and security context. The pod ends after five minutes at
 * the latest.
 */
export function imagePod(
  plan: Pick<SubmissionPlan, "identity" | "writes">,
  { image, python }: ImageQuestion,
): Manifest {
  const pod = driverPodOf(plan);
  const spec = fieldsOf(fieldAt(pod, "spec"));
  const container = sparkContainer(pod);
  const resources = { cpu: "500m", memory: "256Mi" };
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name: `${plan.identity.prefix}-python`,
      namespace: plan.identity.namespace,
      labels: { "app.kubernetes.io/managed-by": "spark-k8s", "sidecar.istio.io/inject": "false" },
    },
    spec: {
      ...copied(spec, podKeys),
      restartPolicy: "Never",
      activeDeadlineSeconds: 300,
      automountServiceAccountToken: false,
      containers: [
        {
          name: imageContainer,
          image,
          ...copied(fieldsOf(container), ["imagePullPolicy", "securityContext"]),
          command: [python, "-c", imageScript],
          resources: { requests: { cpu: "50m", memory: "64Mi" }, limits: resources },
        },
      ],
    },
  };
}

const podKeys = [
  "affinity",
  "imagePullSecrets",
  "nodeSelector",
  "priorityClassName",
  "runtimeClassName",
  "securityContext",
  "serviceAccountName",
  "tolerations",
];

const copied = (from: Readonly<Record<string, unknown>>, keys: readonly string[]): JsonObject =>
  Object.fromEntries(
    keys.flatMap((key) => (from[key] === undefined ? [] : [[key, from[key] as Json] as const])),
  );

const driverPodOf = ({ writes }: Pick<SubmissionPlan, "writes">): Manifest | undefined =>
  writes.find(({ role }) => role === "driverPod")?.manifest;

/** Returns Spark's container, which is the last one. */
const sparkContainer = (pod: Manifest | undefined): unknown =>
  itemsOf(fieldAt(fieldAt(pod, "spec"), "containers")).at(-1);
