import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { verbatim } from "../../../src/base/message.ts";
import { conversionText, formWords } from "../../../src/editor/submit/conversionText.ts";
import { sentWords } from "../../../src/editor/submit/sentWords.ts";
import { inEnglish } from "../../../src/base/message.ts";
import type { Conversion } from "../../../src/spark/operator/convert.ts";
import type { PlannedCode } from "../../../src/spark/submit/code/plannedCode.ts";
import type { LeftOutReason, SentRole } from "../../../src/spark/submit/code/sentCode.ts";
import { scriptedScreen } from "./screenFixture.ts";

describe("the document of sent files", () => {
  const file = (name: string, size: number, role: SentRole, members: readonly object[] = []) => ({
    ...{ name, size, role, members, isExecutable: false },
    content: { kind: "inline", base64: "" },
  });
  const code = (given: object): PlannedCode =>
    ({
      ...{ files: [], leftOut: [], delivery: { kind: "configMap", reason: "small" } },
      ...given,
    }) as unknown as PlannedCode;
  const linesOf = (given: object): readonly string[] =>
    sentWords(code(given), scriptedScreen()).split("\n");

  test("says that nothing is sent", () => {
    assert.equal(
      sentWords(undefined, scriptedScreen()),
      "No local files are sent: the application is in the image or at a URL.\n",
    );
  });

  test("has each file with size, place and reason", () => {
    const files = [
      file("a.py", 1_024, { kind: "requested", path: "/project/src/a.py" }),
      file("data.csv", 10, { kind: "data", path: "/project/data.csv" }),
      file("conf.zip", 20, { kind: "folder", folder: "conf" }),
      file("modules.zip", 300, { kind: "modules" }, [
        { name: "lib.py", size: 30, path: "/project/lib.py", reason: "a.py" },
        { name: "__init__.py", size: 0, path: "/project/__init__.py", reason: "" },
      ]),
      file("packages.zip", 5, { kind: "packages", declaredIn: "/project/requirements.txt" }),
      file("start.sh", 1, { kind: "support" }),
    ];
    assert.deepEqual(linesOf({ files }), [
      "6 files, 1.3 KiB, in a ConfigMap",
      "",
      "   1.0 KiB  /opt/spark-k8s/code/a.py  (src/a.py)",
      "      10 B  /opt/spark-k8s/code/data.csv  (data.csv, included by the profile or referenced by the program)",
      '      20 B  /opt/spark-k8s/code/conf.zip  (folder "conf" of the working directory)',
      "     300 B  /opt/spark-k8s/code/modules.zip  (modules that the application imports)",
      "      30 B    lib.py  (for a.py)",
      "       0 B    __init__.py",
      "       5 B  /opt/spark-k8s/code/packages.zip  (Python packages of requirements.txt that the image lacks)",
      "       1 B  /opt/spark-k8s/code/start.sh",
      "",
    ]);
  });

  test("says why files are not sent", () => {
    const reasons: Readonly<Record<LeftOutReason, string>> = {
      ignored: "listed in .sparkignore",
      gitIgnored: "listed in .gitignore",
      excluded: "excluded by the profile",
      toolFolder: "in a tool's folder",
      secret: "the name suggests a secret",
      outside: "a link to a target outside the workspace",
      native: "a compiled module, which cannot be imported from an archive",
      large: 'referenced by the program, but large; add it to "include" to send it',
      unreadable: "not readable",
    };
    const leftOut = Object.keys(reasons).map((reason) => ({ path: "/project/x", reason }));
    assert.deepEqual(linesOf({ leftOut }).slice(2), [
      "",
      "Not sent:",
      ...Object.values(reasons).map((reason) => `            x  (${reason})`),
      "",
    ]);
  });
});

describe("the document of a conversion", () => {
  const of = (given: Partial<Conversion>): Conversion => ({
    form: { kind: "profile", profile: { application: "a.py" } },
    ...{ losses: [], findings: [], files: [] },
    ...given,
  });
  const textOf = (given: Partial<Conversion>, remarks: readonly string[] = []) =>
    conversionText(of(given), "a line", remarks, scriptedScreen());

  test("lists each remark once above the text", () => {
    const loss = (kind: "dropped" | "changed" | "byHand") => ({
      ...{ kind, entry: "--verbose", reason: verbatim("It is for the shell.") },
    });
    const converted = textOf(
      {
        losses: [loss("dropped"), loss("changed"), loss("byHand")] as never,
        findings: [{ code: "L-01", message: verbatim("Odd.") }] as never,
        files: [{ name: "pod.yaml", text: "" }],
      },
      ["Own remark.", "Own remark."],
    );
    assert.equal(converted.remarks, 6);
    assert.equal(converted.language, "jsonc");
    assert.deepEqual(converted.text.split("\n").slice(0, 8), [
      "// Run profile, converted from a line.",
      "// Own remark.",
      "// Odd. (L-01)",
      "// Omitted: --verbose. It is for the shell.",
      "// Changed: --verbose. It is for the shell.",
      "// To do: --verbose. It is for the shell.",
      '// To do: save the generated file "pod.yaml" and reference its path here.',
      "{",
    ]);
    assert.deepEqual(JSON.parse(converted.text.split("\n").slice(7).join("\n")), {
      version: "2.0.0",
      tasks: [{ type: "spark", label: "a.py", application: "a.py" }],
    });
  });

  test("wraps long remarks, and keeps line breaks of the source inside the comment", () => {
    const word = "x".repeat(54);
    const { text } = textOf({}, [`${word} ${word} ${word}`, "one\ntwo"]);
    assert.deepEqual(text.split("\n").slice(1, 4), [
      `// ${word} ${word}`,
      `//   ${word}`,
      "// one two",
    ]);
    const limit = textOf({}, [`${word}x ${word}y ${word}`]).text.split("\n");
    assert.deepEqual(limit.slice(1, 4), [`// ${word}x`, `//   ${word}y ${word}`, "{"]);
  });

  test("has the language and the comments of its form", () => {
    const metadata = { name: "a" };
    const manifest = { apiVersion: "v1", kind: "SparkApplication", metadata, spec: { b: 1 } };
    const yaml = textOf({ form: { kind: "kubeflow", manifest } as never });
    assert.equal(yaml.language, "yaml");
    assert.equal(
      yaml.text,
      "# SparkApplication of sparkoperator.k8s.io/v1beta2, converted from a line.\napiVersion: v1\nkind: SparkApplication\nmetadata:\n  name: a\nspec:\n  b: 1\n",
    );
    assert.equal(yaml.remarks, 0);
    assert.equal(inEnglish(formWords("apache")), "SparkApplication of spark.apache.org/v1");
    assert.equal(inEnglish(formWords("line")), "spark-submit line");
  });
});
