// Property-based tests over arbitrary texts and submissions.
import { inEnglish } from "../../../src/base/message.ts";
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { apacheSpec } from "../../../src/spark/operator/apacheSchema.ts";
import {
  convert,
  readForm,
  type Conversion,
  type ConversionPlace,
  type SubmissionForm,
} from "../../../src/spark/operator/convert.ts";
import { decodeManifests } from "../../../src/spark/operator/decodeManifests.ts";
import { kubeflowSpec } from "../../../src/spark/operator/kubeflowSchema.ts";
import { applicationOf } from "../../../src/spark/operator/operatorManifest.ts";
import { printYaml } from "../../../src/spark/printYaml.ts";
import type { SubmissionRequest } from "../../../src/spark/operator/submissionRequest.ts";
import { toJson } from "../../../src/spark/operator/schema.ts";
import { parseYamlTrees } from "../../../src/spark/operator/yamlTree.ts";
import { decodeRunProfile } from "../../../src/spark/submit/profile/runProfile.ts";
import { arbitraryOf, lineTokens } from "./arbitraryForms.ts";

const place: ConversionPlace = {
  sparkVersion: "4.3.0",
  master: undefined,
  context: undefined,
  readFile: () => undefined,
};

/** Returns a place in which the next conversion can read the files of this one. */
const after = ({ files }: Conversion): ConversionPlace => ({
  ...place,
  readFile: (path) => files.find(({ name }) => name === path)?.text,
});

const lineOf = (tokens: readonly string[]): SubmissionForm => ({
  kind: "line",
  line: { kind: "tokens", sparkVersion: "4.3.0", tokens },
});

const resource = fc.constantFrom("local:///a.jar", "s3a://b/main.py", "local:///c.R");
const objectName = fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/);

const kubeflowForm = fc
  .tuple(objectName, arbitraryOf(kubeflowSpec), resource)
  .map(([name, spec, mainApplicationFile]): SubmissionForm => ({
    kind: "kubeflow",
    manifest: applicationOf({ name }, { ...spec, mainApplicationFile, sparkVersion: "4.3.0" }),
  }));

const mainFields = fc.constantFrom(
  { mainClass: "A" },
  { mainClass: "A", jars: "local:///a.jar" },
  { jars: "local:///a.jar,local:///b.jar" },
  { pyFiles: "local:///a.py" },
  { pyFiles: "local:///a.py,local:///b.py", mainClass: "org.apache.spark.deploy.PythonRunner" },
  { sparkRFiles: "local:///a.R" },
);

const nothingToRun = { jars: "", pyFiles: "", sparkRFiles: "", mainClass: "" };

const apacheForm = fc
  .tuple(objectName, arbitraryOf(apacheSpec), mainFields)
  .map(([name, spec, main]): SubmissionForm => ({
    kind: "apache",
    manifest: {
      apiVersion: "spark.apache.org/v1",
      kind: "SparkApplication",
      metadata: { name },
      spec: { ...spec, ...nothingToRun, ...main, runtimeVersions: { sparkVersion: "4.3.0" } },
    },
  }));

const yamlPieces = fc
  .array(
    fc.constantFrom(
      ...["apiVersion: sparkoperator.k8s.io/v1beta2\n", "kind: SparkApplication\n", "spec:\n"],
      ...[
        "metadata: {name: a}\n",
        "  driver: ",
        "  sparkConf:\n",
        "    a: ",
        "- ",
        "? ",
        ": ",
        "\t",
      ],
      ...[
        "&a ",
        "*a",
        "<<: ",
        "{",
        "}",
        "[",
        "]",
        ",",
        "'",
        '"',
        "|\n",
        "---\n",
        "...\n",
        "!!",
        "\n",
      ],
      ...["#", "%", "@", "{{", "}}", "~", "yes", "1", "\u0000", "\ud800", "\u2028", "\ufeff", "\r"],
    ),
    { maxLength: 40 },
  )
  .map((pieces) => pieces.join(""));

test("never throws, and gives spans inside the text", () => {
  const anyText = fc.oneof(fc.string({ unit: "binary" }), fc.string(), yamlPieces);
  fc.assert(
    fc.property(anyText, (text) => {
      for (const { span } of decodeManifests(text).findings) {
        assert.ok(0 <= span.start && span.start <= span.end && span.end <= text.length);
      }
    }),
    { numRuns: 300 },
  );
});

test("never throws for any profile", () => {
  fc.assert(fc.property(fc.anything(), (json) => void decodeRunProfile(json)));
});

test("reads back printed YAML", () => {
  const text = fc.string({ unit: "binary" });
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof({ maxDepth: 3 }, text, fc.integer(), fc.boolean(), tie("list"), tie("map")),
    list: fc.array(tie("tree"), { maxLength: 3 }),
    map: fc.dictionary(text, tie("tree"), { maxKeys: 3 }),
  }));
  fc.assert(
    fc.property(tree, (value) => {
      const printed = printYaml(JSON.parse(JSON.stringify(value)) as string);
      const { documents, findings } = parseYamlTrees(printed);
      assert.deepEqual(findings, []);
      assert.deepEqual(documents.map(toJson), [JSON.parse(JSON.stringify(value))]);
    }),
  );
});

test("decodes printed manifests back", () => {
  fc.assert(
    fc.property(fc.oneof(kubeflowForm, apacheForm), (form) => {
      assert.ok(form.kind === "kubeflow" || form.kind === "apache");
      const { manifests } = decodeManifests(printYaml(form.manifest));
      assert.deepEqual(
        manifests.map(({ manifest }) => manifest),
        [form.manifest],
      );
    }),
    { numRuns: 30 },
  );
});

const described = {
  line: "a line",
  kubeflow: "an object of kubeflow",
  apache: "an object of Apache",
  profile: "a profile",
} as const;

for (const kind of ["kubeflow", "apache", "profile"] as const) {
  test(`converts a line to ${described[kind]} and back without unreported losses`, () => {
    fc.assert(
      fc.property(lineTokens, (tokens) => {
        checkWay(lineOf(tokens), kind, "line");
      }),
      { numRuns: 300 },
    );
  });
}

for (const [name, forms] of [
  ["kubeflow", kubeflowForm],
  ["apache", apacheForm],
] as const) {
  for (const kind of ["line", "profile", "kubeflow", "apache"] as const) {
    if (kind === name) continue;
    test(`converts ${described[name]} to ${described[kind]} and back without unreported losses`, () => {
      fc.assert(
        fc.property(forms, (form) => {
          checkWay(form, kind, name);
        }),
        { numRuns: 25 },
      );
    });
  }
}

/** Checks that a round trip keeps everything except the reported losses, and that a second one loses nothing more. */
function checkWay(
  form: SubmissionForm,
  over: SubmissionForm["kind"],
  home: SubmissionForm["kind"],
): void {
  const there = convert(form, over, place);
  const back = convert(there.form, home, after(there));
  const lost = new Set(
    [...there.losses, ...back.losses].map(({ entry }) =>
      typeof entry === "string" ? entry : inEnglish(entry),
    ),
  );
  const before = readForm(form, place).value;
  const now = readForm(back.form, after(back)).value;
  assert.deepEqual(comparable(now, lost), comparable(before, lost));
  const again = convert(back.form, over, after(back));
  assert.deepEqual(convert(again.form, home, after(again)).form, back.form);
}

function comparable(
  { conf, mainClass, templates, ...request }: SubmissionRequest,
  lost: ReadonlySet<string>,
): object {
  const entries = [...conf]
    // The operator's default differs from Spark's, so objects contain Spark's default of 2.
    .filter(([key, value]) => key !== "spark.executor.instances" || value !== "2")
    .filter(([key]) => key.startsWith("spark.") && !lost.has(key))
    // These keys name template files.
    .filter(([key]) => !key.includes(".podTemplate"))
    // For spark-submit, an empty list of jars is the same as none.
    .filter(([key, value]) => key !== "spark.jars" || value !== "")
    .sort();
  // Only JVM applications have a main class.
  const isJvm = !/\.(?:py|R)$/.test(request.resource ?? "");
  return {
    ...request,
    conf: entries,
    mainClass: isJvm ? mainClass : undefined,
    roles: Object.keys(templates),
  };
}
