import { assertNever } from "../../../base/assertNever.ts";
import { codeConfigMapName, keyedFiles } from "../code/deliverCode.ts";
import type { PlannedCode } from "../code/plannedCode.ts";
import { codeDirectory } from "../code/sentCode.ts";
import { valueOf } from "../conf/conf.ts";
import type { Manifest } from "../plan/manifest.ts";
import type { JsonObject } from "../../../base/json.ts";
import { minorOf } from "../conf/sparkVersion.ts";
import type { SubmissionPlan } from "../plan/submissionPlan.ts";
import { versionTraits } from "../conf/versionTraits.ts";
import { previewExecutor } from "./previewExecutor.ts";
import { printYaml } from "../../printYaml.ts";
import { redactManifest, redactObject, type Redaction } from "./redactObject.ts";
import { plainMask, secretRule } from "../../redact.ts";
import { redactKnown, redactText } from "../../redactText.ts";
import { planTotals, type PodTotals } from "./totals.ts";

export interface PreviewDocument {
  readonly title: string;
  readonly language: "yaml";
  readonly text: string;
}

/**
 * The documents of a preview: the driver, its objects, an executor, and the totals. Secrets are redacted, so
 * the documents differ from the sent objects.
 */
export function previewDocuments(
  plan: SubmissionPlan,
  { mask = plainMask, known = [] }: Pick<Redaction, "mask" | "known"> = {},
): readonly PreviewDocument[] {
  const minor = minorOf(plan.sparkVersion) ?? "4.3";
  const isSecret = secretRule(
    valueOf(plan.conf, "spark.redaction.regex"),
    versionTraits[minor].redactionPattern,
  );
  const redacted = { isSecret, mask, known };
  const executor = previewExecutor(plan, "1");
  const driver = plan.writes.filter(({ role }) => role === "driverPod");
  const others = plan.writes.filter(({ role }) => role === "owned" || role === "preResource");
  const document = (title: string, value: unknown, comments: readonly string[]) => ({
    title,
    language: "yaml" as const,
    text: printYaml(inReadingOrder(value), [
      ...comments.map((words) => redactText(redactKnown(words, known, mask), isSecret, mask)),
      ...(isSecret.problem === undefined ? [] : [isSecret.problem]),
    ]),
  });
  return [
    document("Totals", redactObject(describeTotals(plan), redacted), []),
    ...driver.map(({ manifest }) => document("Driver pod", redactManifest(manifest, redacted), [])),
    ...others.map(({ manifest }) =>
      document(
        `${manifest.kind} ${manifest.metadata.name}`,
        redactManifest(shownManifest(manifest, plan), redacted),
        manifest.metadata.name === plan.identity.configMapName
          ? ["The cluster stores spark.properties as one text. Here it is decoded and sorted."]
          : [],
      ),
    ),
    document("Executor pod", redactManifest(executor.value, redacted), [
      "The driver creates this pod unless the application changes its conf.",
      ...executor.findings.map(({ message }) => message),
    ]),
  ];
}

const readFirst = ["apiVersion", "kind", "metadata", "name", "namespace", "image"];

/** Sorts the fields of all objects by reading order. */
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
    ...(plan.code === undefined ? {} : { sent: describeCode(plan.code) }),
    ...(plan.uploads.length === 0
      ? {}
      : { uploads: plan.uploads.map(({ path, target }) => ({ from: path, to: target })) }),
    after: describeFollow(plan),
  };
}

/** The sizes of sent files in place of their bytes. */
function shownManifest(manifest: Manifest, { identity, code }: SubmissionPlan): Manifest {
  if (manifest.metadata.name !== codeConfigMapName(identity)) return manifest;
  const sizes = keyedFiles(code?.files ?? []).map(
    ([key, { size }]) => [key, `(${size} bytes)`] as const,
  );
  return { ...manifest, binaryData: Object.fromEntries(sizes) };
}

function describeCode({ files, delivery }: PlannedCode): JsonObject {
  const ways = { configMap: "by a ConfigMap", stream: "by a stream into the init container" };
  return {
    delivery: ways[delivery.kind],
    files: Object.fromEntries(
      files.map(({ name, size, members }) => [
        `${codeDirectory}/${name}`,
        members.length === 0
          ? `${size} bytes`
          : { size: `${size} bytes`, contains: members.map((member) => member.name) },
      ]),
    ),
  };
}

function describeFollow({ follow }: SubmissionPlan): string {
  switch (follow.kind) {
    case "none":
      return "the submission does not wait for the application";
    case "untilEnd":
      return "waits until the application ends";
    default:
      return assertNever(follow);
  }
}

const describeAmounts = ({ cores, memoryBytes }: PodTotals): JsonObject => ({
  cores: Number(cores.toFixed(3)),
  memory: `${Math.ceil(memoryBytes / 2 ** 20)}Mi`,
});
