import { inEnglish } from "../../../../src/base/message.ts";
import assert from "node:assert/strict";
import { test } from "node:test";
import { preflight } from "../../../../src/engine/submit/preflight.ts";
import type { Manifest } from "../../../../src/spark/submit/plan/manifest.ts";
import type { PreflightFinding } from "../../../../src/spark/submit/preflight/preflightFinding.ts";
import type { SubmissionPlan } from "../../../../src/spark/submit/plan/submissionPlan.ts";
import { checkTranslated } from "../../../pseudoLanguage.ts";
import { conf, planOf, withOptions, type Place } from "../../submit/prepared.ts";
import { fakeCluster, forbidden, type FakeContents } from "../fakeCluster.ts";

const soon = (): AbortSignal => AbortSignal.timeout(5_000);

const made = (kind: string, name: string, rest: Partial<Manifest> = {}): Manifest => ({
  apiVersion: "v1",
  kind,
  metadata: { name },
  ...rest,
});
const node = (cpu: string, memory: string, rest: Partial<Manifest> = {}): Manifest =>
  made("Node", "n1", {
    status: { allocatable: { cpu, memory }, conditions: [{ type: "Ready", status: "True" }] },
    ...rest,
  });
const quota = (hard: Record<string, string>, used: Record<string, string> = {}): Manifest =>
  made("ResourceQuota", "q", { spec: { hard }, status: { hard, used } });
const range = (limits: Record<string, Record<string, string>>): Manifest =>
  made("LimitRange", "r", { spec: { limits: [{ type: "Container", ...limits }] } });
const whole = [made("Namespace", "default"), node("8", "32Gi")];

const planWith = (pairs: readonly string[] = [], place: Place = {}): SubmissionPlan =>
  planOf(withOptions(...conf(...pairs)), place);

async function findingsOf(
  contents: FakeContents,
  plan: SubmissionPlan = planWith(),
): Promise<readonly PreflightFinding[]> {
  const manifests = [...whole, ...(contents.manifests ?? [])];
  const findings = await preflight(plan, fakeCluster({ ...contents, manifests }), soon());
  for (const { problem, reason, advice } of findings) {
    for (const message of [problem, reason, advice]) checkTranslated(message);
  }
  return findings;
}

const codesOf = async (contents: FakeContents, plan?: SubmissionPlan): Promise<readonly string[]> =>
  (await findingsOf(contents, plan)).map(({ code }) => code);

test("a submission without obstacles has no findings", async () => {
  assert.deepEqual(await findingsOf({}), []);
});

test("reports missing rights of the submitter with a Role that grants them", async () => {
  const can: FakeContents["can"] = ({ subject, verb, resource }) =>
    subject !== undefined || verb !== "patch" || resource === "pods";
  const [finding] = await findingsOf({ can, user: "ann" });
  assert.equal(finding?.code, "P-01");
  assert.match(
    inEnglish(finding.problem),
    /services \(patch\), networkpolicies \(patch\), configmaps \(patch\)/,
  );
  assert.match(finding.manifest ?? "", /kind: Role\n/);
  assert.match(finding.manifest ?? "", /- networking\.k8s\.io/);
  assert.match(finding.manifest ?? "", /kind: User\n.*name: ann\n/);
  const [nameless] = await findingsOf({ can });
  assert.match(nameless?.manifest ?? "", /name: "<your-user-name>"/);
});

test("checks rights by Spark version and by waiting for completion", async () => {
  const rightsOf = async (plan: SubmissionPlan): Promise<readonly string[]> => {
    const asked: string[] = [];
    await preflight(
      plan,
      fakeCluster({
        manifests: whole,
        can: ({ subject, verb, resource }) => {
          if (subject === undefined) asked.push(`${verb} ${resource}`);
          return true;
        },
      }),
      soon(),
    );
    return asked.toSorted();
  };
  assert.deepEqual(await rightsOf(planWith([], { version: "3.4.4" })), [
    "create configmaps",
    "create pods",
    "create services",
    "delete pods",
  ]);
  const waiting = planWith(["spark.kubernetes.submission.waitAppCompletion=true"]);
  const asked = await rightsOf(waiting);
  for (const right of ["patch networkpolicies", "get pods", "watch pods"]) {
    assert.ok(asked.includes(right), right);
  }
});

test("reviews the access of the driver's service account", async () => {
  const key = "spark.kubernetes.authenticate.driver.serviceAccountName";
  const account = made("ServiceAccount", "spark");
  const users = new Set<string | undefined>();
  const findings = await findingsOf(
    {
      manifests: [account],
      can: ({ subject, resource }) => {
        users.add(subject?.user);
        return subject === undefined || resource !== "pods";
      },
    },
    planWith([`${key}=spark`]),
  );
  assert.deepEqual([...users], [undefined, "system:serviceaccount:default:spark"]);
  assert.deepEqual(
    findings.map(({ code }) => code),
    ["P-02"],
  );
  assert.match(
    inEnglish(findings[0]?.problem) ?? "",
    /pods \(create, get, list, watch, delete, patch\)/,
  );
  assert.match(findings[0]?.manifest ?? "", /kind: ServiceAccount\n {4}name: spark/);
});

test("a service account that does not exist is the only finding about it", async () => {
  const key = "spark.kubernetes.authenticate.driver.serviceAccountName";
  const findings = await findingsOf(
    { can: ({ subject }) => subject === undefined },
    planWith([`${key}=nobody`]),
  );
  assert.deepEqual(
    findings.map(({ code, key, problem }) => [code, key, inEnglish(problem)]),
    [["P-05", key, 'The ServiceAccount "nobody" does not exist.']],
  );
  assert.equal(findings[0]?.manifest, undefined);
});

test("missing rights for cleaning up are a warning", async () => {
  const findings = await findingsOf({ can: ({ verb }) => verb !== "deletecollection" });
  assert.deepEqual(
    findings.map(({ code, severity }) => `${code} ${severity}`),
    ["P-03 warning"],
  );
});

test("reports unknown if access reviews of others are forbidden", async () => {
  const findings = await findingsOf({
    can: ({ subject }) =>
      subject === undefined ||
      forbidden("create", "localsubjectaccessreviews.authorization.k8s.io"),
  });
  assert.deepEqual(
    findings.map(({ code, severity }) => `${code} ${severity}`),
    ["P-90 unknown"],
  );
  assert.match(
    inEnglish(findings[0]?.reason) ?? "",
    /you do not have permission to create localsubjectaccessreviews/,
  );
});

test("all forbidden checks are one finding that lists them, and the rest still runs", async () => {
  const kinds = ["Namespace", "Pod", "Secret", "ServiceAccount"];
  const refused: FakeContents["refused"] = Object.fromEntries([
    ...kinds.map((kind) => [`read ${kind}`, forbidden("get", kind)] as const),
    ...["Node", "ResourceQuota", "LimitRange"].map(
      (kind) => [`list ${kind}`, forbidden("list", kind)] as const,
    ),
  ]);
  const findings = await findingsOf(
    { refused, can: () => forbidden("create", "reviews") },
    planWith([
      "spark.kubernetes.driver.pod.name=mine",
      "spark.kubernetes.driver.secrets.s=/s",
      "spark.kubernetes.authenticate.driver.serviceAccountName=spark",
    ]),
  );
  assert.deepEqual(
    findings.map(({ severity, problem }) => `${severity} ${inEnglish(problem)}`),
    ["unknown 9 items could not be checked."],
  );
  const reason = inEnglish(findings[0]?.reason) ?? "";
  assert.match(reason, /^Your permissions: you do not have permission to create reviews\./);
  assert.match(reason, /The node sizes: you do not have permission to list Node\./);
});

test("referenced objects and their keys must exist", async () => {
  const plan = planWith([
    "spark.kubernetes.driver.secrets.there=/a",
    "spark.kubernetes.executor.secrets.gone=/b",
    "spark.kubernetes.driver.secretKeyRef.A=there:key",
    "spark.kubernetes.executor.secretKeyRef.B=there:other",
    "spark.kubernetes.container.image.pullSecrets=pull",
    "spark.kubernetes.hadoop.configMapName=hadoop",
    "spark.kubernetes.authenticate.driver.serviceAccountName=nobody",
    "spark.kubernetes.executor.volumes.persistentVolumeClaim.v.mount.path=/m",
    "spark.kubernetes.executor.volumes.persistentVolumeClaim.v.options.claimName=claim",
  ]);
  const manifests = [made("Secret", "there", { data: { key: "" } })];
  const findings = await findingsOf({ manifests }, plan);
  assert.deepEqual(
    findings.map(({ code, problem }) => `${code} ${inEnglish(problem)}`).toSorted(),
    [
      'P-05 The ConfigMap "hadoop" does not exist.',
      'P-05 The PersistentVolumeClaim "claim" does not exist.',
      'P-05 The Secret "gone" does not exist.',
      'P-05 The ServiceAccount "nobody" does not exist.',
      'P-06 The image pull Secret "pull" does not exist.',
      'P-07 The Secret "there" has no key "other".',
    ],
  );
});

test("does not look for objects that the plan or the driver creates", async () => {
  const volume = "spark.kubernetes.executor.volumes.persistentVolumeClaim.v.";
  const cluster = fakeCluster({ manifests: whole });
  await preflight(
    planWith([
      `${volume}mount.path=/m`,
      `${volume}options.claimName=OnDemand`,
      `${volume}options.storageClass=s`,
      `${volume}options.sizeLimit=1Gi`,
    ]),
    cluster,
    soon(),
  );
  assert.deepEqual(
    cluster.asked.filter((line) => line.startsWith("read")),
    ["read Namespace default"],
  );
  assert.ok(cluster.asked.includes("may create persistentvolumeclaims"));
});

test("checks the priority class and optional references of a template", async () => {
  const place = {
    files: {
      "/t.yaml": `spec:
  priorityClassName: high
  containers:
  - name: a
    envFrom: [{configMapRef: {name: soft, optional: true}}, {secretRef: {name: hard}}]`,
    },
  };
  const plan = planWith(["spark.kubernetes.driver.podTemplateFile=/t.yaml"], place);
  const findings = await findingsOf({}, plan);
  assert.deepEqual(
    findings.map(({ problem }) => inEnglish(problem)),
    ['The PriorityClass "high" does not exist.', 'The Secret "hard" does not exist.'],
  );
});

test("a fixed driver name may be in use", async () => {
  const plan = planWith(["spark.kubernetes.driver.pod.name=mine"]);
  assert.deepEqual(await codesOf({ manifests: [made("Pod", "mine")] }, plan), ["P-08"]);
});

test("reports a missing namespace", async () => {
  assert.deepEqual(await codesOf({}, planWith(["spark.kubernetes.namespace=gone"])), ["P-04"]);
});

test("a quota refuses the driver or some of the executors", async () => {
  const memory = (hard: string, used = "0"): FakeContents => ({
    manifests: [quota({ "requests.memory": hard }, { "requests.memory": used })],
  });
  assert.deepEqual(await codesOf(memory("10Gi")), []);
  assert.deepEqual(await codesOf(memory("10Gi", "9Gi")), ["P-09"]);
  const [finding] = await findingsOf(memory("10Gi", "7Gi"));
  assert.equal(finding?.code, "P-10");
  assert.match(inEnglish(finding.problem), /enough requests\.memory for only 1 executor of 2/);
  assert.deepEqual(await codesOf({ manifests: [quota({ pods: "1" })] }), ["P-10"]);
  assert.deepEqual(await codesOf({ manifests: [quota({ services: "0" })] }), ["P-09"]);
});

test("a quota on limits needs limits from the conf or a limit range", async () => {
  const limits = quota({ "limits.cpu": "20" });
  const findings = await findingsOf({ manifests: [limits] });
  assert.deepEqual(
    findings.map(({ code, key }) => `${code} ${key ?? ""}`),
    ["P-11 spark.kubernetes.driver.limit.cores", "P-11 spark.kubernetes.executor.limit.cores"],
  );
  assert.deepEqual(await codesOf({ manifests: [limits, range({ default: { cpu: "2" } })] }), []);
  const plan = planWith([
    "spark.kubernetes.driver.limit.cores=1",
    "spark.kubernetes.executor.limit.cores=1",
  ]);
  assert.deepEqual(await codesOf({ manifests: [limits] }, plan), []);
});

test("a limit range bounds requests", async () => {
  assert.deepEqual(await codesOf({ manifests: [range({ max: { memory: "2Gi" } })] }), []);
  assert.deepEqual(await codesOf({ manifests: [range({ max: { memory: "1Gi" } })] }), [
    "P-12",
    "P-12",
  ]);
  assert.deepEqual(await codesOf({ manifests: [range({ min: { cpu: "2" } })] }), ["P-12", "P-12"]);
});

test("a default limit may not be below the request", async () => {
  const findings = await findingsOf({ manifests: [range({ default: { cpu: "500m" } })] });
  assert.deepEqual(
    findings.map(({ code, key }) => `${code} ${key ?? ""}`),
    ["P-13 spark.kubernetes.driver.limit.cores", "P-13 spark.kubernetes.executor.limit.cores"],
  );
});

test("some schedulable node must be large enough and have the labels", async () => {
  const large = planWith(["spark.executor.memory=64g"]);
  const [tooLarge] = await findingsOf({}, large);
  assert.equal(tooLarge?.code, "P-14");
  assert.match(
    inEnglish(tooLarge.problem),
    /the executor, which requests 1 CPU and 70\.4 GiB\. .* 32 GiB/,
  );
  assert.equal(tooLarge.key, "spark.executor.memory");
  assert.match(inEnglish(tooLarge.advice), /"spark\.executor\.memoryOverhead"/);
  const [tooManyCores] = await findingsOf({}, planWith(["spark.executor.cores=64"]));
  assert.equal(tooManyCores?.key, "spark.kubernetes.executor.request.cores");
  const picky = planWith(["spark.kubernetes.executor.node.selector.gpu=yes"]);
  assert.deepEqual(await codesOf({}, picky), ["P-15"]);
  const tainted = preflight(
    planWith(),
    fakeCluster({
      manifests: [
        made("Namespace", "default"),
        node("8", "32Gi", { spec: { taints: [{ key: "a", effect: "NoSchedule" }] } }),
      ],
    }),
    soon(),
  );
  assert.deepEqual(
    (await tainted).map(({ code }) => code),
    ["P-15", "P-15"],
  );
});

test("sorts by severity", async () => {
  const severities = (
    await findingsOf(
      { refused: { "list Node": forbidden("list", "nodes") } },
      planWith([
        "spark.kubernetes.driver.secrets.gone=/s",
        "spark.kubernetes.executor.container.image=spark",
      ]),
    )
  ).map(({ severity }) => severity);
  assert.deepEqual(severities, ["error", "warning", "unknown"]);
});

test("rejects with an AbortError on abort", async () => {
  await assert.rejects(preflight(planWith(), fakeCluster(), AbortSignal.abort()), {
    name: "AbortError",
  });
});
