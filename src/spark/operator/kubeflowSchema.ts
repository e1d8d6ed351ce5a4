// The API `sparkoperator.k8s.io/v1beta2`. For Kubernetes types only required fields are listed.
import {
  anything,
  choice,
  flag,
  integer,
  listOf,
  map,
  open,
  quantity,
  record,
  text,
  type DecodedField,
} from "./schema.ts";

const texts = map(text);

/** Fields of both the driver and the executors. */
const roleFields = {
  affinity: open(),
  annotations: texts,
  configMaps: listOf(record({ name: text, path: text }, "name", "path")),
  coreLimit: text,
  coreRequest: text,
  cores: integer(1),
  dnsConfig: open(),
  env: listOf(open("name")),
  envFrom: listOf(open()),
  envSecretKeyRefs: map(record({ name: text, key: text }, "name", "key")),
  envVars: texts,
  gpu: record({ name: text, quantity: integer() }, "name", "quantity"),
  hostAliases: listOf(open("ip")),
  hostNetwork: flag,
  image: text,
  initContainers: listOf(open("name")),
  javaOptions: text,
  labels: texts,
  lifecycle: open(),
  memory: text,
  memoryLimit: text,
  memoryOverhead: text,
  nodeSelector: texts,
  podSecurityContext: open(),
  ports: listOf(
    record(
      { name: text, containerPort: integer(), protocol: text },
      "name",
      "containerPort",
      "protocol",
    ),
  ),
  priorityClassName: text,
  schedulerName: text,
  secrets: listOf(
    record({ name: text, path: text, secretType: text }, "name", "path", "secretType"),
  ),
  securityContext: open(),
  serviceAccount: text,
  shareProcessNamespace: flag,
  sidecars: listOf(open("name")),
  template: open(),
  terminationGracePeriodSeconds: integer(),
  tolerations: listOf(open()),
  volumeMounts: listOf(open("name", "mountPath")),
} as const;

const driver = record({
  ...roleFields,
  kubernetesMaster: text,
  podName: text,
  serviceAnnotations: texts,
  serviceLabels: texts,
});

const executor = record({ ...roleFields, deleteOnTermination: flag, instances: integer(1) });

const exposure = {
  ingressAnnotations: texts,
  ingressTLS: listOf(open()),
  serviceAnnotations: texts,
  serviceLabels: texts,
  servicePort: integer(),
  servicePortName: text,
  serviceType: text,
} as const;

export const kubeflowSpec = record(
  {
    arguments: listOf(text),
    batchScheduler: text,
    batchSchedulerOptions: record({
      priorityClassName: text,
      queue: text,
      resources: map(quantity),
    }),
    deps: record({
      archives: listOf(text),
      excludePackages: listOf(text),
      files: listOf(text),
      jars: listOf(text),
      packages: listOf(text),
      pyFiles: listOf(text),
      repositories: listOf(text),
    }),
    driver,
    driverIngressOptions: listOf(
      record({ ...exposure, ingressURLFormat: text }, "servicePort", "servicePortName"),
    ),
    driverPodDisruptionBudget: flag,
    dynamicAllocation: record({
      enabled: flag,
      initialExecutors: integer(),
      maxExecutors: integer(),
      minExecutors: integer(),
      shuffleTrackingEnabled: flag,
      shuffleTrackingTimeout: integer(),
    }),
    executor,
    failureRetries: integer(),
    hadoopConf: texts,
    hadoopConfigMap: text,
    image: text,
    imagePullPolicy: text,
    imagePullSecrets: listOf(text),
    mainApplicationFile: text,
    mainClass: text,
    memoryOverheadFactor: text,
    mode: choice("cluster", "client"),
    monitoring: record(
      {
        exposeDriverMetrics: flag,
        exposeExecutorMetrics: flag,
        metricsProperties: text,
        metricsPropertiesFile: text,
        prometheus: record(
          {
            configFile: text,
            configuration: text,
            jmxExporterJar: text,
            port: integer(1024),
            portName: text,
          },
          "jmxExporterJar",
        ),
      },
      "exposeDriverMetrics",
      "exposeExecutorMetrics",
    ),
    nodeSelector: texts,
    proxyUser: text,
    pythonVersion: choice("2", "3"),
    restartPolicy: record({
      onFailureRetries: integer(0),
      onFailureRetryInterval: integer(1),
      onSubmissionFailureRetries: integer(0),
      onSubmissionFailureRetryInterval: integer(1),
      type: choice("Never", "OnFailure", "Always"),
    }),
    retryInterval: integer(),
    sparkConf: texts,
    sparkConfigMap: text,
    sparkUIOptions: record(exposure),
    sparkVersion: text,
    suspend: flag,
    timeToLiveSeconds: integer(),
    type: choice("Java", "Python", "Scala", "R"),
    volumes: listOf(open("name")),
  },
  "driver",
  "executor",
  "mainApplicationFile",
  "sparkVersion",
  "type",
);

export const scheduledSpec = record(
  {
    concurrencyPolicy: choice("Allow", "Forbid", "Replace"),
    failedRunHistoryLimit: integer(),
    schedule: text,
    successfulRunHistoryLimit: integer(),
    suspend: flag,
    template: kubeflowSpec,
    timeZone: text,
  },
  "schedule",
  "template",
);

/** Fields that the API server adds are not checked. */
export const manifestMetadata = record({
  annotations: texts,
  creationTimestamp: anything,
  deletionGracePeriodSeconds: anything,
  deletionTimestamp: anything,
  finalizers: anything,
  generateName: text,
  generation: anything,
  labels: texts,
  managedFields: anything,
  name: text,
  namespace: text,
  ownerReferences: anything,
  resourceVersion: anything,
  selfLink: anything,
  uid: anything,
});

export type KubeflowSpec = DecodedField<typeof kubeflowSpec>;
export type ScheduledSpec = DecodedField<typeof scheduledSpec>;
export type ManifestMetadata = DecodedField<typeof manifestMetadata>;
