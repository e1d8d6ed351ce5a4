import assert from "node:assert/strict";
import { test } from "node:test";
import { parse } from "yaml";
import { previewDocuments } from "../../../../src/spark/submit/preview/previewDocuments.ts";
import { redactArguments, redactText, secretRule } from "../../../../src/spark/redact.ts";
import { versionTraits } from "../../../../src/spark/submit/versionTraits.ts";
import { conf, planOf, withOptions, type Place } from "../prepared.ts";

const documentsOf = (options: readonly string[], place: Place = {}): ReadonlyMap<string, string> =>
  new Map(
    previewDocuments(planOf(withOptions(...options), place)).map(({ title, text }) => [
      title,
      text,
    ]),
  );
const allOf = (options: readonly string[], place: Place = {}): string =>
  [...documentsOf(options, place).values()].join("\n");

test("there is a document for each thing that will be made", () => {
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

test("what a reader looks for first stands first", () => {
  const text = documentsOf([]).get("Driver pod") ?? "";
  const { spec, ...rest } = parse(text) as { spec: { containers: Record<string, unknown>[] } };
  assert.deepEqual(Object.keys(rest), ["apiVersion", "kind", "metadata"]);
  assert.ok(text.indexOf("metadata:") < text.indexOf("spec:"));
  assert.deepEqual(Object.keys(spec.containers[0] ?? {}).slice(0, 2), ["name", "image"]);
});

test("the conf of the driver is decoded and sorted", () => {
  const documents = documentsOf(conf("spark.z=1", "spark.a=b c", "spark.colon=a:b\\"));
  const [, text = ""] = [...documents].find(([title]) => title.startsWith("ConfigMap")) ?? [];
  assert.match(text, /^# spark\.properties is one text/);
  const { data } = parse(text) as { data: { "spark.properties": Record<string, string> } };
  const properties = data["spark.properties"];
  assert.equal(properties["spark.a"], "b c");
  assert.equal(properties["spark.colon"], "a:b\\");
  assert.deepEqual(Object.keys(properties), Object.keys(properties).toSorted());
});

test("secrets appear in no document, wherever they come from", () => {
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

test("references to secrets stay readable", () => {
  const text = allOf(
    conf(
      "spark.kubernetes.driver.secrets.db-secret=/mnt/db",
      "spark.kubernetes.driver.secretKeyRef.PASS=db-secret:password",
    ),
  );
  assert.match(text, /secretName: db-secret/);
  assert.match(text, /key: password/);
});

test("the user's own rule of redaction counts instead of the version's", () => {
  const text = allOf(
    conf("spark.redaction.regex=(?i)purple", "spark.x=deep Purple", "spark.y.token=plain"),
  );
  assert.doesNotMatch(text, /deep Purple/);
  assert.match(text, /plain/);
});

test("a rule that only Java reads gives way to the default one", () => {
  const isSecret = secretRule("(?i)x++(?<n", versionTraits["4.3"].redactionPattern);
  assert.equal(isSecret("MY_PASSWORD"), true);
  assert.equal(isSecret("x"), false);
});

test("credentials are secret from 4.0 on", () => {
  assert.equal(secretRule(undefined, versionTraits["3.5"].redactionPattern)("a.credential"), false);
  assert.equal(secretRule(undefined, versionTraits["4.0"].redactionPattern)("a.credential"), true);
});

test("secret arguments are taken out in each of their forms", () => {
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

test("XML on one line loses its secret and nothing else", () => {
  const isSecret = secretRule(undefined, versionTraits["4.3"].redactionPattern);
  assert.equal(
    redactText(
      "<property><name>a.secret</name><value>s</value></property>\n<name>b</name><value>v</value>",
      isSecret,
    ),
    "<property><name>a.secret</name><value>*********(redacted)</value></property>\n<name>b</name><value>v</value>",
  );
});

test("the executor's document says what the driver would refuse", () => {
  const text = documentsOf(conf("spark.kubernetes.executor.limit.cores=0.5")).get("Executor pod");
  assert.match(text ?? "", /^# .*\n# An executor asks for 1 CPU and is limited to 0\.5/);
});
