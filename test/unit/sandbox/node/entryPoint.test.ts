import assert from "node:assert/strict";
import { test } from "node:test";
import { entryPointCommand } from "../../../../src/sandbox/node/image/entryPoint.ts";

const place = {
  sparkVersion: "4.3.0",
  sparkHome: "/spark",
  workingDirectory: "/work",
  javaHome: "/java",
  driverConf: { "spark.kubernetes.driver.master": "https://127.0.0.1:1" },
};

test("submits the driver in client mode, bound to the pod's address", () => {
  const args = ["driver", "--properties-file", "/p", "--class", "A", "local:///a.jar", "x y"];
  const env = { SPARK_DRIVER_BIND_ADDRESS: "127.1.0.1" };
  assert.deepEqual(entryPointCommand(args, env, place), [
    "/spark/bin/spark-submit",
    ...["--conf", "spark.driver.bindAddress=127.1.0.1"],
    ...["--conf", "spark.executorEnv.SPARK_DRIVER_POD_IP=127.1.0.1"],
    ...["--conf", "spark.kubernetes.driver.master=https://127.0.0.1:1"],
    ...["--deploy-mode", "client"],
    ...args.slice(1),
  ]);
});

test("omits the driver's address before Spark 3.5", () => {
  const command = entryPointCommand(["driver"], {}, { ...place, sparkVersion: "3.4.4" });
  assert.doesNotMatch(command.join(" "), /SPARK_DRIVER_POD_IP/);
});

const executorEnv = {
  SPARK_DRIVER_URL: "spark://d:7078",
  SPARK_EXECUTOR_ID: "7",
  SPARK_EXECUTOR_CORES: "2",
  SPARK_EXECUTOR_MEMORY: "512m",
  SPARK_APPLICATION_ID: "spark-1",
  SPARK_EXECUTOR_POD_IP: "127.1.0.2",
  SPARK_RESOURCE_PROFILE_ID: "0",
  SPARK_EXECUTOR_POD_NAME: "pi-exec-7",
  SPARK_CONF_DIR: "/conf",
  SPARK_JAVA_OPT_10: "-Dten=1",
  SPARK_JAVA_OPT_2: "-Dtwo=a b",
  SPARK_JAVA_OPT_0: "-Dnull=1",
};

test("starts the executor backend with Java options in numeric order", () => {
  assert.deepEqual(entryPointCommand(["executor"], executorEnv, place), [
    "/java/bin/java",
    ...["-Dnull=1", "-Dtwo=a b", "-Dten=1", "-Xms512m", "-Xmx512m"],
    ...["-cp", "/conf::/spark/jars/*:/work:"],
    "org.apache.spark.scheduler.cluster.k8s.KubernetesExecutorBackend",
    ...[
      "--driver-url",
      "spark://d:7078",
      "--executor-id",
      "7",
      "--cores",
      "2",
      "--app-id",
      "spark-1",
    ],
    ...["--hostname", "127.1.0.2", "--resourceProfileId", "0", "--podName", "pi-exec-7"],
  ]);
});

test("builds the image's class path, without the working directory before Spark 3.5", () => {
  const env = {
    ...executorEnv,
    SPARK_CLASSPATH: "/own",
    SPARK_EXTRA_CLASSPATH: "/extra",
    HADOOP_CONF_DIR: "/hadoop",
    SPARK_DIST_CLASSPATH: "/dist",
  };
  const classPath = (version: string): string | undefined => {
    const command = entryPointCommand(["executor"], env, { ...place, sparkVersion: version });
    return command[command.indexOf("-cp") + 1];
  };
  assert.equal(classPath("4.3.0"), "/conf:/hadoop:/own:/spark/jars/*:/extra:/work:/dist");
  assert.equal(classPath("3.4.4"), "/conf:/hadoop:/own:/spark/jars/*:/extra:/dist");
});

test("runs any other command unchanged", () => {
  assert.deepEqual(entryPointCommand(["sh", "-c", "echo"], {}, place), ["sh", "-c", "echo"]);
  assert.deepEqual(entryPointCommand(["driver-r", "x"], {}, place), ["driver-r", "x"]);
});
