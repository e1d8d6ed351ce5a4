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

export interface TestApplication {
  readonly name: string;
  readonly image: string;
  readonly sparkVersion: string;
  /** From `--class` or the main resource on. */
  readonly application: readonly string[];
  readonly conf: Readonly<Record<string, string>>;
}

/** Submits an application of the image's examples, small enough for two cores. */
export function submitExample(
  connection: Connection,
  namespace: TestNamespace,
  image: string,
  name: string,
  args: readonly string[],
  conf: Readonly<Record<string, string>>,
): Promise<Submitted> {
  const jar = "local:///opt/spark/examples/jars/sparkdev-examples.jar";
  const application = ["--class", "SparkdevExamples", jar, ...args];
  const example = { name, image, sparkVersion: "4.3.0", application, conf };
  return submitApplication(connection, namespace, example);
}

export async function submitApplication(
  { objects }: Connection,
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
    ...conf,
  };
  const tokens = [
    ...["--master", "k8s://https://kubernetes.default.svc", "--deploy-mode", "cluster"],
    ...["--name", name],
    ...Object.entries(all).flatMap(([key, value]) => ["--conf", `${key}=${value}`]),
    ...application,
  ];
  const plan = prepareSubmission(
    { kind: "tokens", sparkVersion, tokens },
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
