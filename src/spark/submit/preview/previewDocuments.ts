import { msg, verbatim, type Message, type ShowMessage } from "../../../base/message.ts";
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

interface PreviewDocument {
  readonly title: string;
  readonly language: "yaml";
  readonly text: string;
}

/**
 * Returns the documents of a preview: the driver, its objects, an executor, and the totals. Secrets are redacted, so
 * the documents differ from the sent objects.
 */
export function previewDocuments(
  plan: SubmissionPlan,
  { mask = plainMask, known = [] }: Pick<Redaction, "mask" | "known">,
  show: ShowMessage,
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
  const document = (title: Message, value: unknown, comments: readonly Message[]) => ({
    title: show(title),
    language: "yaml" as const,
    text: printYaml(inReadingOrder(value), [
      ...comments.map((words) => redactText(redactKnown(show(words), known, mask), isSecret, mask)),
      ...(isSecret.problem === undefined ? [] : [show(isSecret.problem)]),
    ]),
  });
  return [
    document(msg("Totals"), redactObject(describeTotals(plan, show), redacted), []),
    ...driver.map(({ manifest }) =>
      document(msg("Driver pod"), redactManifest(manifest, redacted), []),
    ),
    ...others.map(({ manifest }) =>
      document(
        verbatim(`${manifest.kind} ${manifest.metadata.name}`),
        redactManifest(shownManifest(manifest, plan, show), redacted),
        manifest.metadata.name === plan.identity.configMapName
          ? [
              msg(
                "The cluster stores spark.properties as one string. Here it is decoded and sorted.",
              ),
            ]
          : [],
      ),
    ),
    document(msg("Executor pod"), redactManifest(executor.value, redacted), [
      msg("The driver creates this pod unless the application changes its conf."),
      ...executor.findings.map(({ message }) => message),
    ]),
  ];
}

const readFirst = ["apiVersion", "kind", "metadata", "name", "namespace", "image"];

/** Moves the fields of `readFirst` to the start of every object. Keeps the order of the other fields. */
function inReadingOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inReadingOrder);
  if (typeof value !== "object" || value === null) return value;
  const members = new Map<string, unknown>(Object.entries(value));
  const first = readFirst.filter((key) => members.has(key));
  const keys = new Set([...first, ...members.keys()]);
  return Object.fromEntries([...keys].map((key) => [key, inReadingOrder(members.get(key))]));
}

function describeTotals(plan: SubmissionPlan, show: ShowMessage): JsonObject {
  const unlimited = show(msg("unlimited"));
  const totals = planTotals(plan);
  const { minimum, initial, maximum } = totals.executors;
  const isFixed = minimum === maximum;
  return {
    driver: describeAmounts(totals.driver),
    executor: describeAmounts(totals.executor),
    executors: isFixed ? initial : { minimum, initial, maximum: maximum ?? unlimited },
    total: isFixed
      ? describeAmounts(totals.initial)
      : {
          minimum: describeAmounts(totals.minimum),
          initial: describeAmounts(totals.initial),
          maximum: totals.maximum ? describeAmounts(totals.maximum) : unlimited,
        },
    ...(plan.code === undefined ? {} : { sent: describeCode(plan.code, show) }),
    ...(plan.uploads.length === 0
      ? {}
      : { uploads: plan.uploads.map(({ path, target }) => ({ from: path, to: target })) }),
    after: show(describeFollow(plan)),
  };
}

/** Replaces the bytes of sent files by their sizes. */
function shownManifest(
  manifest: Manifest,
  { identity, code }: SubmissionPlan,
  show: ShowMessage,
): Manifest {
  if (manifest.metadata.name !== codeConfigMapName(identity)) return manifest;
  const sizes = keyedFiles(code?.files ?? []).map(
    ([key, { size }]) => [key, `(${show(bytesOf(size))})`] as const,
  );
  return { ...manifest, binaryData: Object.fromEntries(sizes) };
}

const bytesOf = (size: number): Message => msg`${size} bytes`;

function describeCode({ files, delivery }: PlannedCode, show: ShowMessage): JsonObject {
  const ways = {
    configMap: msg("in a ConfigMap"),
    stream: msg("streamed to the init container"),
  };
  return {
    delivery: show(ways[delivery.kind]),
    files: Object.fromEntries(
      files.map(({ name, size, members }) => [
        `${codeDirectory}/${name}`,
        members.length === 0
          ? show(bytesOf(size))
          : { size: show(bytesOf(size)), contains: members.map((member) => member.name) },
      ]),
    ),
  };
}

function describeFollow({ follow }: SubmissionPlan): Message {
  switch (follow.kind) {
    case "none":
      return msg("does not wait for the application");
    case "untilEnd":
      return msg("waits until the application ends");
    default:
      return assertNever(follow);
  }
}

const describeAmounts = ({ cores, memoryBytes }: PodTotals): JsonObject => ({
  cores: Number(cores.toFixed(3)),
  memory: `${Math.ceil(memoryBytes / 2 ** 20)}Mi`,
});
