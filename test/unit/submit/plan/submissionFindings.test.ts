// Tests findings of invalid settings, of the submission and of its executors.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { isRecord } from "../../../../src/base/json.ts";
import { previewExecutor } from "../../../../src/spark/submit/preview/previewExecutor.ts";
import { conf, manifestOf, planOf, podOf, prepare, withOptions, type Place } from "../prepared.ts";

/** Returns the codes of the findings, with `!` for errors. */
function codesOf(tokens: readonly string[], place: Place = {}): string {
  const result = prepare(tokens, place);
  const findings = result.ok ? result.value.warnings : result.error;
  return findings.map(({ code, severity }) => (severity === "error" ? `${code}!` : code)).join(" ");
}

const template = (text: string): Place => ({ files: { "/cwd/t.yaml": text } });
const old: Place = { version: "3.5.1" };
const driverTemplate = "spark.kubernetes.driver.podTemplateFile=t.yaml";
const driverContainer = "spark.kubernetes.driver.podTemplateContainerName=b";
const executorTemplate = "spark.kubernetes.executor.podTemplateFile=t.yaml";
const krb5 = "spark.kubernetes.kerberos.krb5";
const token = "spark.kubernetes.kerberos.tokenSecret";
const volume = "spark.kubernetes.driver.volumes.hostPath.v";
const withFile = (path: string, text = "x"): Place => ({ files: { [path]: text } });
const hadoop = (text: string): Place => ({
  environment: { HADOOP_CONF_DIR: "/hadoop" },
  files: { "/hadoop/core-site.xml": text },
});

describe("a submission has the findings", () => {
  const rows: readonly (readonly [title: string, pairs: string[], Place, codes: string])[] = [
    ["of no mistake", [], {}, ""],
    ["of a template without a spec", [driverTemplate], template("kind: Pod\n"), "E-32!"],
    ["of a template that is a list", [driverTemplate], template("[]\n"), "E-32!"],
    ["of a missing template", [driverTemplate], {}, "E-32!"],
    [
      "of a template in another encoding",
      [driverTemplate],
      template("spec: {} # \ufffd\n"),
      "E-32!",
    ],
    ["of a template of another kind", [driverTemplate], template("kind: Job\nspec: {}\n"), "W-13"],
    [
      "of a template without the container",
      [driverTemplate, driverContainer],
      template("spec: { containers: [{ name: a }] }\n"),
      "W-06",
    ],
    [
      "of a template with the container twice",
      [driverTemplate, driverContainer],
      template("spec: { containers: [{ name: b }, { name: b }] }\n"),
      "W-06",
    ],
    [
      "of a template with the container",
      [driverTemplate, driverContainer],
      template("spec: { containers: [{ name: a }, { name: b }] }\n"),
      "",
    ],
    [
      "of a template for executors in another encoding",
      [executorTemplate],
      template("spec: {} # \ufffd\n"),
      "E-50!",
    ],
    [
      "of such a template before Spark 4",
      [executorTemplate],
      { ...old, ...template("spec: {} # \ufffd\n") },
      "",
    ],
    ["of a missing krb5.conf", [`${krb5}.path=krb5.conf`], {}, "E-53!"],
    ["of a krb5.conf", [`${krb5}.path=krb5.conf`], withFile("/cwd/krb5.conf"), ""],
    [
      "of two krb5.conf",
      [`${krb5}.path=krb5.conf`, `${krb5}.configMapName=m`],
      withFile("/cwd/krb5.conf"),
      "E-39a!",
    ],
    ["of a keytab alone", ["spark.kerberos.keytab=/k"], {}, "E-39b!"],
    ["of a principal alone", ["spark.kerberos.principal=p"], {}, "E-39b!"],
    ["of a token without its key", [`${token}.name=s`], {}, "E-39c!"],
    ["of a token without its name", [`${token}.itemKey=s`], {}, "E-39c!"],
    ["of a token", [`${token}.name=s`, `${token}.itemKey=k`], {}, ""],
    ["of Hadoop files", [], hadoop("<a/>"), "W-11"],
    ["of Hadoop files in another encoding", [], hadoop("\ufffd"), "W-11 E-54!"],
    ["of such Hadoop files before Spark 4", [], { ...old, ...hadoop("\ufffd") }, "W-11"],
    [
      "of a read-only flag that is none",
      [`${volume}.mount.path=/v`, `${volume}.mount.readOnly=x`, `${volume}.options.path=/v`],
      {},
      "E-50!",
    ],
    [
      "of a missing certificate",
      ["spark.kubernetes.authenticate.submission.caCertFile=/no"],
      {},
      "E-53!",
    ],
    [
      "of a timeout that is no number",
      ["spark.kubernetes.submission.requestTimeout=x"],
      {},
      "E-50!",
    ],
    [
      "of a ConfigMap that is too large",
      ["spark.kubernetes.configMap.maxSize=1048577"],
      {},
      "E-50!",
    ],
    ["of the largest ConfigMap", ["spark.kubernetes.configMap.maxSize=1048576"], {}, ""],
  ];
  for (const [title, pairs, place, codes] of rows) {
    test(title, () => {
      assert.equal(codesOf(withOptions(...conf(...pairs)), place), codes);
    });
  }

  test("of packages without three parts", () => {
    for (const [text, codes] of [
      ["a:b", "E-61!"],
      ["a:b: ", "E-61!"],
      ["a:b:1:c", "E-61!"],
      ["a:b:1,c:d", "E-61!"],
      ["a:b:1,c:d:2", ""],
    ] as const) {
      assert.equal(codesOf(withOptions("--packages", text)), codes, text);
    }
  });

  test("of a name that is too long for the driver's Service", () => {
    assert.equal(codesOf(withOptions("--name", "x".repeat(70))), "W-03");
    assert.equal(codesOf(withOptions("--name", "x".repeat(30))), "");
  });

  test("of a driver without an image", () => {
    const target = ["--master", "k8s://https://h:6443", "--deploy-mode", "cluster", "--class", "M"];
    const jar = "local:///a.jar";
    assert.equal(codesOf([...target, jar]), "E-25!");
    const own = conf("spark.kubernetes.driver.container.image=x");
    assert.equal(codesOf([...target, ...own, jar]), "");
  });
});

describe("the conf directory of the submitter", () => {
  const filesIn = (maxSize: number, files: Readonly<Record<string, string>>) => {
    const paths = Object.entries(files).map(([name, text]) => [`/conf/${name}`, text]);
    const place = {
      environment: { SPARK_CONF_DIR: "/conf" },
      files: Object.fromEntries(paths) as Record<string, string>,
    };
    const tokens = withOptions(...conf(`spark.kubernetes.configMap.maxSize=${maxSize}`));
    const { data } = manifestOf(planOf(tokens, place), "ConfigMap");
    const others = ["spark.kubernetes.namespace", "spark.properties"];
    return {
      names: Object.keys(isRecord(data) ? data : {}).filter((name) => !others.includes(name)),
      codes: codesOf(tokens, place),
    };
  };

  test("goes into the ConfigMap without archives, templates and Spark's own files", () => {
    const files = ["a.xml", "b.jar", "c.zip", "d.tar", "e.gz", "f.template", "log4j2.properties"];
    const own = ["spark-defaults.conf", "spark.properties", "metrics.properties"];
    const given = Object.fromEntries([...files, ...own].map((name) => [name, ""]));
    assert.deepEqual(filesIn(1_000, given).names.sort(), [
      ...["a.xml", "log4j2.properties", "metrics.properties"],
    ]);
  });

  test("goes in with its smallest files first, as long as there is room", () => {
    // The length of its name counts, too.
    const sized = (size: number): string => "x".repeat(size - 1);
    const fits = filesIn(61, { a: sized(40), b: sized(20) });
    assert.deepEqual([fits.names.sort(), fits.codes], [["a", "b"], ""]);
    const full = filesIn(60, { a: sized(40), b: sized(20) });
    assert.deepEqual(full.names, ["b"]);
    assert.equal(full.codes.split(" ").length, 1);
    assert.notEqual(full.codes, "");
    // A file that exceeds the limit on its own is left out without a finding, as in Spark.
    const alone = filesIn(60, { a: sized(61), b: sized(20) });
    assert.deepEqual([alone.names, alone.codes], [["b"], ""]);
  });

  test("goes in without files in another encoding, with a finding", () => {
    const { names, codes } = filesIn(1_000, { a: "\ufffd", b: "text" });
    assert.deepEqual(names, ["b"]);
    assert.notEqual(codes, "");
  });
});

describe("an executor has the findings", () => {
  const codesFor = (pairs: readonly string[], place: Place = {}): string =>
    previewExecutor(planOf(withOptions(...conf(...pairs)), place), "1")
      .findings.map(({ code }) => code)
      .join(" ");
  const container = "spark.kubernetes.executor.podTemplateContainerName=b";
  const offHeap = "spark.memory.offHeap";
  const rows: readonly (readonly [title: string, pairs: string[], Place, count: number])[] = [
    ["of no mistake", [], {}, 0],
    ["of port 0", ["spark.blockManager.port=0"], {}, 0],
    ["of the first port", ["spark.blockManager.port=1024"], {}, 0],
    ["of the last port", ["spark.blockManager.port=65535"], {}, 0],
    ["of a privileged port", ["spark.blockManager.port=1023"], {}, 1],
    ["of a port that is too large", ["spark.blockManager.port=65536"], {}, 1],
    ["of off-heap memory without a size", [`${offHeap}.enabled=true`], {}, 1],
    ["of less than 1 MiB off-heap", [`${offHeap}.enabled=true`, `${offHeap}.size=1048575`], {}, 1],
    ["of 1 MiB off-heap", [`${offHeap}.enabled=true`, `${offHeap}.size=1m`], {}, 0],
    ["of an off-heap size that is none", [`${offHeap}.enabled=true`, `${offHeap}.size=x`], {}, 1],
    ["of a size that is not used", [`${offHeap}.size=x`], {}, 0],
    [
      "of a template without the container",
      [executorTemplate, container],
      template("spec: { containers: [{ name: a }] }\n"),
      1,
    ],
    [
      "of a template with the container twice",
      [executorTemplate, container],
      template("spec: { containers: [{ name: b }, { name: b }] }\n"),
      1,
    ],
    [
      "of a template with the container",
      [executorTemplate, container],
      template("spec: { containers: [{ name: a }, { name: b }] }\n"),
      0,
    ],
  ];
  for (const [title, pairs, place, count] of rows) {
    test(title, () => {
      assert.equal(codesFor(pairs, place).split(" ").filter(Boolean).length, count);
    });
  }
});

test("Spark's container is the named one of the template, or else the first", () => {
  const nameWith = (pairs: readonly string[], names: readonly string[]): unknown => {
    const list = names.map((name) => `{ name: ${name}, workingDir: /${name} }`).join(", ");
    const place = template(`spec: { containers: [${list}] }\n`);
    return podOf(planOf(withOptions(...conf(driverTemplate, ...pairs)), place)).container[
      "workingDir"
    ];
  };
  assert.equal(nameWith([], ["a", "b"]), "/a");
  assert.equal(nameWith([driverContainer], ["a", "b"]), "/b");
  assert.equal(nameWith([driverContainer], ["a", "c"]), "/a");
  assert.equal(nameWith([driverContainer], ["a", "b", "b"]), "/a");
});
