// The API `sparkoperator.k8s.io/v1beta2`. Of Kubernetes' own types only the fields that must be there are
// named.
import {
  anything,
  choice,
  flag,
  integer,
  list,
  map,
  open,
  quantity,
  record,
  text,
  type Decoded,
} from "./schema.ts";

const texts = map(text);

/** Fields that the driver and the executors have alike. */
const roleFields = {
  affinity: open(),
  annotations: texts,
  configMaps: list(record({ name: text, path: text }, "name", "path")),
  coreLimit: text,
  coreRequest: text,
  cores: integer(1),
  dnsConfig: open(),
  env: list(open("name")),
  envFrom: list(open()),
  envSecretKeyRefs: map(record({ name: text, key: text }, "name", "key")),
  envVars: texts,
  gpu: record({ name: text, quantity: integer() }, "name", "quantity"),
  hostAliases: list(open("ip")),
  hostNetwork: flag,
  image: text,
  initContainers: list(open("name")),
  javaOptions: text,
  labels: texts,
  lifecycle: open(),
  memory: text,
  memoryLimit: text,
  memoryOverhead: text,
  nodeSelector: texts,
  podSecurityContext: open(),
  ports: list(
    record(
      { name: text, containerPort: integer(), protocol: text },
      "name",
      "containerPort",
      "protocol",
    ),
  ),
  priorityClassName: text,
  schedulerName: text,
  secrets: list(record({ name: text, path: text, secretType: text }, "name", "path", "secretType")),
  securityContext: open(),
  serviceAccount: text,
  shareProcessNamespace: flag,
  sidecars: list(open("name")),
  template: open(),
  terminationGracePeriodSeconds: integer(),
  tolerations: list(open()),
  volumeMounts: list(open("name", "mountPath")),
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
  ingressTLS: list(open()),
  serviceAnnotations: texts,
  serviceLabels: texts,
  servicePort: integer(),
  servicePortName: text,
  serviceType: text,
} as const;

export const kubeflowSpec = record(
  {
    arguments: list(text),
    batchScheduler: text,
    batchSchedulerOptions: record({
      priorityClassName: text,
      queue: text,
      resources: map(quantity),
    }),
    deps: record({
      archives: list(text),
      excludePackages: list(text),
      files: list(text),
      jars: list(text),
      packages: list(text),
      pyFiles: list(text),
      repositories: list(text),
    }),
    driver,
    driverIngressOptions: list(
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
    imagePullSecrets: list(text),
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
    volumes: list(open("name")),
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

/** What the API server adds is taken as it comes. */
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

export type KubeflowSpec = Decoded<typeof kubeflowSpec>;
export type ScheduledSpec = Decoded<typeof scheduledSpec>;
export type ManifestMetadata = Decoded<typeof manifestMetadata>;
