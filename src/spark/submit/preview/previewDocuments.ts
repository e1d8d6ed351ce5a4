import { assertNever } from "../../../base/assertNever.ts";
import { valueOf } from "../conf.ts";
import type { JsonObject } from "../manifest.ts";
import { minorOf } from "../sparkVersion.ts";
import type { SubmissionPlan } from "../submissionPlan.ts";
import { versionTraits } from "../versionTraits.ts";
import { previewExecutor } from "./previewExecutor.ts";
import { printYaml } from "./printYaml.ts";
import { redactObject } from "./redactObject.ts";
import { secretRule } from "../../redact.ts";
import { planTotals, type Amounts } from "./totals.ts";

export interface PreviewDocument {
  readonly title: string;
  readonly language: "yaml";
  readonly text: string;
}

/**
 * Everything that a submission makes, to read before it is made: the driver, what goes with it, an
 * executor, and what all of it asks for. Secrets are redacted, so a document is not what will be sent.
 */
export function previewDocuments(plan: SubmissionPlan): readonly PreviewDocument[] {
  const minor = minorOf(plan.sparkVersion) ?? "4.3";
  const isSecret = secretRule(
    valueOf(plan.conf, "spark.redaction.regex"),
    versionTraits[minor].redactionPattern,
  );
  const executor = previewExecutor(plan, "1");
  const driver = plan.writes.filter(({ role }) => role === "driverPod");
  const others = plan.writes.filter(({ role }) => role === "owned" || role === "preResource");
  const document = (title: string, value: unknown, comments: readonly string[]) => ({
    title,
    language: "yaml" as const,
    text: printYaml(inReadingOrder(value), comments),
  });
  return [
    document("Totals", describeTotals(plan), []),
    ...driver.map(({ manifest }) => document("Driver pod", redactObject(manifest, isSecret), [])),
    ...others.map(({ manifest }) =>
      document(
        `${manifest.kind} ${manifest.metadata.name}`,
        redactObject(manifest, isSecret),
        manifest.metadata.name === plan.identity.configMapName
          ? ["spark.properties is one text in the cluster; here it is taken apart and sorted."]
          : [],
      ),
    ),
    document("Executor pod", redactObject(executor.value, isSecret), [
      "As the driver will make it, unless the application sets its conf anew.",
      ...executor.findings.map(({ message }) => message),
    ]),
  ];
}

const readFirst = ["apiVersion", "kind", "metadata", "name", "namespace", "image"];

/** What a reader looks for first stands first, in every object of a value. */
function inReadingOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inReadingOrder);
  if (typeof value !== "object" || value === null) return value;
  const members = new Map<string, unknown>(Object.entries(value));
  const first = readFirst.filter((key) => members.has(key));
  const keys = new Set([...first, ...members.keys()]);
  return Object.fromEntries([...keys].map((key) => [key, inReadingOrder(members.get(key))]));
}

function describeTotals(plan: SubmissionPlan): JsonObject {
  const totals = planTotals(plan);
  const { minimum, initial, maximum } = totals.executors;
  const isFixed = minimum === maximum;
  return {
    driver: describeAmounts(totals.driver),
    executor: describeAmounts(totals.executor),
    executors: isFixed ? initial : { minimum, initial, maximum: maximum ?? "unlimited" },
    total: isFixed
      ? describeAmounts(totals.initial)
      : {
          minimum: describeAmounts(totals.minimum),
          initial: describeAmounts(totals.initial),
          maximum: totals.maximum ? describeAmounts(totals.maximum) : "unlimited",
        },
    ...(plan.uploads.length === 0
      ? {}
      : { uploads: plan.uploads.map(({ path, target }) => ({ from: path, to: target })) }),
    after: describeFollow(plan),
  };
}

function describeFollow({ follow }: SubmissionPlan): string {
  switch (follow.kind) {
    case "none":
      return "the submission ends when all is created";
    case "untilEnd":
      return "the submission ends with the application";
    default:
      return assertNever(follow);
  }
}

const describeAmounts = ({ cores, memoryBytes }: Amounts): JsonObject => ({
  cores: Number(cores.toFixed(3)),
  memory: `${Math.ceil(memoryBytes / 2 ** 20)}Mi`,
});
