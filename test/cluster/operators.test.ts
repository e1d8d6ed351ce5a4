// Sends manifests for the operators to a real API server as dry runs, which validate them against the custom resource
// definitions. Needs no operator; if one is installed, its own definitions apply.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { KubeConfig } from "@kubernetes/client-node";
import fc from "fast-check";
import { convert, type SubmissionForm } from "../../src/spark/operator/convert.ts";
import { decodeManifests } from "../../src/spark/operator/decodeManifests.ts";
import { planOperatorAction } from "../../src/spark/operator/operatorPlan.ts";
import { isJsonObject, objectAt, textAt, type Json, type JsonObject } from "../../src/base/json.ts";
import { lineTokens } from "../unit/operator/arbitraryForms.ts";
import { place } from "../unit/operator/conversions.ts";
import { askOver } from "./ask.ts";
import { installDefinitions } from "./crds/installDefinitions.ts";
import { requireCluster } from "./requireCluster.ts";

const cluster = requireCluster();
const config = new KubeConfig();
config.loadFromFile(cluster.kubeconfig);
const namespace = cluster.namespace ?? "default";
const ask = askOver(config);
const strictly = "?dryRun=All&fieldValidation=Strict";

function pathOf(object: JsonObject): string {
  const plural = `${textAt(object, "kind") ?? ""}s`.toLowerCase();
  return `/apis/${textAt(object, "apiVersion") ?? ""}/namespaces/${namespace}/${plural}`;
}

/** Moves a manifest to the test's namespace, the only namespace that is sure to exist. */
const here = (manifest: JsonObject): JsonObject => ({
  ...manifest,
  metadata: { ...objectAt(manifest, "metadata"), namespace },
});

async function checkTaken(manifest: JsonObject): Promise<void> {
  const { status, body } = await ask("POST", pathOf(manifest) + strictly, here(manifest));
  assert.equal(status, 201, `${textAt(body, "message") ?? ""}\n${JSON.stringify(manifest)}`);
}

const manifestOf = (form: SubmissionForm): JsonObject => {
  assert.ok(form.kind === "kubeflow" || form.kind === "apache");
  return form.manifest;
};

describe("objects for the operators", () => {
  let forget: () => Promise<void>;

  before(async () => {
    forget = await installDefinitions(ask);
  });

  after(() => forget());

  for (const kind of ["kubeflow", "apache"] as const) {
    test(`the server accepts objects of the ${kind} API made from any command line`, async () => {
      await fc.assert(
        fc.asyncProperty(lineTokens, async (tokens) => {
          const line = { kind: "tokens", sparkVersion: "4.3.0", tokens } as const;
          await checkTaken(manifestOf(convert({ kind: "line", line }, kind, place).form));
        }),
        { numRuns: 60 },
      );
    });
  }

  test("the server accepts objects with pod templates", async () => {
    const template =
      "spec: { containers: [{ name: x, tty: true }], tolerations: [{ operator: Exists }] }";
    const tokens = [
      ...["--deploy-mode", "cluster", "--name", "pi"],
      ...["--conf", "spark.kubernetes.driver.podTemplateFile=x"],
      ...["--conf", "spark.kubernetes.executor.podTemplateFile=x", "local:///a.py"],
    ];
    const source = {
      kind: "line",
      line: { kind: "tokens", sparkVersion: "4.3.0", tokens },
    } as const;
    for (const kind of ["kubeflow", "apache"] as const) {
      const { form } = convert(source, kind, { ...place, readFile: () => template });
      await checkTaken(manifestOf(form));
    }
  });

  const kubeflow = `apiVersion: sparkoperator.k8s.io/v1beta2
kind: SparkApplication
metadata: { name: judged }
spec:
  type: Scala
  sparkVersion: 4.3.0
  mainApplicationFile: local:///a.jar
  driver: {}
  executor: {}
`;
  const apache = `apiVersion: spark.apache.org/v1
kind: SparkApplication
metadata: { name: judged }
spec:
  mainClass: A
  runtimeVersions: { sparkVersion: 4.2.0 }
`;

  for (const text of [
    kubeflow,
    apache,
    kubeflow.replace("Scala", "scala"),
    kubeflow.replace("  sparkVersion: 4.3.0\n", ""),
    kubeflow.replace("driver: {}", "driver: { cores: 0 }"),
    kubeflow.replace("driver: {}", "driver: { cores: 0.5 }"),
    kubeflow.replace("driver: {}", 'driver: { cores: "1" }'),
    kubeflow.replace("driver: {}", "driver: { memory: 512 }"),
    kubeflow.replace("driver: {}", "driver: { coreRequests: 1m }"),
    kubeflow.replace("driver: {}", "driver: { nodeSelector: { spot: yes } }"),
    kubeflow.replace("driver: {}", "driver: { nodeSelector: { 1: a, y: b } }"),
    kubeflow.replace("driver: {}", "driver:"),
    kubeflow.replace("driver: {}", "driver: { ports: [{ name: a, containerPort: 1 }] }"),
    `${kubeflow}  sparkConf: { spark.a: , spark.b: c }\n`,
    `${kubeflow}  sparkConf: { spark.a: 1 }\n`,
    `${kubeflow}  arguments: [a, 1]\n`,
    `${kubeflow}  arguments: [a, ~]\n`,
    `${kubeflow}  restartPolicy: { type: Sometimes }\n`,
    `${kubeflow}  volumes: [{ emptyDir: {} }]\n`,
    `${kubeflow}  memoryOverheadFactor: 0.1\n`,
    `${kubeflow}  suspend: "true"\n`,
    apache.replace("mainClass", "mainclass"),
    apache.replace("sparkVersion: 4.2.0", ""),
    `${apache}  deploymentMode: cluster\n`,
    `${apache}  driverArgs: a\n`,
    `${apache}  applicationTolerations: { restartConfig: { restartPolicy: Never } }\n`,
  ]) {
    const change = text
      .split("\n")
      .filter((line) => !`${kubeflow}${apache}`.split("\n").includes(line))
      .join(" ")
      .trim();
    test(`server and decoder judge alike: ${change === "" ? "nothing wrong" : change}`, async () => {
      const { manifests, findings } = decodeManifests(text);
      const source = manifests[0]?.source;
      assert.ok(source);
      const { status, body } = await ask("POST", pathOf(source) + strictly, here(source));
      const errors = findings.filter(({ severity }) => severity === "error");
      assert.equal(
        status === 201,
        errors.length === 0,
        `${status} ${textAt(body, "message") ?? ""} against ${JSON.stringify(errors)}`,
      );
    });
  }

  test("a plan creates, resumes and deletes an application", async () => {
    // Suspended, so that operators do not start it.
    const [decoded] = decodeManifests(`${kubeflow}  suspend: true\n`).manifests;
    assert.ok(decoded);
    const name = `spark-k8s-plan-${process.pid}`;
    const manifest = { ...decoded.manifest, metadata: { name } };
    const own = { ...decoded, manifest };
    const path = pathOf(manifest);
    const planned = (kind: "submit" | "resume"): JsonObject => {
      const plan = planOperatorAction(own, { kind });
      assert.ok(plan.ok);
      const [first] = plan.value;
      assert.ok(first && first.verb !== "delete");
      const content = first.verb === "create" ? first.manifest : first.patch;
      assert.ok(isJsonObject(content as Json));
      return content as JsonObject;
    };
    assert.equal((await ask("POST", path, planned("submit"))).status, 201);
    const object = `${path}/${name}`;
    try {
      const { status, body } = await ask(
        "PATCH",
        object + strictly,
        planned("resume"),
        "application/merge-patch+json",
      );
      assert.equal(status, 200, textAt(body, "message"));
      assert.equal(objectAt(body, "spec")["suspend"], false);
    } finally {
      assert.equal((await ask("DELETE", object)).status, 200);
    }
  });
});
