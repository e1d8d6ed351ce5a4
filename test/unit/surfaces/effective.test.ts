import { inEnglish, verbatim } from "../../../src/base/message.ts";
import assert from "node:assert/strict";
import { test } from "node:test";
import { openCatalogue } from "../../../src/spark/conf/catalogue/catalogue.ts";
import { parseProperties } from "../../../src/spark/conf/parse/properties.ts";
import {
  effectiveText,
  type EffectiveText,
} from "../../../src/spark/surfaces/effective/effectiveText.ts";
import {
  layersOf,
  type ConfLayer,
  type LayerSources,
} from "../../../src/spark/surfaces/effective/layers.ts";
import { runningLayers } from "../../../src/spark/surfaces/effective/runningLayers.ts";
import { readSurface } from "../../../src/spark/surfaces/surfaces.ts";
import type { Surface } from "../../../src/spark/surfaces/surfaces.ts";

const catalogue = openCatalogue();

const textOf = (layers: readonly ConfLayer[]): EffectiveText =>
  effectiveText(verbatim("run.sh"), layers, catalogue, "4.3", inEnglish);

function effective(
  surface: Surface,
  text: string,
  more: Partial<LayerSources> = {},
): EffectiveText {
  const [document] = readSurface(text, surface);
  assert.ok(document);
  const sources = {
    own: { name: "run.sh", text },
    files: new Map(),
    defaults: undefined,
    code: undefined,
  };
  return textOf(layersOf(document, { ...sources, ...more }));
}

const conf = ({ text }: EffectiveText): Readonly<Record<string, string>> =>
  Object.fromEntries(parseProperties(text).entries.map(({ key, value }) => [key, value]));

const struck = ({ text, lost }: EffectiveText): readonly string[] =>
  lost.map(({ start, end }) => text.slice(start, end));

const command =
  "spark-submit --properties-file a.conf \\\n  --conf spark.executor.memory=3g --executor-memory 4g --conf spark.c=3 job.py\n";

test("options count more than --conf, --conf more than the file, and code most", () => {
  const code = 'b.config("spark.c", "4").config("spark.driver.memory", "9g")';
  const shown = effective("command", command, {
    files: new Map([["a.conf", "spark.executor.memory 2g\nspark.b 1\nspark.driver.memory 2g\n"]]),
    defaults: { name: "spark-defaults.conf", text: "spark.never 1" },
    code: { name: "job.py", text: code, documents: readSurface(code, "python") },
  });
  assert.deepEqual(conf(shown), {
    "spark.b": "1",
    "spark.c": "4",
    "spark.driver.memory": "2g",
    "spark.executor.memory": "4g",
  });
  assert.deepEqual(struck(shown), [
    "spark.c 3",
    "spark.driver.memory 9g",
    "spark.executor.memory 2g",
    "spark.executor.memory 3g",
  ]);
  assert.equal(shown.late.length, 1);
  assert.match(shown.text, /# options in run\.sh, line 2; default 1g\nspark\.executor\.memory 4g/);
});

test("the defaults are read where no properties file is named", () => {
  const shown = effective("command", "spark-submit --conf spark.a=1 job.py", {
    defaults: { name: "spark-defaults.conf", text: "spark.a 0\nspark.b 2" },
  });
  assert.deepEqual(conf(shown), { "spark.a": "1", "spark.b": "2" });
  assert.deepEqual(struck(shown), ["spark.a 0"]);
});

test("a manifest's fields override sparkConf, and the operator's additions are shown", () => {
  const shown = effective(
    "manifest",
    `apiVersion: sparkoperator.k8s.io/v1beta2
kind: SparkApplication
metadata: { name: orders, namespace: etl }
spec:
  type: Python
  mainApplicationFile: local:///a.py
  sparkConf:
    spark.executor.memory: 2g
    spark.hadoop.fs.s3a.secret.key: hunter2
  executor: { memory: 4g }
`,
  );
  const made = conf(shown);
  assert.equal(made["spark.executor.memory"], "4g");
  assert.equal(made["spark.executor.instances"], "1");
  assert.equal(made["spark.kubernetes.namespace"], "etl");
  assert.ok(!shown.text.includes("hunter2"));
  assert.deepEqual(struck(shown), ["spark.executor.memory 2g"]);
});

test("nothing set is said", () => {
  assert.match(textOf([]).text, /no properties are set/);
});

test("only a setting that was submitted with another value can be applied too late in a running driver", () => {
  const submitted = {
    name: verbatim("submitted"),
    isCode: false,
    settings: [
      { key: "spark.driver.memory", value: "2g", line: undefined },
      { key: "spark.driver.extraJavaOptions", value: "-Da=b", line: undefined },
      { key: "spark.kubernetes.driver.secretKeyRef.X", value: "s:k", line: undefined },
      { key: "spark.example.own", value: "1", line: undefined },
    ],
  };
  const layers = runningLayers(submitted, {
    name: verbatim("driver"),
    conf: new Map([
      ["spark.driver.memory", "8g"],
      ["spark.driver.extraJavaOptions", "--add-opens=x -Da=b"],
      ["spark.kubernetes.driver.secretKeyRef.X", "*********(redacted)"],
      ["spark.kubernetes.driver.label.set-by-spark", "1"],
      ["spark.example.own", "2"],
    ]),
  });
  const shown = textOf(layers);
  assert.equal(shown.late.length, 1);
  assert.deepEqual(struck(shown), [
    "spark.driver.extraJavaOptions -Da=b",
    "spark.driver.memory 8g",
    "spark.example.own 1",
  ]);
});

test("says which keys Spark does not know", () => {
  const { text } = effective(
    "command",
    "spark-submit --conf spark.executor.memroy=4g --conf spark.executor.cores=2 --conf spark.me.x=1 job.py\n",
  );
  assert.match(
    text,
    /does not know "spark\.executor\.memroy"\. Did you mean "spark\.executor\.memory"\?\nspark\.executor\.memroy 4g\n/,
  );
  assert.equal(text.match(/does not know/g)?.length, 1);
});
