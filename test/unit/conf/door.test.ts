import { plainEnglish } from "../../plainEnglish.ts";
import { inEnglish } from "../../../src/base/message.ts";
import assert from "node:assert/strict";
import { test } from "node:test";
import { openConf } from "../../../src/editor/conf/door.ts";
import type { CompletionProposal } from "../../../src/spark/conf/lint/completeConf.ts";
import type { ConfDiagnostic } from "../../../src/spark/conf/lint/diagnoseConf.ts";
import type { Surface } from "../../../src/spark/surfaces/surfaces.ts";
import type { SparkVersion } from "../../../src/spark/conf/catalogue/sparkVersions.ts";

const help = openConf();

const diagnose = (text: string, version: SparkVersion = "4.3"): readonly ConfDiagnostic[] =>
  help.diagnose(text, "properties", version);

/** Returns the completions at the `|` in the text. */
function propose(text: string, version: SparkVersion = "4.3"): readonly CompletionProposal[] {
  const offset = text.indexOf("|");
  return help.complete(text.replace("|", ""), "properties", offset, version);
}

const labels = (proposals: readonly CompletionProposal[]): readonly string[] =>
  proposals.map(({ label }) => label);

function checkMessage(text: string, version: SparkVersion, expected: string): void {
  assert.deepEqual(
    diagnose(text, version).map(({ message }) => inEnglish(message)),
    [expected],
  );
}

test("messages state the fault and the fix", () => {
  checkMessage(
    "spark.excutor.cores 2",
    "4.3",
    'Spark 4.3 does not know "spark.excutor.cores". Did you mean "spark.executor.cores"?',
  );
  checkMessage(
    "spark.executor.memory 2Gi",
    "4.1",
    '"2Gi": Spark 4.1 does not support units such as Ki, Mi and Gi (4.2 and later do). Write 2g.',
  );
  checkMessage(
    "spark.kubernetes.container.image.pullPolicy always",
    "4.3",
    '"spark.kubernetes.container.image.pullPolicy" must be Always, IfNotPresent or Never, not "always". Did you mean "Always"?',
  );
  checkMessage(
    "spark.memory.storageFraction 1",
    "4.3",
    '"spark.memory.storageFraction" must be at least 0 and less than 1, not "1".',
  );
  checkMessage(
    "spark.blacklist.enabled true",
    "4.3",
    '"spark.blacklist.enabled" is deprecated since Spark 3.1.0 and no longer has an effect. Use "spark.excludeOnFailure.enabled".',
  );
  checkMessage(
    "spark.mesos.coarse true",
    "4.0",
    '"spark.mesos.coarse" was last read by Spark 3.5 and has no effect.',
  );
});

test("shortens a very long value in a message", () => {
  const [found] = diagnose(`spark.executor.cores ${"x".repeat(10_000)}`);
  assert.ok(found && inEnglish(found.message).length < 250);
});

test("fades an overridden setting and shows the effective one", () => {
  const [found] = diagnose("spark.executor.cores 1\nspark.executor.cores 2");
  assert.equal(found?.look, "unnecessary");
  assert.deepEqual(found.related?.span, { start: 23, end: 43 });
});

test("reports an error only if Spark fails", () => {
  const text = "spark.executor.cores x\nspark.exeutor.cores 1\nspark.yarn.keytab k";
  assert.deepEqual(
    diagnose(text).map(({ code, severity }) => `${code} ${severity}`),
    [
      "R027-cores-not-whole error",
      "unknown-key warning",
      "R177-yarn-alias warning",
      "R167-keytab-and-principal information",
    ],
  );
});

test("at a key, keys of that version are proposed with kind, default and age", () => {
  const proposals = propose("spark.exec|");
  const memory = proposals.find(({ label }) => label === "spark.executor.memory");
  assert.deepEqual(plainEnglish(memory), {
    kind: "key",
    label: "spark.executor.memory",
    text: "spark.executor.memory ",
    detail: "size in MiB, default: 1g, since 0.7.0",
    description:
      "Heap of an executor. The pod requests this plus overhead, off-heap and Python memory. A pod larger than a node stays pending.",
    replaces: { start: 0, end: 10 },
    isDeprecated: false,
    rank: 0,
  });
  assert.ok(!labels(proposals).includes("spark.mesos.coarse"));
  assert.ok(labels(propose("spark.|", "3.5")).includes("spark.mesos.coarse"));
});

test("completes a family with placeholders for its open parts", () => {
  const snippet = (text: string, label: string): string | undefined =>
    propose(text).find((one) => one.label === label)?.snippet;
  assert.equal(
    snippet("spark.k|", "spark.kubernetes.driver.label.…"),
    "spark.kubernetes.driver.label.${1:name} ${2:value}",
  );
  assert.equal(
    snippet("spark.k| x", "spark.kubernetes.driver.volumes.…"),
    "spark.kubernetes.driver.volumes.${1|persistentVolumeClaim,emptyDir,hostPath,nfs|}.${2:name}.mount.path",
  );
});

test("replaces only the key if there is already a value", () => {
  const [first] = propose("spark.ex|ecutor.cores 2");
  assert.deepEqual(first?.replaces, { start: 0, end: 20 });
  assert.ok(!first.text.endsWith(" "));
});

test("proposes keys on an empty line, and nothing in a comment", () => {
  assert.ok(labels(propose("# x\n|\nspark.a 1")).includes("spark.master"));
  const atEnd = labels(propose("spark.a 1\n|"));
  assert.ok(atEnd.includes("spark.kubernetes.driver.label.…"));
  assert.ok(atEnd.includes("spark.kubernetes.authenticate.submission.oauthToken"));
  assert.deepEqual(propose("# spark.|"), []);
});

test("proposes the key's valid values at a value", () => {
  assert.deepEqual(labels(propose("spark.sql.adaptive.enabled |")), ["true", "false"]);
  assert.deepEqual(labels(propose("spark.sql.adaptive.enabled=|")), ["true", "false"]);
  const codecs = propose("spark.sql.orc.compression.codec  zs|td");
  assert.ok(labels(codecs).includes("brotli"));
  assert.deepEqual(codecs[0]?.replaces, { start: 33, end: 37 });
  assert.deepEqual(propose("spark.executor.memory |"), []);
});

test("uses the version that the text names", () => {
  const manifest = (version: string): string => `apiVersion: sparkoperator.k8s.io/v1beta2
kind: SparkApplication
spec:
  sparkVersion: "${version}"
  executor: { memory: 4Gi }
`;
  const found = (version: string): readonly string[] =>
    help
      .diagnose(manifest(version), "manifest", "4.3")
      .map(({ code }) => code)
      .filter((code) => code.startsWith("R035"));
  assert.deepEqual(found("3.5.1"), ["R035-size-unit"]);
  assert.deepEqual(found("4.2.0"), []);
  // Older and newer than all known versions.
  assert.deepEqual(found("2.4.5"), ["R035-size-unit"]);
  assert.deepEqual(found("4.9.0"), []);
  const command =
    "spark-submit --conf spark.kubernetes.container.image=spark:3.5.1 --executor-memory 4Gi";
  assert.deepEqual(
    help
      .diagnose(command, "command", "4.3")
      .map(({ code, span }) => [code, command.slice(span.start, span.end)]),
    [["R035-size-unit", "4Gi"]],
  );
});

test("keys and values are proposed on every surface", () => {
  const first = (surface: Surface, text: string): string | undefined => {
    const offset = text.indexOf("|");
    const proposals = help.complete(text.replace("|", ""), surface, offset, "4.3");
    return proposals.find(({ label }) => /^(?:spark\.executor\.memory|Always)$/.test(label))?.text;
  };
  assert.equal(first("command", "spark-submit --conf spark.exec|"), "spark.executor.memory=");
  assert.equal(first("python", 'conf.set("spark.exec|'), "spark.executor.memory");
  assert.equal(first("scala", 'conf.set("spark.exec|", x)'), "spark.executor.memory");
  const spec = "apiVersion: spark.apache.org/v1\nspec:\n  sparkConf:\n    ";
  assert.equal(first("manifest", `${spec}spark.exec|`), "spark.executor.memory: ");
  const policy = "spark.kubernetes.container.image.pullPolicy";
  assert.equal(first("manifest", `${spec}${policy}: A|`), "Always");
  assert.equal(first("command", `--conf ${policy}=|`), "Always");
});
