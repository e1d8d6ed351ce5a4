import { inEnglish } from "../../../../src/base/message.ts";
import { checkConf } from "../../../../src/spark/submit/preflight/checkConf.ts";
import assert from "node:assert/strict";
import { test } from "node:test";
import { parseAllDocuments } from "yaml";
import {
  checkImages,
  imageNameProblem,
} from "../../../../src/spark/submit/preflight/checkImages.ts";
import { checkNames } from "../../../../src/spark/submit/preflight/checkNames.ts";
import { driverRights } from "../../../../src/spark/submit/preflight/neededRights.ts";
import { roleManifest } from "../../../../src/spark/submit/preflight/roleManifest.ts";
import { conf, planOf, withOptions } from "../prepared.ts";

const planWith = (...pairs: readonly string[]) => planOf(withOptions(...conf(...pairs)));
const badNames = (...pairs: readonly string[]): readonly string[] =>
  checkNames(planWith(...pairs)).map(({ problem }) => inEnglish(problem));

test("accepts the names of a plain submission", () => {
  assert.deepEqual(badNames(), []);
});

test("reports labels, volumes and secrets that Kubernetes would reject", () => {
  const long = "x".repeat(64);
  assert.deepEqual(badNames(`spark.kubernetes.driver.label.team=${long}`), [
    `"${long}" is not valid as the value of the label "team".`,
  ]);
  assert.deepEqual(badNames("spark.kubernetes.executor.label.a b=c"), [
    '"a b" is not valid as the key of a label.',
  ]);
  assert.deepEqual(badNames("spark.kubernetes.driver.annotation.a/b/c=d"), [
    '"a/b/c" is not valid as the key of an annotation.',
  ]);
  assert.deepEqual(badNames("spark.kubernetes.driver.secrets.My_secret=/m"), [
    '"My_secret-volume" is not valid as the name of a volume.',
  ]);
  assert.deepEqual(
    badNames("spark.kubernetes.driver.label.empty=", "spark.kubernetes.driver.label.a.b/c=d"),
    [],
  );
});

test("reports an executor prefix with a dot, which is no host name", () => {
  const [problem] = badNames("spark.kubernetes.executor.podNamePrefix=a.b");
  assert.equal(problem, '"a_b-exec-1" is not valid as a host name.');
});

test("reports two volumes with one name", () => {
  const [problem] = badNames(
    "spark.kubernetes.driver.volumes.emptyDir.v.mount.path=/a",
    "spark.kubernetes.driver.volumes.hostPath.v.mount.path=/b",
    "spark.kubernetes.driver.volumes.hostPath.v.options.path=/b",
  );
  assert.equal(problem, '"v" is not valid as the name of two volumes.');
});

test("finds keys that Spark does not know and values that it rejects", () => {
  const found = checkConf(
    planWith(
      "spark.executor.memroy=512m",
      "spark.decommission.enabled=yes",
      "spark.sql.shuffle.partitions=8",
    ),
  );
  assert.deepEqual(
    found.map(({ code, severity, key }) => [code, severity, key]),
    [
      ["P-20", "error", "spark.decommission.enabled"],
      ["P-19", "warning", "spark.executor.memroy"],
    ],
  );
});

test("accepts only valid image names", () => {
  const good = [
    "spark:4.2.1",
    "apache/spark:4.2.1-java21",
    "localhost:5000/a/b",
    "localhost/a",
    "registry.example.com:443/team_x/spark__a/b-c:v1",
    `spark@sha256:${"a".repeat(64)}`,
    `spark:4.2.1@sha256:${"0".repeat(64)}`,
    `localhost/${"a".repeat(255)}:1`,
    `spark:${"a".repeat(128)}`,
  ];
  for (const image of good) assert.equal(imageNameProblem(image), undefined, image);
  const bad = [
    "",
    "spark 4",
    "Spark:4.2.1",
    "docker://spark:4",
    "https://example.com/spark",
    "spark:",
    "spark:-x",
    "a//b",
    "/a",
    "a/",
    "spark@sha256:12",
    "spark:${VERSION}",
    "spark:{{SPARK_VERSION}}",
    "a..b:1",
    `localhost/${"a".repeat(256)}:1`,
    `spark:${"a".repeat(129)}`,
    "-host.com/x",
  ];
  for (const image of bad) assert.notEqual(imageNameProblem(image), undefined, image);
});

test("warns about an image without a fixed tag unless it is always pulled", () => {
  const codes = (...pairs: readonly string[]): readonly string[] =>
    checkImages(planWith(...pairs)).map(({ code, key }) => `${code} ${key ?? ""}`);
  const key = "spark.kubernetes.container.image";
  assert.deepEqual(codes(`${key}=spark`), [`P-18 ${key}`]);
  assert.deepEqual(codes(`${key}=spark:latest`, `${key}.pullPolicy=Always`), []);
  assert.deepEqual(codes("spark.kubernetes.executor.container.image=A:1"), [
    "P-17 spark.kubernetes.executor.container.image",
  ]);
});

test("fills in the version placeholder of an image from Spark 4.1 on", () => {
  const image = "spark.kubernetes.container.image=spark:{{SPARK_VERSION}}";
  const codes = (version: string): readonly string[] =>
    checkImages(planOf(withOptions(...conf(image)), { version })).map(({ code }) => code);
  assert.deepEqual(codes("4.0.5"), ["P-17"]);
  assert.deepEqual(codes("4.1.4"), []);
});

test("prints a Role with each permission once", () => {
  const text = roleManifest(driverRights(planWith()), "ns", "etl-driver", {
    kind: "ServiceAccount",
    name: "spark",
  });
  const [role, binding] = parseAllDocuments(text).map((document) => document.toJSON() as unknown);
  assert.deepEqual((role as { rules: unknown }).rules, [
    {
      apiGroups: [""],
      resources: ["pods"],
      verbs: ["create", "get", "list", "watch", "delete", "patch", "deletecollection"],
    },
    { apiGroups: [""], resources: ["services"], verbs: ["get", "list", "delete"] },
    {
      apiGroups: [""],
      resources: ["configmaps"],
      verbs: ["create", "list", "delete", "deletecollection"],
    },
  ]);
  assert.deepEqual((binding as { subjects: unknown }).subjects, [
    { kind: "ServiceAccount", name: "spark", namespace: "ns" },
  ]);
});

test("prints a Role for a single permission outside the core API, and a user without a name", () => {
  const right = {
    group: "apps",
    resource: "statefulsets",
    verb: "create",
    purpose: "work",
  } as const;
  const text = roleManifest([right], "ns", "etl-driver", { kind: "User", name: undefined });
  const [role, binding] = parseAllDocuments(text).map((document) => document.toJSON() as unknown);
  assert.deepEqual((role as { rules: unknown }).rules, [
    { apiGroups: ["apps"], resources: ["statefulsets"], verbs: ["create"] },
  ]);
  const apiGroup = "rbac.authorization.k8s.io";
  assert.deepEqual(binding, {
    apiVersion: `${apiGroup}/v1`,
    kind: "RoleBinding",
    metadata: { name: "etl-driver", namespace: "ns" },
    roleRef: { apiGroup, kind: "Role", name: "etl-driver" },
    subjects: [{ kind: "User", name: "<your-user-name>", apiGroup }],
  });
  const subjectOf = (name: string): unknown => {
    const [, bound] = parseAllDocuments(roleManifest([right], "ns", "etl", { kind: "User", name }));
    return (bound?.toJSON() as { subjects: unknown }).subjects;
  };
  assert.deepEqual(subjectOf("ann"), [{ kind: "User", name: "ann", apiGroup }]);
  assert.deepEqual(subjectOf("system:serviceaccount:ci:deploy"), [
    { kind: "ServiceAccount", name: "deploy", namespace: "ci" },
  ]);
});
