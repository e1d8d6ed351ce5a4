// The API `spark.apache.org/v1`.
import { choice, integer, listOf, map, open, record, text, type DecodedField } from "./schema.ts";

const texts = map(text);
const podSpec = record({ podTemplateSpec: open() });

export const apacheSpec = record(
  {
    applicationTolerations: record({
      applicationTimeoutConfig: record({
        driverReadyTimeoutMillis: integer(),
        driverStartTimeoutMillis: integer(),
        executorStartTimeoutMillis: integer(),
        forceTerminationGracePeriodMillis: integer(),
        terminationRequeuePeriodMillis: integer(),
      }),
      instanceConfig: record({
        initExecutors: integer(),
        maxExecutors: integer(),
        minExecutors: integer(),
      }),
      resourceRetainDurationMillis: integer(),
      resourceRetainPolicy: choice("Always", "Never", "OnFailure"),
      restartConfig: record({
        maxRestartAttempts: integer(),
        maxRestartOnFailure: integer(),
        maxRestartOnSchedulingFailure: integer(),
        restartBackoffMillis: integer(),
        restartBackoffMillisForFailure: integer(),
        restartBackoffMillisForSchedulingFailure: integer(),
        restartCounterResetMillis: integer(),
        restartPolicy: choice("Always", "Never", "OnFailure", "OnInfrastructureFailure"),
      }),
      ttlAfterStopMillis: integer(),
    }),
    configMapSpecs: listOf(
      record({ annotations: texts, data: texts, labels: texts, name: text }, "name"),
    ),
    deploymentMode: choice("ClientMode", "ClusterMode"),
    driverArgs: listOf(text),
    driverGrpcRouteList: listOf(open("grpcRouteMetadata", "serviceMetadata", "serviceSpec")),
    driverHttpRouteList: listOf(open("httpRouteMetadata", "serviceMetadata", "serviceSpec")),
    driverServiceIngressList: listOf(open("ingressMetadata", "serviceMetadata", "serviceSpec")),
    driverSpec: podSpec,
    executorSpec: podSpec,
    files: text,
    jars: text,
    mainClass: text,
    proxyUser: text,
    pyFiles: text,
    runtimeVersions: record(
      { jdkVersion: text, scalaVersion: text, sparkVersion: text },
      "sparkVersion",
    ),
    sparkConf: texts,
    sparkRFiles: text,
  },
  "runtimeVersions",
);

export type ApacheSpec = DecodedField<typeof apacheSpec>;
