import { submitTokens } from "../../src/build/demo/submitTokens.ts";
import type { Connection } from "../../src/engine/ports/connection.ts";
import type { Submitted } from "../../src/engine/submit/submitPlan.ts";
import { quickJvms } from "./quickJvms.ts";
import type { TestNamespace } from "./testNamespace.ts";

export interface TestApplication {
  readonly name: string;
  readonly image: string;
  readonly sparkVersion: string;
  /** The arguments of spark-submit from `--class` or the main resource on. */
  readonly application: readonly string[];
  readonly conf: Readonly<Record<string, string>>;
}

interface ExampleArguments {
  readonly args: readonly string[];
}

/** Submits the image's `SparkdevExamples` with these arguments, small enough for two cores. */
export function submitExample(
  connection: Connection,
  namespace: TestNamespace,
  { args, ...own }: Pick<TestApplication, "image" | "name" | "conf"> & ExampleArguments,
): Promise<Submitted> {
  const jar = "local:///opt/spark/examples/jars/sparkdev-examples.jar";
  const application = ["--class", "SparkdevExamples", jar, ...args];
  const example = { ...own, sparkVersion: "4.3.0", application };
  return submitApplication(connection, namespace, example);
}

export function submitApplication(
  connection: Connection,
  { name: namespace, serviceAccount }: TestNamespace,
  { name, image, sparkVersion, application, conf }: TestApplication,
): Promise<Submitted> {
  const all = {
    "spark.kubernetes.namespace": namespace,
    "spark.kubernetes.container.image": image,
    "spark.kubernetes.authenticate.driver.serviceAccountName": serviceAccount,
    "spark.kubernetes.driver.request.cores": "0.1",
    "spark.kubernetes.executor.request.cores": "0.1",
    "spark.driver.memory": "512m",
    "spark.executor.memory": "512m",
    "spark.kubernetes.submission.waitAppCompletion": "false",
    ...quickJvms,
    ...conf,
  };
  const tokens = [
    ...["--master", "k8s://https://kubernetes.default.svc", "--deploy-mode", "cluster"],
    ...["--name", name],
    ...Object.entries(all).flatMap(([key, value]) => ["--conf", `${key}=${value}`]),
    ...application,
  ];
  return submitTokens(connection, sparkVersion, tokens, "tester");
}
