import assert from "node:assert/strict";
import { openConf } from "../../../src/editor/conf/door.ts";
import { diagnoserOf } from "../../../src/spark/conf/lint/diagnoseConf.ts";
import { diagnoseSurface } from "../../../src/spark/surfaces/diagnoseSurface.ts";
import { openCatalogue } from "../../../src/spark/conf/catalogue/catalogue.ts";
import { judgeKeyValue } from "../../../src/spark/conf/values/judgeKeyValue.ts";
import { readKeyValue } from "../../../src/spark/conf/values/readValue.ts";
import { isSurelyBadRegex } from "../../../src/spark/conf/values/regexes.ts";
import { readSize } from "../../../src/spark/conf/values/sizes.ts";
import { readTime } from "../../../src/spark/conf/values/times.ts";
import { parseQuantity } from "../../../src/spark/quantity.ts";
import { buildFiles, versionOfBuild } from "../../../src/spark/surfaces/buildVersions.ts";
import { tokenize } from "../../../src/spark/surfaces/codeTokens.ts";
import { readSurface, type Surface } from "../../../src/spark/surfaces/surfaces.ts";
import { newestOf } from "../../../src/spark/surfaces/versionRanges.ts";
import { parseJavaProperties, parseProperties } from "../../../src/spark/conf/parse/properties.ts";
import { printJavaProperties } from "../../../src/spark/submit/conf/javaProperties.ts";
import { parseUri } from "../../../src/spark/submit/arguments/uri.ts";
import { assertSpansInside, editedText } from "../oracles.ts";
import type { FuzzTarget } from "../target.ts";

const conf = [
  "# Orders",
  "spark.executor.memory   4g",
  "spark.executor.cores=2",
  "spark.kubernetes.container.image : repo.example:5000/spark\\",
  "  :4.3.0",
  "spark.driver.extraJavaOptions -Dx=\\u0041 -XX:+UseG1GC",
  "spark.excutor.instances ${N}",
  "spark.sql.shuffle.partitions {{ n }}",
  "spark.kubernetes.driver.podTemplateFile /t.yaml",
  "spark.redaction.regex (?i)secret|password",
  "! spark-k8s: unknown-key=off",
].join("\n");

const python = `from pyspark.sql import SparkSession
s = (SparkSession.builder.appName("orders")  # name
     .config("spark.executor.memory", "4g").config(map={"spark.a": r'x\\d', 'spark.b': f"{n}g"})
     .getOrCreate())
conf = {"spark.executor.cores": 2, """spark.c""": True}
cmd = ["spark-submit", "--conf", "spark.d=1", "a.py"]
`;
const scala = `val s = SparkSession.builder().config("spark.executor.memory", s"\${n}g") /* a */
  .config("""spark.x""", 'c').getOrCreate()
new SparkConf().setAll(Seq("spark.a" -> "1", ("spark.b", 2))) // end
`;
const java = `SparkConf c = new SparkConf().set("spark.executor.memory", "4" + "g").setIfMissing("spark.a", 'x');
Map.of("spark.kubernetes.namespace", "jobs"); /* spark.b */ String t = """
  spark-submit --conf spark.c=1""";
`;
export const command = `#!/bin/bash
export IMAGE=spark:4.3.0
spark-submit --master k8s://https://host:6443 --deploy-mode cluster --name 'orders daily' \\
  --conf spark.executor.memory=4g --conf "spark.kubernetes.container.image=$IMAGE" -c spark.a=\${B:-2} \\
  --properties-file conf/x.conf --class org.example.Main local:///app/a.jar 1 "two \\"words\\"" <in >out | tee x
FROM spark
RUN spark-submit --executor-cores 2 b.py && cat <<EOF
spark.b 1
EOF
`;
export const manifest = `apiVersion: sparkoperator.k8s.io/v1beta2
kind: SparkApplication
metadata: { name: orders, namespace: jobs }
spec: &spec
  type: Python
  mode: cluster
  image: "app:1"
  sparkVersion: 4.1.0
  mainApplicationFile: local:///app/orders.py
  arguments: ["a", 'b', |-
      c]
  sparkConf:
    spark.executor.memory: 4g
    "spark.executor.cores": "2"
  driver: { serviceAccount: spark, memory: 1g, cores: 1 }
  executor: { instances: 3, memory: 2g, env: [{name: A, value: b}] }
  volumes:
    - name: v
      emptyDir: {}
---
apiVersion: spark.apache.org/v1
kind: SparkApplication
metadata: {name: two}
spec:
  mainClass: A
  jars: local:///a.jar
  sparkConf: {spark.kubernetes.container.image: a, "spark.a": *x}
  text: >
    folded
    lines
`;
export const tasks = JSON.stringify(
  {
    version: "2.0.0",
    tasks: [
      {
        type: "spark",
        label: "orders",
        application: "local:///a.jar",
        class: "A",
        args: ["${env:USER}", "${workspaceFolder}/x"],
        image: "spark:4.3.0",
        conf: { "spark.executor.memory": "4g", "spark.executor.cores": 2, "spark.x": true },
        contexts: { prod: { confirm: true, namespace: "p", conf: { "spark.a": "1" } } },
        problemMatcher: [],
      },
      { type: "shell", command: "ls" },
    ],
  },
  null,
  2,
);

const words = [
  ...[
    "spark.executor.memory",
    "spark.",
    " ",
    "=",
    ":",
    "\n",
    "\\\n",
    "#",
    "\\u00",
    "${",
    "{{",
    "}}",
    "{%",
  ],
  ...[
    '"',
    "'",
    '"""',
    "r'",
    'f"',
    's"',
    "\\",
    "(",
    ")",
    ".config(",
    ".set(",
    "conf = {",
    "Map(",
    " -> ",
  ],
  ...[
    "--conf ",
    "-c ",
    "spark-submit ",
    "--properties-file ",
    "<<EOF\n",
    "EOF\n",
    "$(",
    "`",
    "&&",
    "|",
    ";",
  ],
  ...[
    "sparkConf:\n",
    "  ",
    "- ",
    "&a ",
    "*a",
    "<<: ",
    "!!str ",
    "|\n",
    ">-\n",
    "---\n",
    "? ",
    "4g",
    "1e3",
    "true",
  ],
  ...[
    "/*",
    "*/",
    "//",
    "spark-k8s: ",
    "R001=off",
    ",",
    "[",
    "]",
    "{",
    "}",
    "\t",
    "%YAML 1.2\n",
    "\ufeff",
  ],
];

const samples: Readonly<Record<Surface, string>> = {
  properties: conf,
  manifest,
  command,
  python,
  scala,
  java,
  profiles: tasks,
};

const help = openConf();
const catalogue = openCatalogue();

/** Asserts that the spans of all entries, findings and diagnostics of a surface lie inside the text. */
function checkSurface(text: string, surface: Surface): void {
  for (const { entries, findings } of readSurface(text, surface)) {
    assertSpansInside(text, [
      ...entries.flatMap(({ keySpan, valueSpan }) => [keySpan, valueSpan]),
      ...findings.map(({ span }) => span),
    ]);
  }
  assertSpansInside(
    text,
    diagnoseSurface(diagnoserOf(catalogue), text, surface, "4.3", new Map()).map(
      ({ span }) => span,
    ),
  );
}

/** Calls the editor features. Some have a high cost per finding, so `helpTarget` passes only short texts. */
function checkHelp(text: string, surface: Surface): void {
  const at = (text.length * 7) % (text.length + 1);
  help.hover(text, surface, at, "4.2");
  help.complete(text, surface, at, "3.5");
  help.totals(text, surface, "4.3");
  help.filesNamed(text, surface);
  help.settingAt(text, surface, at);
  help.namePlaceAt(text, surface, at);
  help.mainFileAt(text, surface, at);
  help.versionNamedIn(text, surface);
  const request = { text, surface, version: "4.3", comment: "#" } as const;
  for (const { edits } of help.fixes(request, { start: at, end: at + 100 }))
    editedText(text, edits);
  editedText(text, help.fixAll(request));
  editedText(text, help.upgrade(text, surface, "3.4", "4.3").edits);
}

const surfaceTargets = Object.entries(samples).map(([surface, sample]): FuzzTarget => {
  const kind = surface as Surface;
  return {
    name: `surface-${surface}`,
    form: "text",
    corpus: [sample],
    words,
    maxLength: 131_072,
    check: (text) => {
      checkSurface(text, kind);
    },
  };
});

const helpTarget: FuzzTarget = {
  name: "conf-help",
  form: "text",
  corpus: Object.values(samples),
  words,
  maxLength: 3_000,
  check: (text) => {
    const surface = Object.keys(samples)[text.length % 7] as Surface;
    checkHelp(text, surface);
  },
};

const properties: FuzzTarget = {
  name: "properties",
  form: "text",
  corpus: [conf],
  words,
  maxLength: 524_288,
  check: (text) => {
    const { pieces, entries, findings } = parseProperties(text);
    assert.equal(pieces.map(({ span }) => text.slice(span.start, span.end)).join(""), text);
    assertSpansInside(text, [
      ...entries.flatMap(({ keySpan, valueSpan }) => [keySpan, valueSpan]),
      ...findings.map(({ span }) => span),
    ]);
    assertSpansInside(
      text,
      help.folds(text).map(({ span }) => span),
    );
    help.outline(text);
  },
};

const pairsOf = (text: string): unknown =>
  parseProperties(text).entries.map(({ key, value }) => [key, value]);

const layout: FuzzTarget = {
  name: "conf-layout",
  form: "text",
  corpus: [conf],
  words,
  maxLength: 65_536,
  check: (text) => {
    const formatted = editedText(text, help.format(text));
    assert.deepEqual(pairsOf(formatted), pairsOf(text), "formatting keeps the settings");
    assert.equal(editedText(formatted, help.format(formatted)), formatted, "formatting twice");
    editedText(text, help.sort(text));
  },
};

const javaProperties: FuzzTarget = {
  name: "java-properties",
  form: "text",
  corpus: [conf, "a=1\nb:\\u0041\\\n  c\n"],
  words,
  maxLength: 524_288,
  check: (text) => {
    const read = new Map(parseJavaProperties(text));
    const printed = printJavaProperties(read, []);
    assert.deepEqual(new Map(parseJavaProperties(printed)), read);
  },
};

const tokens: FuzzTarget = {
  name: "code-tokens",
  form: "text",
  corpus: [python, scala, java],
  words,
  maxLength: 262_144,
  check: (text) => {
    for (const language of ["python", "scala", "java"] as const) {
      assertSpansInside(
        text,
        tokenize(text, language).map(({ span }) => span),
      );
    }
  },
};

const keys = catalogue.keys("4.3").map(({ key }) => key);

const values: FuzzTarget = {
  name: "values",
  form: "text",
  corpus: [
    ...[
      "4g",
      "1.5",
      "500m",
      "1408Mi",
      "2e3",
      "-1",
      "10s",
      "true",
      "k8s://https://h:1",
      "a:b,c:d",
      "(?i)a|b*",
    ],
    ...[
      "[a-z]+(x{2,3})?\\p{L}",
      "UTC",
      "2026-01-02",
      "spark:4.3.0",
      "1,2-3",
      "key=value",
      "-Xmx4g -Da=b",
    ],
  ],
  words: [
    ...[
      "g",
      "kb",
      "Ki",
      "ms",
      "min",
      "d",
      "e",
      "E",
      ".",
      "-",
      "+",
      "0",
      "9",
      "_",
      " ",
      "(",
      ")",
      "[",
      "]",
    ],
    ...["*", "{1,", "}", "|", "\\Q", "\\E", "(?", "&&", "^", "$", "${spark.a}", ":", "/", ",", "%"],
  ],
  maxLength: 65_536,
  check: (text) => {
    parseQuantity(text);
    parseUri(text);
    newestOf(text);
    isSurelyBadRegex(text);
    for (const unit of ["BYTE", "KiB", "MiB"] as const) readSize(text, unit, "4.3");
    for (const unit of ["milliseconds", "seconds"] as const) readTime(text, unit);
    // Check six keys. They depend only on the first two characters, so they stay the same when the text grows.
    const first = text.charCodeAt(0) + text.charCodeAt(1) * 7 || 0;
    for (let turn = 0; turn < 6; turn += 1) {
      const key = keys[(first * 31 + turn * 97) % keys.length] ?? "";
      const facts = catalogue.find(key, "4.3");
      if (facts === undefined) continue;
      judgeKeyValue(catalogue, facts, text, "4.3");
      readKeyValue(catalogue, facts, text, "4.3");
    }
  },
};

const builds: FuzzTarget = {
  name: "build-files",
  form: "text",
  corpus: [
    'pyspark==4.0.1 ; python_version > "3.9"\npyspark[sql]>=3.5,<4\n',
    '[project]\ndependencies = ["pyspark>=3.5"]\n[tool.poetry.dependencies]\npyspark = "^4.0"\n',
    'libraryDependencies += "org.apache.spark" %% "spark-sql" % sparkVersion\nval sparkVersion = "4.0.0"\n',
    "<project><properties><spark.version>4.0.1</spark.version></properties><dependency><groupId>org.apache.spark</groupId><artifactId>spark-sql_2.13</artifactId><version>${spark.version}</version></dependency></project>",
    'implementation "org.apache.spark:spark-sql_2.13:$sparkVersion"\next { sparkVersion = "4.0.0" }\n',
    '[[package]]\nname = "pyspark"\nversion = "4.0.1"\n',
  ],
  words: [
    "pyspark",
    "spark",
    "==",
    '"',
    "'",
    "\n",
    "<version>",
    "</version>",
    "${",
    "}",
    "%",
    ",",
    "4.0",
  ],
  maxLength: 262_144,
  check: (text) => {
    for (const file of buildFiles) versionOfBuild(file, text, text);
  },
};

export const confTargets: readonly FuzzTarget[] = [
  properties,
  layout,
  javaProperties,
  ...surfaceTargets,
  helpTarget,
  tokens,
  values,
  builds,
];
