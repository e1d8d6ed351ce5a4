// What Spark's driver refuses when it makes executors, which spark-submit itself lets pass.
import type { Origin, SubmissionFinding } from "../submissionFinding.ts";

type At = Origin | undefined;

export const executorProblems = {
  cpuAboveLimit: (request: string, limit: string, at: At) =>
    error(
      "E-100",
      `An executor asks for ${request} CPU and is limited to ${limit}. Raise the limit.`,
      "spark.kubernetes.executor.limit.cores",
      at,
    ),
  offHeapWithoutSize: (at: At) =>
    error(
      "E-101",
      "Off-heap memory is switched on without a size of at least 1 MiB.",
      "spark.memory.offHeap.size",
      at,
    ),
  badPort: (value: number, at: At) =>
    error(
      "E-102",
      `The port ${value} is neither 0 nor one from 1024 to 65535.`,
      "spark.blockManager.port",
      at,
    ),
  badTemplate: (reason: string, at: At) =>
    error(
      "E-103",
      `The driver cannot use the executors' pod template: ${reason}.`,
      "spark.kubernetes.executor.podTemplateFile",
      at,
    ),
  unknownStep: (name: string, at: At) =>
    error(
      "E-104",
      `What the step "${name}" makes of an executor is not known here; Spark fails if the image lacks it.`,
      "spark.kubernetes.executor.pod.featureSteps",
      at,
    ),
  resourceWithoutVendor: (name: string) =>
    error(
      "E-105",
      `The resource "${name}" of the executors needs a vendor, such as "nvidia.com".`,
      `spark.executor.resource.${name}.vendor`,
      undefined,
    ),
  badResourceAmount: (name: string, amount: string | undefined, at: At) =>
    error(
      "E-106",
      amount === undefined
        ? `The resource "${name}" of the executors needs an amount.`
        : `The amount "${amount}" of "${name}" is not a whole number.`,
      `spark.executor.resource.${name}.amount`,
      at,
    ),
  noImage: () =>
    error("E-107", "No image for the executors.", "spark.kubernetes.container.image", undefined),
} as const;

function error(
  code: SubmissionFinding["code"],
  message: string,
  key: string,
  origin: At,
): SubmissionFinding {
  return { code, severity: "error", message, key, origin };
}
