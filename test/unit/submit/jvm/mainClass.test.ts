import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { mainClassIn, sparkMainIn } from "../../../../src/spark/submit/jvm/mainClass.ts";
import { assertLinear, assertLinearInText } from "../../../linearTime.ts";

describe("the main class of a Scala file", () => {
  const rows: readonly (readonly [name: string, text: string, expected: string | undefined])[] = [
    [
      "an object with a main method",
      "package a.b\nobject Orders {\n  def main(args: Array[String]): Unit = ()\n}",
      "a.b.Orders@2",
    ],
    [
      "chained packages",
      "package a\npackage b\nobject X {\n def main(args: Array[String]): Unit = {} }",
      "a.b.X@3",
    ],
    ["an App", "object X extends Serializable with App { }", "X@0"],
    ["a main annotation of Scala 3", "package p\n@main def orders() = 1", "p.orders@1"],
    [
      "the outer object, not the one inside",
      "object X {\n object Inner { val a = 1 }\n def main(args: Array[String]) = {}\n}",
      "X@2",
    ],
    [
      "the second object",
      "object A { val x = 1 }\nobject B {\n def main(a: Array[String]) = {}\n}",
      "B@2",
    ],
    [
      "a package object before it",
      "package object p { }\nobject B {\n def main(a: Array[String]) = {}\n}",
      "B@2",
    ],
    [
      "a main method in a comment",
      "object X {\n // def main(args: Array[String])\n /* def main(args: Array[String]) */ }",
      undefined,
    ],
    [
      "a main method in a text",
      'object X { val a = """def main(args: Array[String])""" }',
      undefined,
    ],
    ["a class only", "class X { def run() = 1 }", undefined],
  ];
  for (const [name, text, expected] of rows) {
    test(name, () => {
      const found = mainClassIn(text, "scala");
      assert.equal(found && `${found.name}@${found.line}`, expected);
    });
  }
});

describe("the main class of a Java file", () => {
  const rows: readonly (readonly [name: string, text: string, expected: string | undefined])[] = [
    [
      "a public class",
      "package a.b;\n\npublic final class Orders {\n  public static void main(String[] args) {}\n}",
      "a.b.Orders@3",
    ],
    ["without a package", "class X { public static void main(String... a) {} }", "X@0"],
    [
      "a nested class before the method",
      "public class X {\n static class Row { int a; }\n public static void main(String[] a) {}\n}",
      "X@2",
    ],
    ["no main method", "public class X {}", undefined],
    [
      "a main method in a comment",
      "public class X { /* public static void main(String[] a) */ }",
      undefined,
    ],
  ];
  for (const [name, text, expected] of rows) {
    test(name, () => {
      const found = mainClassIn(text, "java");
      assert.equal(found && `${found.name}@${found.line}`, expected);
    });
  }
});

test("only a file that uses Spark is a program", () => {
  const text = "object X { def main(args: Array[String]) = {} }";
  assert.equal(sparkMainIn(text, "scala"), undefined);
  assert.equal(sparkMainIn(`import org.apache.spark.sql.SparkSession\n${text}`, "scala")?.line, 1);
});

test("takes time in proportion to the text", () => {
  for (const piece of [
    "object a ",
    '"',
    "/*",
    "'",
    "package a",
    "{",
    "def main(",
    "extends ",
    "@main def ",
  ]) {
    assertLinearInText(piece.padEnd(16), (text) => mainClassIn(text, "scala"));
    assertLinearInText(piece.padEnd(16), (text) => mainClassIn(text, "java"));
  }
});

test("takes time in proportion to a line of escaped quotes that ends with a backslash", () => {
  assertLinear((length) => {
    const text = `${'\\"'.repeat(length / 2)}\\\n`;
    return () => mainClassIn(text, "scala");
  }, "escaped quotes");
});
