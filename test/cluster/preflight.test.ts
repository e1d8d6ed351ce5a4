// Runs the pre-flight check of submissions on a real API server.
import { inEnglish } from "../../src/base/message.ts";
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { parseKubeconfigYaml } from "../../src/cluster/kubeconfig/kubeconfigYaml.ts";
import { dryRunPlan } from "../../src/engine/submit/dryRun.ts";
import type { Connection } from "../../src/engine/ports/connection.ts";
import { preflight } from "../../src/engine/submit/preflight.ts";
import type { Manifest } from "../../src/spark/submit/plan/manifest.ts";
import type { SubmissionPlan } from "../../src/spark/submit/plan/submissionPlan.ts";
import { valueOf } from "../contract/rig.ts";
import { conf, planOf } from "../unit/submit/prepared.ts";
import { requireCluster } from "./requireCluster.ts";
import { openTestPlace, type TestPlace } from "./testPlace.ts";
import { connectTo } from "./testConnection.ts";

const { kubeconfig, image } = requireCluster();
const namespace = `spark-k8s-preflight-${process.pid}`;
const soon = (): AbortSignal => AbortSignal.timeout(30_000);
const accountKey = "spark.kubernetes.authenticate.driver.serviceAccountName";

const planWith = (version: string, ...pairs: readonly string[]): SubmissionPlan =>
  planOf(
    [
      ...["--master", "k8s://https://127.0.0.1:6443", "--deploy-mode", "cluster"],
      ...["--name", "pre", "--class", "Main"],
      ...conf(
        `spark.kubernetes.container.image=${image}`,
        `spark.kubernetes.namespace=${namespace}`,
        "spark.kubernetes.driver.request.cores=0.1",
        "spark.kubernetes.executor.request.cores=0.1",
        "spark.driver.memory=512m",
        "spark.executor.memory=512m",
        ...pairs,
      ),
      "local:///x.jar",
    ],
    { version },
  );

describe("before a submission", { timeout: 120_000 }, () => {
  let place: TestPlace;
  let connection: Connection;

  const codesOf = async (plan: SubmissionPlan, from = connection): Promise<readonly string[]> =>
    (await preflight(plan, from, soon())).map(({ code }) => code);
  const create = async (manifest: Manifest): Promise<void> => {
    valueOf(
      await connection.objects.create(
        namespace,
        manifest,
        { dryRun: false, charset: false },
        soon(),
      ),
    );
  };

  before(async () => {
    place = await openTestPlace(kubeconfig, namespace);
    ({ connection } = place);
  });

  after(async () => {
    await place.close();
  });

  for (const version of ["3.4.4", "3.5.9", "4.3.0"]) {
    test(`a dry run as Spark ${version} is accepted and leaves nothing`, async () => {
      const plan = planWith(version, `${accountKey}=${place.own.serviceAccount}`);
      const results = await dryRunPlan(plan, connection, soon());
      assert.ok(results.length >= 3);
      for (const { object, outcome } of results) {
        assert.equal(outcome.kind, "accepted", `${object.kind} ${JSON.stringify(outcome)}`);
        const stored = await connection.objects.read(object, soon());
        assert.equal(stored.ok ? "there" : stored.error.kind, "notFound", object.kind);
      }
    });
  }

  test("the dry run shows what the server rejects at its object", async () => {
    const plan = planWith(
      "4.3.0",
      `${accountKey}=nobody`,
      "spark.kubernetes.driver.service.label.a=b c",
    );
    const results = await dryRunPlan(plan, connection, soon());
    const refused = results.flatMap(({ object, outcome }) =>
      outcome.kind === "refused" ? [`${object.kind} ${outcome.error.kind}`] : [],
    );
    assert.deepEqual(refused, ["Pod forbidden", "Service invalid"]);
  });

  test("a submission that will work has no findings", async () => {
    const plan = planWith("4.3.0", `${accountKey}=${place.own.serviceAccount}`);
    assert.deepEqual(await preflight(plan, connection, soon()), []);
  });

  test("the namespace's own account lacks the rights of a driver", async () => {
    const [finding] = await preflight(planWith("4.3.0"), connection, soon());
    assert.equal(finding?.code, "P-02");
    assert.match(
      inEnglish(finding.problem),
      /"default" lacks permissions in the namespace "[^"]+": pods \(create, get/,
    );
  });

  test("missing named objects are findings, existing ones are not", async () => {
    await create({
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "there" },
      stringData: { key: "v" },
    });
    const plan = planWith(
      "4.3.0",
      `${accountKey}=${place.own.serviceAccount}`,
      "spark.kubernetes.driver.secrets.there=/a",
      "spark.kubernetes.driver.secretKeyRef.A=there:key",
      "spark.kubernetes.executor.secretKeyRef.B=there:gone",
      "spark.kubernetes.executor.secrets.gone=/b",
      "spark.executor.memory=9000g",
    );
    assert.deepEqual((await codesOf(plan)).toSorted(), ["P-05", "P-07", "P-14"]);
  });

  test("quotas and limit ranges of the namespace count", async () => {
    await create({
      apiVersion: "v1",
      kind: "LimitRange",
      metadata: { name: "limits" },
      spec: { limits: [{ type: "Container", max: { memory: "800Mi" } }] },
    });
    await create({
      apiVersion: "v1",
      kind: "ResourceQuota",
      metadata: { name: "quota" },
      spec: { hard: { pods: "2", "limits.cpu": "4" } },
    });
    const plan = planWith("4.3.0", `${accountKey}=${place.own.serviceAccount}`);
    assert.deepEqual((await codesOf(plan)).toSorted(), ["P-10", "P-11", "P-11", "P-12", "P-12"]);
    // A dry run confirms that the server refuses the pod.
    const [pod] = await dryRunPlan(plan, connection, soon());
    assert.equal(pod?.outcome.kind, "refused");
  });

  test("an identity without rights sees what it lacks and what it cannot check", async () => {
    const path = join(place.folder, "nobody");
    await writeFile(path, JSON.stringify(await impersonating("spark-k8s-nobody")), { mode: 0o600 });
    const theirs = await connectTo(place.clusters, path);
    const plan = planWith("4.3.0", `${accountKey}=${place.own.serviceAccount}`);
    const findings = await preflight(plan, theirs, soon());
    assert.deepEqual(
      findings.map(({ code, severity }) => `${code} ${severity}`),
      ["P-01 error", "P-90 unknown"],
    );
    // One finding lists all resources that could not be checked.
    for (const kind of ["resourcequotas", "limitranges", "nodes"]) {
      assert.match(inEnglish(findings[1]?.reason) ?? "", new RegExp(kind));
    }
    assert.match(inEnglish(findings[0]?.problem) ?? "", /pods \(create, delete, get, watch\)/);
    theirs.dispose();
  });
});

/** Returns the kubeconfig with every user impersonating `name`. */
async function impersonating(name: string): Promise<unknown> {
  const yaml = parseKubeconfigYaml(await readFile(kubeconfig, "utf8"));
  assert.ok(yaml.ok);
  const config = yaml.value as { users: { name: string; user: object }[] };
  return {
    ...config,
    users: config.users.map((entry) => ({ ...entry, user: { ...entry.user, as: name } })),
  };
}
