import { randomBytes } from "node:crypto";
import type { Connection } from "../../src/engine/ports.ts";
import { submitPlan, type Submitted } from "../../src/engine/submitPlan.ts";
import { systemClock } from "../../src/engine/systemClock.ts";
import type { LocalFiles } from "../../src/spark/submit/localFiles.ts";
import { prepareSubmission } from "../../src/spark/submit/prepareSubmission.ts";
import type { TestNamespace } from "./testNamespace.ts";

const nothing: LocalFiles = {
  kind: () => undefined,
  text: () => undefined,
  base64: () => undefined,
  names: () => [],
  canonical: (path) => path,
  zipText: () => undefined,
};

/** Submits an application of the image's examples, small enough for two cores. */
export async function submitExample(
  { objects }: Connection,
  { name: namespace, serviceAccount }: TestNamespace,
  image: string,
  name: string,
  args: readonly string[],
  conf: Readonly<Record<string, string>>,
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
    ...conf,
  };
  const tokens = [
    ...["--master", "k8s://https://kubernetes.default.svc", "--deploy-mode", "cluster"],
    ...["--name", name, "--class", "SparkdevExamples"],
    ...Object.entries(all).flatMap(([key, value]) => ["--conf", `${key}=${value}`]),
    "local:///opt/spark/examples/jars/sparkdev-examples.jar",
    ...args,
  ];
  const plan = prepareSubmission(
    { kind: "tokens", sparkVersion: "4.3.0", tokens },
    {
      environment: {},
      workingDirectory: "/",
      userName: "tester",
      now: Date.now(),
      randomBytes,
      files: nothing,
      fetched: new Map(),
    },
  );
  if (!plan.ok) throw new Error(plan.error.map(({ message }) => message).join("\n"));
  const uploads = { copy: () => Promise.reject(new Error("nothing is uploaded")) };
  const submitted = await submitPlan(
    plan.value,
    { objects, uploads, clock: systemClock },
    AbortSignal.timeout(60_000),
  );
  if (!submitted.ok) throw new Error(JSON.stringify(submitted.error));
  return submitted.value;
}
