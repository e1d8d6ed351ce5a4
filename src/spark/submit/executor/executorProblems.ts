// Errors that Spark's driver raises when it creates executors. spark-submit does not check for them.
import { msg, type Message } from "../../../base/message.ts";
import type { FindingOrigin, SubmissionFinding } from "../plan/submissionFinding.ts";

type At = FindingOrigin | undefined;

export const executorProblems = {
  cpuAboveLimit: (request: string, limit: string, at: At) =>
    error(
      "E-100",
      msg`An executor requests ${request} CPU, but its limit is ${limit}. Raise the limit.`,
      "spark.kubernetes.executor.limit.cores",
      at,
    ),
  offHeapWithoutSize: (at: At) =>
    error(
      "E-101",
      msg("Off-heap memory is enabled, but its size is less than 1 MiB."),
      "spark.memory.offHeap.size",
      at,
    ),
  badPort: (value: number, at: At) =>
    error(
      "E-102",
      msg`The port ${value} must be 0 or between 1024 and 65535.`,
      "spark.blockManager.port",
      at,
    ),
  badTemplate: (reason: Message, at: At) =>
    error(
      "E-103",
      msg`The driver cannot use the executors' pod template: ${reason}.`,
      "spark.kubernetes.executor.podTemplateFile",
      at,
    ),
  unknownStep: (name: string, at: At) =>
    error(
      "E-104",
      msg`The effect of the step "${name}" on executors is unknown. Spark fails if the image does not contain it.`,
      "spark.kubernetes.executor.pod.featureSteps",
      at,
    ),
  resourceWithoutVendor: (name: string) =>
    error(
      "E-105",
      msg`The resource "${name}" of the executors needs a vendor, such as "nvidia.com".`,
      `spark.executor.resource.${name}.vendor`,
      undefined,
    ),
  badResourceAmount: (name: string, amount: string | undefined, at: At) =>
    error(
      "E-106",
      amount === undefined
        ? msg`The resource "${name}" of the executors needs an amount.`
        : msg`The amount "${amount}" of "${name}" is not an integer.`,
      `spark.executor.resource.${name}.amount`,
      at,
    ),
  noImage: () =>
    error(
      "E-107",
      msg("The executors have no image."),
      "spark.kubernetes.container.image",
      undefined,
    ),
} as const;

function error(
  code: SubmissionFinding["code"],
  message: Message,
  key: string,
  origin: At,
): SubmissionFinding {
  return { code, severity: "error", message, key, origin };
}
