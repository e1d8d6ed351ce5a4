import { listParts } from "../../conf/values/javaText.ts";
import { append, editObject, isJsonObject, type JsonObject } from "../../../base/json.ts";
import type { Manifest } from "../plan/manifest.ts";
import { readEntry } from "../conf/readConf.ts";
import type { Checked } from "../plan/submissionFinding.ts";
import { executorProblems } from "./executorProblems.ts";
import type { ExecutorContext, ExecutorSpec, ExecutorStep } from "./executorSpec.ts";
import { addFindings } from "../driver/podSpec.ts";
import { basicExecutor } from "./steps/basicExecutor.ts";
import { executorCredentials } from "./steps/executorCredentials.ts";
import { executorHadoopConf } from "./steps/executorHadoopConf.ts";
import { executorPodGroup } from "./steps/executorPodGroup.ts";
import { executorTemplate } from "./steps/executorTemplate.ts";
import { executorVolumes } from "./steps/executorVolumes.ts";
import { envSecrets } from "../driver/steps/envSecrets.ts";
import { localDirs } from "../driver/steps/localDirs.ts";
import { mountSecrets } from "../driver/steps/mountSecrets.ts";

const stepPackage = "org.apache.spark.deploy.k8s.features.";
const volcanoName = `${stepPackage}VolcanoFeatureStep`;
const userStepsKey = "spark.kubernetes.executor.pod.featureSteps";
const excludedKey = "spark.kubernetes.executor.pod.excludedFeatureSteps";

const builtIn: readonly (readonly [string, ExecutorStep])[] = [
  ["BasicExecutorFeatureStep", basicExecutor],
  ["ExecutorKubernetesCredentialsFeatureStep", executorCredentials],
  ["MountSecretsFeatureStep", (spec, context) => mountSecrets(spec, context, "executor")],
  ["EnvSecretsFeatureStep", (spec, context) => envSecrets(spec, context, "executor")],
  ["MountVolumesFeatureStep", executorVolumes],
  ["HadoopConfExecutorFeatureStep", executorHadoopConf],
  ["LocalDirsFeatureStep", (spec, context) => localDirs(spec, context, context.localDirectory)],
];

/** Builds the pod that the driver creates for one executor. The findings are errors that the driver would raise. */
export function buildExecutor(context: ExecutorContext): Checked<Manifest> {
  const { traits } = context;
  const userSteps = readEntry(context, userStepsKey);
  const asked = listParts(userSteps?.value ?? "");
  const excluded = new Set(
    traits.hasExcludedSteps ? listParts(readEntry(context, excludedKey)?.value ?? "") : [],
  );
  const hasVolcano = traits.hasVolcanoStep && asked.includes(volcanoName);
  const steps: readonly (readonly [string, ExecutorStep])[] = [
    ...builtIn.map(([name, step]) => [`${stepPackage}${name}`, step] as const),
    ...(hasVolcano ? [[volcanoName, executorPodGroup] as const] : []),
  ];
  const unknown = asked
    .filter((name) => name !== volcanoName || !hasVolcano)
    .map((name) => executorProblems.unknownStep(name, userSteps?.origin));
  const start = addFindings(executorTemplate(emptySpec, context), unknown);
  const spec = steps
    .filter(([name]) => !excluded.has(name))
    .reduce((made, [, step]) => step(made, context), start);
  return { value: finish(spec), findings: spec.findings };
}

const emptySpec: ExecutorSpec = {
  pod: { apiVersion: "v1", kind: "Pod", metadata: {}, spec: {} },
  container: {},
  findings: [],
};

// Appends Spark's container, which is always the last one.
function finish({ pod, container }: ExecutorSpec): Manifest {
  const { metadata, ...rest } = editObject(pod, "spec", (own): JsonObject =>
    append(own, "containers", [container]),
  );
  return {
    ...rest,
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "", ...(isJsonObject(metadata) ? metadata : {}) },
  };
}
