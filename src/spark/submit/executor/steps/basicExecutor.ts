import { msg } from "../../../../base/message.ts";
import {
  appNameLabel,
  appSelectorLabel,
  executorContainerName,
  executorIdLabel,
  executorRole,
  resourceProfileIdLabel,
  roleLabel,
  sparkVersionLabel,
} from "../../../labels.ts";
import { collectFindings } from "../../plan/collectFindings.ts";
import { entriesWithPrefix, recordWithPrefix, valueOf } from "../../conf/conf.ts";
import { listParts } from "../../../conf/values/javaText.ts";
import { isDnsName } from "../../../kubernetesNames.ts";
import { append, editObject, type JsonObject } from "../../../../base/json.ts";
import { appNameLabelValue } from "../../conf/names.ts";
import { problems } from "../../plan/problems.ts";
import {
  readBoolean,
  readChoice,
  readEntry,
  readInt,
  readSeconds,
  readConfText,
} from "../../conf/readConf.ts";
import type { Checked, SubmissionFinding } from "../../plan/submissionFinding.ts";
import { executorEnvironment } from "../executorEnvironment.ts";
import { executorMemory } from "../executorMemory.ts";
import { executorProblems } from "../executorProblems.ts";
import type { ExecutorContext, ExecutorSpec } from "../executorSpec.ts";
import { addFindings, mountVolume } from "../../driver/podSpec.ts";
import { replacePreviewPlaceholders } from "../../preview/placeholders.ts";
import { executorResources } from "../executorResources.ts";

const volume = "spark-conf-volume-exec";
const portKey = "spark.blockManager.port";
const prefixKey = "spark.kubernetes.executor.podNamePrefix";
const maxHostnameLength = 63;
const maxPrefixLength = 237;
const fileMode = 420;

/** Sets name, labels, image, resources, environment and startup conf of an executor. */
export function basicExecutor(spec: ExecutorSpec, context: ExecutorContext): ExecutorSpec {
  const { findings, take } = collectFindings();
  const { traits, executorTraits } = context;
  const memory = take(executorMemory(context));
  const cores = take(readInt(context, "spark.executor.cores", 1));
  const resources = take(executorResources(context, memory.total, cores));
  const pullPolicy = take(
    readChoice(context, "spark.kubernetes.container.image.pullPolicy", "IfNotPresent", [
      "Always",
      "Never",
      "IfNotPresent",
    ]),
  );
  const port = take(readInt(context, portKey, 7079));
  if (port !== 0 && (port < 1024 || port > 65535)) {
    findings.push(executorProblems.badPort(port, readEntry(context, portKey)?.origin));
  }
  take(readInt(context, "spark.driver.port", 0));
  const image = imageOf(context);
  if (image === undefined) findings.push(executorProblems.noImage());

  let { container } = spec;
  container = append(container, "args", ["executor"]);
  container = append(container, "env", executorEnvironment(context, { heap: memory.heap, cores }));
  container = append(
    container,
    "ports",
    port === 0 ? [] : [{ name: "blockmanager", containerPort: port }],
  );
  container = editObject(container, "resources", (before) =>
    Object.entries(resources).reduce(
      (merged, [part, amounts]) => editObject(merged, part, (own) => ({ ...own, ...amounts })),
      before,
    ),
  );
  if (executorTraits.writesResizePolicy) {
    container = {
      ...container,
      resizePolicy: ["cpu", "memory"].map((resourceName) => ({
        resourceName,
        restartPolicy: "NotRequired",
      })),
    };
  }
  if (traits.writesPrivilegeEscalation) {
    const key = "securityContext.allowPrivilegeEscalation";
    const common = take(readBoolean(context, `spark.kubernetes.${key}`, false));
    const own = take(readBoolean(context, `spark.kubernetes.executor.${key}`, common));
    container = editObject(container, "securityContext", (before) => ({
      ...before,
      allowPrivilegeEscalation: own,
    }));
  }
  if (take(readBoolean(context, "spark.decommission.enabled", false))) {
    const script = readConfText(context, "spark.kubernetes.decommission.script") ?? "/opt/decom.sh";
    container = { ...container, lifecycle: { preStop: { exec: { command: [script] } } } };
  }
  container = {
    ...container,
    name: container["name"] ?? executorContainerName,
    image: image ?? "",
    imagePullPolicy: pullPolicy,
  };
  const pod = take(editPod(spec.pod, context));
  const made = addFindings({ ...spec, pod, container }, [...findings, ...checkLabels(context)]);
  const isWithout = readBoolean(context, "spark.kubernetes.executor.disableConfigMap", false);
  return addFindings(isWithout.value ? made : mountConf(made, context), isWithout.findings);
}

function editPod(pod: JsonObject, context: ExecutorContext): Checked<JsonObject> {
  const { findings, take } = collectFindings();
  const name = `${take(podNamePrefix(context))}-exec-${context.executorId}`;
  const merge = (parent: JsonObject, key: string, entries: JsonObject): JsonObject =>
    Object.keys(entries).length === 0 && !context.traits.writesEmptyMaps
      ? parent
      : editObject({ [key]: {}, ...parent }, key, (own) => ({ ...own, ...entries }));
  const { conf } = context.application;
  const withMetadata = editObject(pod, "metadata", (own) =>
    merge(
      merge({ ...own, name }, "labels", labelsOf(context)),
      "annotations",
      Object.fromEntries(
        entriesWithPrefix(conf, "spark.kubernetes.executor.annotation.").map((entry) => [
          entry.name,
          replacePreviewPlaceholders(entry.value, context),
        ]),
      ),
    ),
  );
  const scheduler =
    readConfText(context, "spark.kubernetes.executor.scheduler.name") ??
    readConfText(context, "spark.kubernetes.scheduler.name");
  const graceKey = "spark.kubernetes.executor.terminationGracePeriodSeconds";
  const grace =
    readEntry(context, graceKey) === undefined ? 30 : take(readSeconds(context, graceKey));
  const pullSecrets = listParts(
    readConfText(context, "spark.kubernetes.container.image.pullSecrets") ?? "",
  );
  const value = editObject(withMetadata, "spec", (own) => {
    const selected = merge(
      { ...own, hostname: hostnameOf(name), restartPolicy: restartPolicyOf(context) },
      "nodeSelector",
      {
        ...recordWithPrefix(conf, "spark.kubernetes.node.selector."),
        ...recordWithPrefix(conf, "spark.kubernetes.executor.node.selector."),
      },
    );
    return {
      ...append(
        selected,
        "imagePullSecrets",
        pullSecrets.map((secret) => ({ name: secret })),
      ),
      ...(context.executorTraits.hasGracePeriod ? { terminationGracePeriodSeconds: grace } : {}),
      ...(scheduler === undefined ? {} : { schedulerName: scheduler }),
    };
  });
  return { value, findings };
}

function podNamePrefix(context: ExecutorContext): Checked<string> {
  const entry = readEntry(context, prefixKey);
  if (entry === undefined) return { value: context.podNamePrefix, findings: [] };
  const isName = entry.value.length <= maxPrefixLength && isDnsName(entry.value);
  const expected = msg`a DNS name of at most ${maxPrefixLength} lowercase letters, digits, "-" and "."`;
  return {
    value: entry.value,
    findings: isName ? [] : [problems.badValue(prefixKey, entry.value, expected, entry.origin)],
  };
}

function hostnameOf(name: string): string {
  return name
    .slice(-maxHostnameLength)
    .replace(/^[^A-Za-z0-9_]+/, "")
    .replace(/[^A-Za-z0-9_-]+/g, "_");
}

function restartPolicyOf(context: ExecutorContext): string {
  const allocator = readConfText(context, "spark.kubernetes.allocation.pods.allocator");
  const isKept =
    allocator === "statefulset" ||
    (allocator === "deployment" && context.executorTraits.hasDeploymentAllocator);
  return isKept ? "Always" : "Never";
}

function labelsOf(context: ExecutorContext): Readonly<Record<string, string>> {
  const { application, traits, sparkVersion, applicationId, executorId } = context;
  const custom = entriesWithPrefix(application.conf, "spark.kubernetes.executor.label.").map(
    ({ name, value }) =>
      [
        name,
        traits.replacesPlaceholdersInLabels ? replacePreviewPlaceholders(value, context) : value,
      ] as const,
  );
  return {
    ...Object.fromEntries(custom),
    ...presetLabels(
      sparkVersion,
      applicationId,
      executorId,
      appNameLabelValue(valueOf(application.conf, "spark.app.name") ?? "spark"),
    ),
  };
}

function presetLabels(
  sparkVersion: string,
  applicationId: string,
  executorId: string,
  appName: string,
): Readonly<Record<string, string>> {
  return {
    [sparkVersionLabel]: sparkVersion,
    [executorIdLabel]: executorId,
    [appSelectorLabel]: applicationId,
    [appNameLabel]: appName,
    [roleLabel]: executorRole,
    [resourceProfileIdLabel]: "0",
  };
}

function checkLabels({ application }: ExecutorContext): readonly SubmissionFinding[] {
  const reserved = new Set(Object.keys(presetLabels("", "", "", "")));
  return entriesWithPrefix(application.conf, "spark.kubernetes.executor.label.")
    .filter(({ name }) => reserved.has(name))
    .map(({ name, key, origin }) => problems.reservedLabel(name, key, origin));
}

function imageOf(context: ExecutorContext): string | undefined {
  const image =
    readConfText(context, "spark.kubernetes.executor.container.image") ??
    readConfText(context, "spark.kubernetes.container.image");
  return context.traits.replacesVersionInImage
    ? image?.replaceAll("{{SPARK_VERSION}}", context.sparkVersion)
    : image;
}

function mountConf(
  spec: ExecutorSpec,
  { configMapName, confFiles }: ExecutorContext,
): ExecutorSpec {
  const items = confFiles.map((key) => ({ key, mode: fileMode, path: key }));
  const configMap = { name: configMapName, ...(items.length === 0 ? {} : { items }) };
  return mountVolume(spec, { name: volume, configMap }, { mountPath: "/opt/spark/conf" });
}
