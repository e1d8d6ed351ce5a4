import { inEnglish } from "../../../../src/base/message.ts";
import assert from "node:assert/strict";
import { test } from "node:test";
import { parse } from "yaml";
import { previewDocuments } from "../../../../src/spark/submit/preview/previewDocuments.ts";
import { secretRule } from "../../../../src/spark/redact.ts";
import { redactArguments, redactText } from "../../../../src/spark/redactText.ts";
import { versionTraits } from "../../../../src/spark/submit/conf/versionTraits.ts";
import { conf, planOf, withOptions, type Place } from "../prepared.ts";

const documentsOf = (options: readonly string[], place: Place = {}): ReadonlyMap<string, string> =>
  new Map(
    previewDocuments(planOf(withOptions(...options), place), {}, inEnglish).map(
      ({ title, text }) => [title, text],
    ),
  );
const allOf = (options: readonly string[], place: Place = {}): string =>
  [...documentsOf(options, place).values()].join("\n");

test("prints one document per object", () => {
  const titles = [...documentsOf([]).keys()].map((title) =>
    title.replaceAll(/[0-9a-f]{12,}/g, "ID"),
  );
  assert.deepEqual(titles, [
    "Totals",
    "Driver pod",
    "Service spark-pi-ID-driver-svc",
    "NetworkPolicy spark-pi-ID-policy",
    "ConfigMap spark-drv-ID-conf-map",
    "Executor pod",
  ]);
});

test("prints name and image before other fields", () => {
  const text = documentsOf([]).get("Driver pod") ?? "";
  const { spec, ...rest } = parse(text) as { spec: { containers: Record<string, unknown>[] } };
  assert.deepEqual(Object.keys(rest), ["apiVersion", "kind", "metadata"]);
  assert.ok(text.indexOf("metadata:") < text.indexOf("spec:"));
  assert.deepEqual(Object.keys(spec.containers[0] ?? {}).slice(0, 2), ["name", "image"]);
});

test("decodes and sorts the driver's conf", () => {
  const documents = documentsOf(conf("spark.z=1", "spark.a=b c", "spark.colon=a:b\\"));
  const [, text = ""] = [...documents].find(([title]) => title.startsWith("ConfigMap")) ?? [];
  assert.match(text, /^# The cluster stores spark\.properties as one string/);
  const { data } = parse(text) as { data: { "spark.properties": Record<string, string> } };
  const properties = data["spark.properties"];
  assert.equal(properties["spark.a"], "b c");
  assert.equal(properties["spark.colon"], "a:b\\");
  assert.deepEqual(Object.keys(properties), Object.keys(properties).toSorted());
});

test("redacts secrets from all sources in all documents", () => {
  const text = allOf(
    [
      ...conf(
        "spark.hadoop.fs.s3a.secret.key=hunter1",
        "spark.my.conn=jdbc:x;password=hunter2",
        "spark.kubernetes.driverEnv.DB_PASSWORD=hunter3",
        "spark.executorEnv.API_TOKEN=hunter4",
        "spark.executor.extraJavaOptions=-Dapi.token=hunter5",
        "spark.kubernetes.authenticate.driver.oauthToken=hunter6",
        "spark.kubernetes.executor.annotation.access.key=hunter7",
        "spark.authenticate=true",
        "spark.authenticate.secret=hunter8",
        "spark.kubernetes.executor.podTemplateFile=/t.yaml",
      ),
    ],
    {
      environment: { SPARK_CONF_DIR: "/conf" },
      files: {
        "/conf/hive-site.xml":
          "<property>\n<name>javax.jdo.option.ConnectionPassword</name>\n<value>hunter9</value></property>",
        "/conf/metrics.properties": "*.sink.token=hunter10\n*.sink.class=plain",
        "/t.yaml":
          "spec:\n  containers:\n  - name: x\n    env:\n    - name: A_SECRET\n      value: hunter11\n",
      },
    },
  );
  assert.doesNotMatch(text, /hunter/);
  assert.match(text, /plain/);
});

test("keeps references to Secrets readable", () => {
  const text = allOf(
    conf(
      "spark.kubernetes.driver.secrets.db-secret=/mnt/db",
      "spark.kubernetes.driver.secretKeyRef.PASS=db-secret:password",
    ),
  );
  assert.match(text, /secretName: db-secret/);
  assert.match(text, /key: password/);
});

test("prefers the user's redaction pattern to the version's default", () => {
  const text = allOf(
    conf("spark.redaction.regex=(?i)purple", "spark.x=deep Purple", "spark.y.token=plain"),
  );
  assert.doesNotMatch(text, /deep Purple/);
  assert.match(text, /plain/);
});

test("hides every value, and says so, if the rule cannot be matched in linear time", () => {
  const { redactionPattern } = versionTraits["4.3"];
  for (const own of ["(?i)x++", "(?!public)key", "a".repeat(2_000), "a[ab]{300}$"]) {
    const isSecret = secretRule(own, redactionPattern);
    assert.equal(isSecret("spark.master"), true, own);
    assert.match(
      inEnglish(isSecret.problem) ?? "",
      /^All values are hidden, because spark\.redaction\.regex/,
    );
  }
  const text = allOf(conf("spark.redaction.regex=(?!public)key", "spark.x=plain"));
  assert.doesNotMatch(text, /plain/);
  assert.match(text, /All values are hidden/);
});

test("accepts Spark's default pattern as a user's pattern", () => {
  const isSecret = secretRule(
    "(?i)secret|password|token|access[.]?key",
    versionTraits["3.5"].redactionPattern,
  );
  assert.equal(isSecret("MY_PASSWORD"), true);
  assert.equal(isSecret("x"), false);
  assert.equal(isSecret.problem, undefined);
});

test("redacts credentials from Spark 4.0 on", () => {
  assert.equal(secretRule(undefined, versionTraits["3.5"].redactionPattern)("a.credential"), false);
  assert.equal(secretRule(undefined, versionTraits["4.0"].redactionPattern)("a.credential"), true);
});

test("redacts secret arguments in all forms", () => {
  const isSecret = secretRule(undefined, versionTraits["4.3"].redactionPattern);
  assert.deepEqual(
    redactArguments(
      ["--password", "p", "--token=t", "a.secret=s", "--n", "5", "my-secret"],
      isSecret,
    ),
    [
      "--password",
      "*********(redacted)",
      "--token=*********(redacted)",
      "a.secret=*********(redacted)",
      "--n",
      "5",
      "*********(redacted)",
    ],
  );
});

test("redacts only the secret of one-line XML", () => {
  const isSecret = secretRule(undefined, versionTraits["4.3"].redactionPattern);
  assert.equal(
    redactText(
      "<property><name>a.secret</name><value>s</value></property>\n<name>b</name><value>v</value>",
      isSecret,
    ),
    "<property><name>a.secret</name><value>*********(redacted)</value></property>\n<name>b</name><value>v</value>",
  );
});

test("shows the driver's errors in the executor's document", () => {
  const text = documentsOf(conf("spark.kubernetes.executor.limit.cores=0.5")).get("Executor pod");
  assert.match(text ?? "", /^# .*\n# An executor requests 1 CPU, but its limit is 0\.5/);
});
