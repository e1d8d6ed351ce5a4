import assert from "node:assert/strict";
import { quickJvmOptions } from "./quickJvms.ts";
import type { TestPlace } from "./testPlace.ts";

const labels = { "app.kubernetes.io/name": "spark-history-server" };
const options = { dryRun: false, charset: false };

/**
 * Starts Spark's history server behind a Service in the namespace. It serves the event log of one application with a
 * single job. `id` is the id of that application.
 */
export async function startHistoryServer(
  { connection: { objects } }: TestPlace,
  namespace: string,
  image: string,
  id: string,
): Promise<void> {
  const signal = AbortSignal.timeout(60_000);
  const create = async (manifest: Parameters<typeof objects.create>[1]): Promise<void> => {
    const created = await objects.create(namespace, manifest, options, signal);
    assert.ok(created.ok, JSON.stringify(created));
  };
  const name = "history";
  await create({
    ...{ apiVersion: "v1", kind: "ConfigMap", metadata: { name } },
    data: { [id]: logOf(id) },
  });
  await create({
    ...{ apiVersion: "v1", kind: "Pod", metadata: { name, labels } },
    spec: {
      containers: [
        {
          ...{ name, image, imagePullPolicy: "IfNotPresent" },
          command: ["/opt/spark/bin/spark-class", "org.apache.spark.deploy.history.HistoryServer"],
          env: [
            { name: "SPARK_DAEMON_MEMORY", value: "256m" },
            { name: "SPARK_DAEMON_JAVA_OPTS", value: quickJvmOptions },
            { name: "SPARK_HISTORY_OPTS", value: "-Dspark.history.fs.logDirectory=file:/events" },
          ],
          readinessProbe: { httpGet: { path: "/", port: 18_080 }, periodSeconds: 2 },
          resources: { requests: { cpu: "100m", memory: "600Mi" } },
          volumeMounts: [{ name: "events", mountPath: "/events" }],
        },
      ],
      volumes: [{ name: "events", configMap: { name } }],
      terminationGracePeriodSeconds: 0,
    },
  });
  await create({
    ...{ apiVersion: "v1", kind: "Service", metadata: { name, labels } },
    spec: { selector: labels, ports: [{ name: "http", port: 80, targetPort: 18_080 }] },
  });
}

/** Returns the event log of an application that ran one job without stages. */
const logOf = (id: string): string =>
  [
    { Event: "SparkListenerLogStart", "Spark Version": "4.3.0" },
    {
      Event: "SparkListenerEnvironmentUpdate",
      "JVM Information": {},
      "Spark Properties": { "from.the.log": "1" },
      "Hadoop Properties": {},
      "System Properties": {},
      "Metrics Properties": {},
      "Classpath Entries": {},
    },
    {
      Event: "SparkListenerApplicationStart",
      "App Name": "naps",
      "App ID": id,
      Timestamp: 1_700_000_000_000,
      User: "tester",
    },
    {
      Event: "SparkListenerJobStart",
      "Job ID": 0,
      "Submission Time": 1_700_000_001_000,
      "Stage Infos": [],
      "Stage IDs": [],
      Properties: {},
    },
    {
      Event: "SparkListenerJobEnd",
      "Job ID": 0,
      "Completion Time": 1_700_000_002_000,
      "Job Result": { Result: "JobSucceeded" },
    },
    { Event: "SparkListenerApplicationEnd", Timestamp: 1_700_000_003_000 },
  ]
    .map((event) => JSON.stringify(event))
    .join("\n");
