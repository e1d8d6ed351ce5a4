import { inEnglish } from "../../../src/base/message.ts";
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  decodeRunProfile,
  needsConfirmation,
  profileIn,
  profileToSubmission,
} from "../../../src/spark/submit/profile/runProfile.ts";

/** Checks `code path` of each finding, or the message of the only one. */
function check(json: unknown, ...expected: readonly string[]): void {
  assert.deepEqual(
    decodeRunProfile(json).findings.map(({ code, origin }) =>
      `${code} ${origin?.kind === "member" ? origin.path.join(".") : ""}`.trim(),
    ),
    expected,
  );
}

const place = {
  master: "https://h:6443",
  namespace: "default",
  context: "dev",
  sparkVersion: "4.0.5",
};

test("decodes a complete profile without common task members", () => {
  const profile = {
    label: "orders on dev",
    application: "${workspaceFolder}/jobs/orders.py",
    class: "A",
    args: ["--date", "${input:date}"],
    image: "registry/spark:4.3.0",
    sparkVersion: "4.3.0",
    context: "dev",
    namespace: "etl",
    serviceAccount: "spark",
    conf: { "spark.executor.instances": "4" },
    propertiesFile: "conf/spark-defaults.conf",
    jars: [],
    packages: ["g:a:1"],
    follow: "driver",
    contexts: { prod: { image: "other", confirm: true } },
  };
  const decoded = decodeRunProfile({
    type: "spark",
    problemMatcher: [],
    group: "build",
    ...profile,
  });
  assert.deepEqual(decoded, { value: profile, findings: [] });
});

test("reports unknown members with suggestions", () => {
  check({ application: "a.jar", imgae: "x" }, "E-81 imgae");
  const [finding] = decodeRunProfile({ application: "a.jar", imgae: "x" }).findings;
  assert.match(inEnglish(finding?.message) ?? "", /Did you mean "image"\?/);
  check(
    { application: "a.jar", contexts: { prod: { confrim: true } } },
    "E-81 contexts.prod.confrim",
  );
  check({ application: "a.jar", contexts: { prod: { group: "x" } } }, "E-81 contexts.prod.group");
});

test("drops members of the wrong type", () => {
  check(
    { application: 1, args: "x", jars: ["a", 2], conf: { a: {} }, follow: "me", contexts: [] },
    "E-82 application",
    "E-82 args",
    "E-82 jars.1",
    "E-82 conf.a",
    "E-83 follow",
    "E-82 contexts",
    "E-80",
  );
  check("x", "E-82");
  assert.deepEqual(decodeRunProfile({ application: "a", jars: ["a", 2] }).value.jars, ["a"]);
});

test("accepts numbers and booleans as conf values", () => {
  const { value, findings } = decodeRunProfile({
    application: "a",
    conf: { "spark.executor.cores": 4, "spark.a": true },
  });
  assert.deepEqual(findings, []);
  assert.deepEqual(value.conf, { "spark.executor.cores": "4", "spark.a": "true" });
});

test("reports a conf key that has a member", () => {
  const conf = { "spark.kubernetes.container.image": "x", "spark.jars": "y" };
  check({ application: "a", conf, image: "x" }, "W-80 conf.spark.kubernetes.container.image");
});

test("reports a disabled confirmation", () => {
  check({ application: "a", contexts: { prod: { confirm: false } } }, "W-81 contexts.prod.confirm");
  const profile = { application: "a", contexts: { prod: { confirm: true } } };
  assert.equal(needsConfirmation(profile, "prod"), true);
  assert.equal(needsConfirmation(profile, "dev"), false);
  assert.equal(needsConfirmation(profile, undefined), false);
});

test("merges a context's overrides, and its conf by entry", () => {
  const profile = {
    application: "a",
    image: "dev",
    conf: { "spark.a": "1", "spark.b": "2" },
    contexts: { prod: { image: "prod", conf: { "spark.b": "3" } } },
  };
  const settings = profileIn(profile, "prod");
  assert.equal(settings.image, "prod");
  assert.deepEqual(settings.conf, { "spark.a": "1", "spark.b": "3" });
  assert.equal(profileIn(profile, "dev"), profile);
  assert.equal(profileIn(profile, undefined), profile);
});

test("converts a profile into tokens", () => {
  const input = profileToSubmission(
    {
      application: "a.py",
      args: ["x"],
      image: "spark:4.3.0",
      name: "orders",
      jars: ["a", "b"],
      conf: { "spark.kubernetes.container.image": "old", "spark.a": "b" },
      loadSparkDefaults: true,
      contexts: { dev: { namespace: "etl" } },
    },
    place,
  );
  assert.deepEqual(input, {
    kind: "tokens",
    sparkVersion: "4.3.0",
    fallbacks: {
      "spark.master": "k8s://https://h:6443",
      "spark.kubernetes.namespace": "default",
    },
    tokens: [
      ...["--deploy-mode", "cluster", "--name", "orders"],
      "--load-spark-defaults",
      ...["--conf", "spark.kubernetes.container.image=old", "--conf", "spark.a=b"],
      ...["--conf", "spark.kubernetes.namespace=etl"],
      ...["--conf", "spark.kubernetes.container.image=spark:4.3.0"],
      ...["--jars", "a,b", "a.py", "x"],
    ],
  });
});

test("takes the version from the profile, the image tag or the place", () => {
  const version = (profile: object): string =>
    profileToSubmission({ application: "a", ...profile }, place).sparkVersion;
  assert.equal(version({ sparkVersion: "3.5.9", image: "spark:4.3.0" }), "3.5.9");
  assert.equal(version({ image: "spark:4.3.0" }), "4.3.0");
  assert.equal(version({ image: "spark:latest" }), "4.0.5");
});

test("reports each member whose key is in the conf, too", () => {
  const keys = {
    name: "spark.app.name",
    image: "spark.kubernetes.container.image",
    master: "spark.master",
    context: "spark.kubernetes.context",
    namespace: "spark.kubernetes.namespace",
    serviceAccount: "spark.kubernetes.authenticate.driver.serviceAccountName",
  };
  const lists = {
    jars: "spark.jars",
    files: "spark.files",
    pyFiles: "spark.submit.pyFiles",
    archives: "spark.archives",
    packages: "spark.jars.packages",
  };
  const codes = (member: string, value: unknown, key: string) =>
    decodeRunProfile({ application: "a.py", [member]: value, conf: { [key]: "x" } }).findings.map(
      ({ origin }) => (origin?.kind === "member" ? origin.path.join(" ") : ""),
    );
  for (const [member, key] of Object.entries(keys)) {
    assert.deepEqual(codes(member, "x", key), [`conf ${key}`]);
  }
  for (const [member, key] of Object.entries(lists)) {
    assert.deepEqual(codes(member, ["x"], key), [`conf ${key}`]);
  }
});
