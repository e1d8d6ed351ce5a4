import {
  appNameLabel,
  appSelectorLabel,
  driverContainerName,
  roleLabel,
  sparkVersionLabel,
} from "../../../labels.ts";
import { collectFindings } from "../../plan/collectFindings.ts";
import { entriesWithPrefix, recordWithPrefix } from "../../conf/conf.ts";
import { driverResources } from "../driverResources.ts";
import { driverLabels, replacePlaceholders } from "../driverLabels.ts";
import { driverMemory } from "../driverMemory.ts";
import { containerPorts } from "../driverPorts.ts";
import { addProperties, type DriverContext, type DriverSpec } from "../driverSpec.ts";
import { addFindings } from "../podSpec.ts";
import { listParts } from "../../../conf/values/javaText.ts";
import { javaDouble } from "../../conf/javaText.ts";
import { append, editObject, type Json, type JsonObject } from "../../../../base/json.ts";
import { problems } from "../../plan/problems.ts";
import { readBoolean, readChoice, readConfText } from "../../conf/readConf.ts";
import type { Checked, SubmissionFinding } from "../../plan/submissionFinding.ts";
import { uploadDependencies } from "../../plan/uploads.ts";

/**
 * Sets name, labels, image, resources, ports and environment of the driver, and plans the uploads of its
 * dependencies.
 */
export function basicDriver(spec: DriverSpec, context: DriverContext): DriverSpec {
  const { findings, take } = collectFindings();
  const memory = take(driverMemory(context));
  const ports = take(containerPorts(context));
  const pullPolicy = take(
    readChoice(context, "spark.kubernetes.container.image.pullPolicy", "IfNotPresent", [
      "Always",
      "Never",
      "IfNotPresent",
    ]),
  );
  const resources = take(driverResources(context, memory.total));
  const privilege = take(privilegeEscalation(context));
  findings.push(...checkLabels(context));
  const image = driverImage(context);
  if (image === undefined) findings.push(problems.noImage());

  let { container } = spec;
  container = append(container, "env", driverEnvironment(context));
  container = append(
    container,
    "ports",
    ports.map(({ name, number }) => ({ name, containerPort: number, protocol: "TCP" })),
  );
  container = editObject(container, "resources", (before) =>
    Object.entries(resources).reduce(
      (merged, [part, amounts]) => editObject(merged, part, (own) => ({ ...own, ...amounts })),
      before,
    ),
  );
  if (privilege !== undefined) {
    container = editObject(container, "securityContext", (before) => ({
      ...before,
      allowPrivilegeEscalation: privilege,
    }));
  }
  container = {
    ...container,
    name: container["name"] ?? driverContainerName,
    image: image ?? "",
    imagePullPolicy: pullPolicy,
  };
  const made = { ...spec, pod: editPod(spec.pod, context), container };
  const withProperties = addProperties(addFindings(made, findings), {
    "spark.kubernetes.driver.pod.name": context.identity.driverPodName,
    "spark.app.id": context.identity.applicationId,
    "spark.kubernetes.submitInDriver": "true",
    "spark.kubernetes.memoryOverheadFactor": javaDouble(memory.factor),
  });
  return uploadDependencies(withProperties, context);
}

function editPod(pod: JsonObject, context: DriverContext): JsonObject {
  const { conf } = context.application;
  const annotations = replacePlaceholders(
    recordWithPrefix(conf, "spark.kubernetes.driver.annotation."),
    context,
  );
  const nodeSelector = {
    ...recordWithPrefix(conf, "spark.kubernetes.node.selector."),
    ...recordWithPrefix(conf, "spark.kubernetes.driver.node.selector."),
  };
  const pullSecrets = listParts(
    readConfText(context, "spark.kubernetes.container.image.pullSecrets") ?? "",
  );
  const scheduler =
    readConfText(context, "spark.kubernetes.driver.scheduler.name") ??
    readConfText(context, "spark.kubernetes.scheduler.name");
  const merge = (parent: JsonObject, key: string, entries: JsonObject): JsonObject => {
    const isLeftOut = Object.keys(entries).length === 0 && !context.traits.writesEmptyMaps;
    return isLeftOut
      ? parent
      : editObject({ [key]: {}, ...parent }, key, (own) => ({ ...own, ...entries }));
  };
  const metadata = editObject(pod, "metadata", (own) => {
    const labeled = merge(
      { ...own, name: context.identity.driverPodName },
      "labels",
      driverLabels(context),
    );
    return merge(labeled, "annotations", annotations);
  });
  return editObject(metadata, "spec", (own) => {
    const selected = merge({ ...own, restartPolicy: "Never" }, "nodeSelector", nodeSelector);
    const withSecrets = append(
      selected,
      "imagePullSecrets",
      pullSecrets.map((name) => ({ name })),
    );
    return scheduler === undefined ? withSecrets : { ...withSecrets, schedulerName: scheduler };
  });
}

function driverImage(context: DriverContext): string | undefined {
  const image =
    readConfText(context, "spark.kubernetes.driver.container.image") ??
    readConfText(context, "spark.kubernetes.container.image");
  return context.traits.replacesVersionInImage
    ? image?.replaceAll("{{SPARK_VERSION}}", context.sparkVersion)
    : image;
}

function driverEnvironment(context: DriverContext): readonly Json[] {
  const custom = entriesWithPrefix(context.application.conf, "spark.kubernetes.driverEnv.");
  return [
    { name: "SPARK_USER", value: sparkUser(context) },
    { name: "SPARK_APPLICATION_ID", value: context.identity.applicationId },
    ...custom.map(({ name, value }) => ({ name, value })),
    {
      name: "SPARK_DRIVER_BIND_ADDRESS",
      valueFrom: { fieldRef: { apiVersion: "v1", fieldPath: "status.podIP" } },
    },
  ];
}

function sparkUser({ application, submissionEnvironment, traits }: DriverContext): string {
  const { SPARK_USER: fromSpark, HADOOP_USER_NAME: fromHadoop } = submissionEnvironment.environment;
  const { proxyUser } = application;
  if (traits.prefersProxyUser && proxyUser !== undefined) return proxyUser;
  return fromSpark ?? proxyUser ?? fromHadoop ?? submissionEnvironment.userName;
}

function privilegeEscalation(context: DriverContext): Checked<boolean | undefined> {
  if (!context.traits.writesPrivilegeEscalation) return { value: undefined, findings: [] };
  const key = "securityContext.allowPrivilegeEscalation";
  const common = readBoolean(context, `spark.kubernetes.${key}`, false);
  const own = readBoolean(context, `spark.kubernetes.driver.${key}`, common.value);
  return { value: own.value, findings: [...common.findings, ...own.findings] };
}

function checkLabels(context: DriverContext): readonly SubmissionFinding[] {
  const reserved: ReadonlySet<string> = new Set([
    sparkVersionLabel,
    appSelectorLabel,
    appNameLabel,
    roleLabel,
  ]);
  return entriesWithPrefix(context.application.conf, "spark.kubernetes.driver.label.")
    .filter(({ name }) => reserved.has(name))
    .map(({ name, key, origin }) => problems.reservedLabel(name, key, origin));
}
