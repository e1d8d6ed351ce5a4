import type { DriverContext, DriverSpec, FeatureStep } from "./driverSpec.ts";
import { addFindings } from "./podSpec.ts";
import { listParts } from "../../conf/values/javaText.ts";
import { problems } from "../plan/problems.ts";
import { readEntry } from "../conf/readConf.ts";
import type { SubmissionFinding } from "../plan/submissionFinding.ts";
import { parseVolumes } from "./volumes.ts";
import { basicDriver } from "./steps/basicDriver.ts";
import { driverCommand } from "./steps/driverCommand.ts";
import { driverCredentials } from "./steps/driverCredentials.ts";
import { driverService } from "./steps/driverService.ts";
import { envSecrets } from "./steps/envSecrets.ts";
import { hadoopConf } from "./steps/hadoopConf.ts";
import { kerberosConf } from "./steps/kerberosConf.ts";
import { localDirs } from "./steps/localDirs.ts";
import { mountSecrets } from "./steps/mountSecrets.ts";
import { mountVolumes } from "./steps/mountVolumes.ts";
import { networkPolicy } from "./steps/networkPolicy.ts";
import { podTemplate } from "./steps/podTemplate.ts";
import { podTemplateConfigMap } from "./steps/podTemplateConfigMap.ts";
import { volcano } from "./steps/volcano.ts";

const stepPackage = "org.apache.spark.deploy.k8s.features.";
const volcanoName = `${stepPackage}VolcanoFeatureStep`;
const excludedKey = "spark.kubernetes.driver.pod.excludedFeatureSteps";
const userStepsKey = "spark.kubernetes.driver.pod.featureSteps";

const builtIn: readonly (readonly [string, FeatureStep])[] = [
  ["BasicDriverFeatureStep", basicDriver],
  ["DriverKubernetesCredentialsFeatureStep", driverCredentials],
  ["DriverServiceFeatureStep", driverService],
  ["NetworkPolicyFeatureStep", networkPolicy],
  ["MountSecretsFeatureStep", (spec, context) => mountSecrets(spec, context, "driver")],
  ["EnvSecretsFeatureStep", (spec, context) => envSecrets(spec, context, "driver")],
  ["MountVolumesFeatureStep", mountVolumes],
  ["DriverCommandFeatureStep", driverCommand],
  ["HadoopConfDriverFeatureStep", hadoopConf],
  ["KerberosConfDriverFeatureStep", kerberosConf],
  ["PodTemplateConfigMapStep", podTemplateConfigMap],
  [
    "LocalDirsFeatureStep",
    (spec, context) => localDirs(spec, context, context.identity.localDirectory),
  ],
];

/** Builds the driver's spec: applies all feature steps to the pod template, in Spark's order. */
export function buildDriverSpec(context: DriverContext): DriverSpec {
  const excluded = excludedSteps(context);
  const start = podTemplate(emptySpec, context);
  const checked = addFindings(start, checkBeforeSteps(context));
  return namedSteps(context).reduce((spec, [name, step]) => {
    const after = step(spec, context);
    // Keeps the findings of an excluded step, because Spark constructs this step too and fails on its errors.
    return excluded.has(name) ? { ...spec, findings: after.findings } : after;
  }, checked);
}

const emptySpec: DriverSpec = {
  pod: {},
  container: {},
  systemProperties: new Map(),
  preResources: [],
  resources: [],
  uploads: [],
  findings: [],
};

function namedSteps(context: DriverContext): readonly (readonly [string, FeatureStep])[] {
  const own = builtIn
    .filter(([, step]) => step !== networkPolicy || context.traits.hasNetworkPolicy)
    .map(([name, step]) => [`${stepPackage}${name}`, step] as const);
  return usesVolcano(context) ? [...own, [volcanoName, volcano]] : own;
}

function usesVolcano(context: DriverContext): boolean {
  return context.traits.hasVolcanoStep && userSteps(context).includes(volcanoName);
}

function userSteps(context: DriverContext): readonly string[] {
  return listParts(readEntry(context, userStepsKey)?.value ?? "");
}

function excludedSteps(context: DriverContext): ReadonlySet<string> {
  return new Set(
    context.traits.hasExcludedSteps ? listParts(readEntry(context, excludedKey)?.value ?? "") : [],
  );
}

function checkBeforeSteps(context: DriverContext): readonly SubmissionFinding[] {
  const { application, traits } = context;
  const executorVolumes = parseVolumes(application.conf, "executor", traits);
  const unknown = userSteps(context).filter(
    (name) => name !== volcanoName || !traits.hasVolcanoStep,
  );
  const isUnnamed = excludedSteps(context).has(`${stepPackage}BasicDriverFeatureStep`);
  return [
    ...executorVolumes.findings,
    ...unknown.map((name) =>
      problems.unknownFeatureStep(name, readEntry(context, userStepsKey)?.origin),
    ),
    ...(isUnnamed ? [problems.unnamedPod(readEntry(context, excludedKey)?.origin)] : []),
  ];
}
