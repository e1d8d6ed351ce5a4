import { inEnglish } from "../../../../src/base/message.ts";
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { imagePod, imageQuestion } from "../../../../src/spark/submit/packages/imagePod.ts";
import type { PackageArchive } from "../../../../src/spark/submit/packages/packageArchive.ts";
import type { DebugRequest } from "../../../../src/spark/submit/debug/debugRequest.ts";
import { localPythonProgram } from "../../../../src/spark/submit/plan/resolveSubmission.ts";
import type { SubmissionPlan } from "../../../../src/spark/submit/plan/submissionPlan.ts";
import {
  base,
  conf,
  planOf,
  podOf,
  prepare,
  propertiesOf,
  resolve,
  withOptions,
} from "../prepared.ts";

const archive: PackageArchive = {
  name: "packages-1.tar.gz",
  size: 2_000_000,
  content: { kind: "disk", path: "/cache/packages-1.tar.gz", modifiedMs: 1 },
  packages: [{ name: "six", version: "1.17.0", size: 30_000 }],
  declaredIn: "/cwd/requirements.txt",
};
const python = [...base, "local:///opt/app.py"];

function planWith(tokens: readonly string[], debug?: DebugRequest): SubmissionPlan {
  const plan = prepare(tokens, {}, { packages: archive, debug });
  if (!plan.ok) throw new Error(plan.error.map(({ message }) => inEnglish(message)).join("\n"));
  return plan.value;
}
const wrapperOf = ({ code }: SubmissionPlan): string => {
  const content = code?.files.find(({ name }) => name === "python-packages")?.content;
  return content?.kind === "inline" ? Buffer.from(content.base64, "base64").toString() : "";
};

describe("Python packages in a submission", () => {
  test("are an archive on the path of the driver and of the executors", () => {
    const plan = planWith(python);
    const properties = propertiesOf(plan);
    assert.equal(
      properties.get("spark.archives"),
      "file:/opt/spark-k8s/code/packages-1.tar.gz#spark-k8s-packages",
    );
    assert.equal(properties.get("spark.executorEnv.PYTHONPATH"), "./spark-k8s-packages");
    assert.equal(
      properties.get("spark.pyspark.driver.python"),
      "/opt/spark-k8s/code/python-packages",
    );
    assert.equal(plan.code?.delivery.kind, "stream");
    assert.match(wrapperOf(plan), /exec "\$\{PYSPARK_DRIVER_PYTHON:-/);
  });

  test("come after the user's own archives and folders", () => {
    const own = conf("spark.archives=local:///a.zip#a", "spark.executorEnv.PYTHONPATH=/mine");
    const properties = propertiesOf(planWith([...base, ...own, "local:///opt/app.py"]));
    assert.match(properties.get("spark.archives") ?? "", /^local:\/\/\/a\.zip#a,file:/);
    assert.equal(properties.get("spark.executorEnv.PYTHONPATH"), "/mine:./spark-k8s-packages");
  });

  test("start the debugger of the driver", () => {
    const debugger_ = { version: "1", size: 3, base64: "AAAA" };
    const plan = planWith(python, {
      target: "driver",
      python: debugger_,
      stopOnEntry: false,
      waitSeconds: 600,
    });
    assert.match(wrapperOf(plan), /exec "\/opt\/spark-k8s\/code\/python-debug"/);
    assert.equal(
      propertiesOf(plan).get("spark.pyspark.driver.python"),
      "/opt/spark-k8s/code/python-packages",
    );
  });

  test("are not sent with a jar, and change nothing without them", () => {
    assert.equal(planWith(withOptions()).code, undefined);
    assert.equal(propertiesOf(planOf(python)).has("spark.archives"), false);
  });

  test("small ones fit in a ConfigMap", () => {
    const content = { kind: "inline", base64: "AAAA" } as const;
    const packages = { ...archive, size: 3, content };
    const plan = prepare(python, {}, { packages });
    assert.equal(plan.ok && plan.value.code?.delivery.kind, "configMap");
  });
});

describe("the local Python program", () => {
  const files = { "/cwd/jobs/a.py": "" };
  const programOf = (...tokens: readonly string[]): string | undefined =>
    localPythonProgram(resolve(tokens, { files }));

  test("is the main file, also with an upload path", () => {
    assert.equal(programOf(...base, "jobs/a.py"), "/cwd/jobs/a.py");
    const upload = conf("spark.kubernetes.file.upload.path=s3a://b/p");
    assert.equal(programOf(...base, ...upload, "jobs/a.py"), "/cwd/jobs/a.py");
    assert.equal(programOf(...python), undefined);
    assert.equal(programOf(...withOptions()), undefined);
  });
});

describe("the question to an image", () => {
  test("is about the interpreter of the conf", () => {
    assert.deepEqual(imageQuestion(planOf(python)), { image: "img:1", python: "python3" });
    const own = [...base, ...conf("spark.pyspark.python=/opt/conda/bin/python"), "local:///a.py"];
    assert.equal(imageQuestion(planOf(own))?.python, "/opt/conda/bin/python");
  });

  test("is not asked if an archive brings the interpreter", () => {
    const own = [...base, ...conf("spark.pyspark.python=./env/bin/python"), "local:///a.py"];
    assert.equal(imageQuestion(planOf(own)), undefined);
  });

  test("is a pod with the pull secrets and the security context of the driver, and no label of Spark", () => {
    const secrets = conf("spark.kubernetes.container.image.pullSecrets=registry");
    const plan = planOf([...base, ...secrets, "local:///a.py"]);
    const pod = imagePod(plan, { image: "img:1", python: "python3" });
    const spec = pod["spec"] as { readonly [key: string]: unknown };
    assert.deepEqual(spec["imagePullSecrets"], [{ name: "registry" }]);
    assert.deepEqual(spec["securityContext"], podOf(plan).spec["securityContext"]);
    assert.equal(spec["automountServiceAccountToken"], false);
    assert.equal(pod.metadata.labels?.["spark-role"], undefined);
  });
});
