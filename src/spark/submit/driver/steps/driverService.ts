import { appSelectorLabel } from "../../../labels.ts";
import { collectFindings } from "../../plan/collectFindings.ts";
import { recordWithPrefix } from "../../conf/conf.ts";
import { driverLabels } from "../driverLabels.ts";
import { servicePorts } from "../driverPorts.ts";
import { addProperties, addResource, type DriverContext, type DriverSpec } from "../driverSpec.ts";
import { addFindings } from "../podSpec.ts";
import type { JsonObject } from "../../../../base/json.ts";
import { problems } from "../../plan/problems.ts";
import { readBoolean, readChoice } from "../../conf/readConf.ts";
import type { Checked } from "../../plan/submissionFinding.ts";

const prefix = "spark.kubernetes.driver.service.";
const bindAddressKey = "spark.driver.bindAddress";

/** Adds a headless Service. The executors connect to its DNS name. */
export function driverService(spec: DriverSpec, context: DriverContext): DriverSpec {
  const { application, identity, traits } = context;
  const { findings, take } = collectFindings();
  const bindAddress = application.conf.get(bindAddressKey);
  if (bindAddress) findings.push(problems.bindAddress(bindAddress.origin));
  if (!identity.serviceName.startsWith(identity.prefix)) {
    findings.push(problems.longServiceName(identity.serviceName));
  }
  const ports = take(servicePorts(context));
  const numberOf = (name: string): string =>
    `${ports.find((port) => port.name === name)?.number ?? ""}`;
  const annotations = recordWithPrefix(application.conf, `${prefix}annotation.`);
  const withService = addResource(spec, {
    apiVersion: "v1",
    kind: "Service",
    metadata: {
      name: identity.serviceName,
      labels: {
        [appSelectorLabel]: identity.applicationId,
        ...(traits.hasServiceLabels ? recordWithPrefix(application.conf, `${prefix}label.`) : {}),
      },
      ...(traits.writesEmptyMaps || Object.keys(annotations).length > 0 ? { annotations } : {}),
    },
    spec: {
      clusterIP: "None",
      selector: driverLabels(context),
      ports: ports.map(({ name, number }) => ({
        name,
        port: number,
        targetPort: number,
        ...(name === "spark-connect" && traits.namesConnectProtocol ? { appProtocol: "grpc" } : {}),
      })),
      ...(traits.hasIpFamilies ? take(ipFamilies(context)) : {}),
      ...(traits.writesNotReadyAddresses ? take(notReadyAddresses(context)) : {}),
    },
  });
  return addProperties(addFindings(withService, findings), {
    "spark.driver.host": `${identity.serviceName}.${identity.namespace}.svc`,
    "spark.driver.port": numberOf("driver-rpc-port"),
    "spark.driver.blockManager.port": numberOf("blockmanager"),
  });
}

function ipFamilies(context: DriverContext): Checked<JsonObject> {
  const policy = readChoice(context, `${prefix}ipFamilyPolicy`, "SingleStack", [
    "SingleStack",
    "PreferDualStack",
    "RequireDualStack",
  ]);
  const families = readChoice(context, `${prefix}ipFamilies`, "IPv4", [
    "IPv4",
    "IPv6",
    "IPv4,IPv6",
    "IPv6,IPv4",
  ]);
  return {
    value: { ipFamilyPolicy: policy.value, ipFamilies: families.value.split(",") },
    findings: [...policy.findings, ...families.findings],
  };
}

function notReadyAddresses(context: DriverContext): Checked<JsonObject> {
  const { value, findings } = readBoolean(context, `${prefix}publishNotReadyAddresses`, false);
  return { value: { publishNotReadyAddresses: value }, findings };
}
