import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { applyEdits } from "../../../src/base/textEdit.ts";
import { parseProperties } from "../../../src/spark/conf/parse/properties.ts";
import {
  silenceInFile,
  silenceNext,
  type CommentSign,
} from "../../../src/spark/surfaces/fixes/silence.ts";
import type { Surface } from "../../../src/spark/surfaces/surfaces.ts";

describe("the comment that silences a finding", () => {
  const next = (text: string, at: number, surface: Surface = "properties"): string | undefined => {
    const document = parseProperties(text);
    const entry = document.entries[at];
    assert.ok(entry);
    const edit = silenceNext(text, surface, { document, entry }, "R1", "#");
    return edit && applyEdits(text, [edit]);
  };

  test("of one setting is on the line before it, as far to the right", () => {
    const silenced = "# spark-k8s-next: R1=off\n";
    assert.equal(next("spark.a 1\nspark.b 2\n", 0), `${silenced}spark.a 1\nspark.b 2\n`);
    assert.equal(next("spark.a 1\n \tspark.b 2\n", 1), `spark.a 1\n \t${silenced} \tspark.b 2\n`);
    assert.equal(next("spark.a 1\nspark.b 2\n", 1), `spark.a 1\n${silenced}spark.b 2\n`);
  });

  test("of one setting is not written where it would change the text", () => {
    assert.equal(next("spark.a 1", 0, "command"), undefined);
    for (const surface of ["python", "scala", "java"] as const)
      assert.equal(next("spark.a 1", 0, surface), undefined);
    assert.notEqual(next("spark.a 1", 0, "manifest"), undefined);
    for (const lineEnd of ["\n", "\r\n"])
      assert.equal(next(`# a \\${lineEnd}spark.b 2\n`, 0), undefined);
    const text = "spark.a 1";
    const [entry] = parseProperties(text).entries;
    assert.ok(entry);
    const before = { ...entry, keySpan: { start: 0, end: 1 } };
    const own = { ...entry, keySpan: { start: 3, end: 5 } };
    const document = { ...parseProperties(text), entries: [before, own] };
    assert.equal(silenceNext(text, "manifest", { document, entry: own }, "R1", "#"), undefined);
  });

  test("of a file is after the lines that must come first", () => {
    const whole = (text: string, sign: CommentSign = "#"): string =>
      applyEdits(text, [silenceInFile(text, "R1", sign)]);
    assert.equal(whole("a\n"), "# spark-k8s: R1=off\na\n");
    assert.equal(whole("a\n", "//"), "// spark-k8s: R1=off\na\n");
    for (const head of [
      "#!/bin/sh\n",
      "# -*- x\n",
      "#syntax=x\n# escape=`\r\n",
      "//> using x\n",
      "\ufeff",
    ])
      assert.equal(whole(`${head}a\n`), `${head}# spark-k8s: R1=off\na\n`);
    assert.equal(whole("a\n#!/bin/sh\n"), "# spark-k8s: R1=off\na\n#!/bin/sh\n");
  });

  test("of Markdown is at its end", () => {
    const end = (text: string): string => applyEdits(text, [silenceInFile(text, "R1", "<!--")]);
    assert.equal(end("# a"), "# a\n\n<!-- spark-k8s: R1=off -->\n");
    assert.equal(end("# a\n"), "# a\n\n<!-- spark-k8s: R1=off -->\n");
    assert.equal(end(""), "\n<!-- spark-k8s: R1=off -->\n");
  });
});
