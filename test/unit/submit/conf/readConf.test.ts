import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { inEnglish } from "../../../../src/base/message.ts";
import { decodeUriPart, fileUri, parseUri } from "../../../../src/spark/submit/arguments/uri.ts";
import { codeNameProblem } from "../../../../src/spark/submit/code/codeName.ts";
import { relativePathIn, relativePathsIn } from "../../../../src/spark/submit/code/relativePath.ts";
import { entriesWithPrefix, recordWithPrefix } from "../../../../src/spark/submit/conf/conf.ts";
import { javaDouble, javaSplit } from "../../../../src/spark/submit/conf/javaText.ts";
import {
  readBoolean,
  readChoice,
  readConfText,
  readDouble,
  readInt,
  readMebibytes,
  readMilliseconds,
  readPlainInt,
  readSeconds,
  type ConfReading,
} from "../../../../src/spark/submit/conf/readConf.ts";
import type { Checked } from "../../../../src/spark/submit/plan/submissionFinding.ts";

type Conf = Readonly<Record<string, string>>;
const origin = { kind: "computed" } as const;
const key = "spark.key";

const context = (conf: Conf, hasIecSizes = true): ConfReading => ({
  application: {
    conf: new Map(Object.entries(conf).map(([name, value]) => [name, { value, origin }])),
  },
  submissionEnvironment: { environment: { HOME: "/root" } },
  traits: { hasIecSizes },
});

describe("a typed value of the conf", () => {
  /** Checks the value of each valid text. All other texts must give the fallback and a finding. */
  function check<T>(
    read: (from: ConfReading) => Checked<T>,
    fallback: T,
    values: readonly (readonly [string, T])[],
    wrong: readonly string[],
    expected: string,
  ): void {
    assert.deepEqual(read(context({})), { value: fallback, findings: [] });
    for (const [text, value] of values)
      assert.deepEqual(read(context({ [key]: text })), { value, findings: [] }, text);
    for (const text of wrong) {
      const { value, findings } = read(context({ [key]: text }));
      assert.equal(value, fallback, text);
      assert.deepEqual(
        findings.map(({ code, message }) => `${code} ${inEnglish(message)}`),
        [`E-50 "${text}" is not ${expected}.`],
      );
    }
  }

  test("is an integer, which only some ports read untrimmed", () => {
    const rows = [
      ["7", 7],
      ["-7", -7],
      ["+7", 7],
      ["2147483647", 2147483647],
    ] as const;
    const wrong = ["x", "1.5", "2147483648", ""];
    check((from) => readInt(from, key, 3), 3, [...rows, [" 7 ", 7]], wrong, "an integer");
    check((from) => readPlainInt(from, key, 3), 3, rows, [...wrong, " 7 "], "an integer");
    const reference = context({ [key]: "${spark.port}", "spark.port": "9" });
    assert.equal(readInt(reference, key, 3).value, 9);
    assert.equal(readPlainInt(reference, key, 3).value, 3);
  });

  test("is a number, true or false, or a choice", () => {
    const numbers = [
      ["0.5", 0.5],
      [" 1e2 ", 100],
    ] as const;
    check((from) => readDouble(from, key, 3), 3, numbers, ["x", ""], "a number");
    const flags = [
      ["true", true],
      [" FALSE ", false],
    ] as const;
    check((from) => readBoolean(from, key, true), true, flags, ["yes", ""], "true or false");
    const choice = (from: ConfReading) => readChoice(from, key, "a", ["a", "b"]);
    check<string>(choice, "a", [["b", "b"]], ["B", " b", ""], "one of a, b");
  });

  test("is a size in mebibytes", () => {
    const rows = [
      ...([
        ["7", 7n],
        ["-7", -7n],
        ["1g", 1024n],
        ["-1g", -1024n],
        ["2047k", 1n],
      ] as const),
      ...([
        ["1gi", 1024n],
        ["0", 0n],
      ] as const),
    ];
    const wrong = ["x", "--7", "1.5g", ""];
    check((from) => readMebibytes(from, key, 3n), 3n, rows, wrong, "a size such as 512m");
    assert.equal(readMebibytes(context({ [key]: "1gi" }, false), key, 3n).value, 3n);
  });

  test("is a time in milliseconds or seconds", () => {
    const ms = [
      ["7", 7],
      ["7s", 7_000],
      ["-7s", -7_000],
      ["999us", 0],
      ["1d", 86_400_000],
    ] as const;
    const wrong = ["x", "1.5s", "7x", "7constructor", ""];
    check((from) => readMilliseconds(from, key, 3), 3, ms, wrong, "a time such as 10s");
    const seconds = [
      ["7", 7],
      ["1999ms", 1],
      ["2min", 120],
      ["1h", 3_600],
    ] as const;
    check((from) => readSeconds(from, key), 0, seconds, wrong, "a time such as 30s");
  });
});

describe("a reference in a value", () => {
  const read = (text: string, conf: Conf = {}) =>
    readConfText(context({ ...conf, [key]: text }), key);
  test("is replaced by the value of another key or of the environment", () => {
    const conf = { "spark.a": "1", "spark.b": "<${spark.a}>", other: "x" };
    assert.equal(read("${spark.a}${spark.b} ${env:HOME}!", conf), "1<1> /root!");
    assert.equal(readConfText(context(conf), key), undefined);
    for (const text of [
      ...["${spark.none}", "${env:NONE}", "${other}", "${sys:spark.a}", "${", "${}", "$ {spark.a}"],
      ...["${spark.a", "${spark.a ${x", "plain"],
    ])
      assert.equal(read(text, conf), text);
    assert.equal(read("${env:} ${spark.a}", conf), "${env:} 1");
  });

  test("stays unresolved after nine levels, as in a cycle", () => {
    const chain = (length: number): Conf =>
      Object.fromEntries(
        Array.from({ length }, (_, index) => [
          `spark.${index}`,
          index + 1 === length ? "end" : `\${spark.${index + 1}}`,
        ]),
      );
    assert.equal(read("${spark.0}", chain(9)), "end");
    assert.equal(read("${spark.0}", chain(10)), "${spark.9}");
    assert.equal(read("${spark.key}"), "${spark.key}");
  });
});

test("the entries with a prefix are sorted, and named without it", () => {
  const { conf } = context({ "a.c": "1", "a.b": "2", "ab.x": "3", "a.": "4" }).application;
  assert.deepEqual(
    entriesWithPrefix(conf, "a.").map(({ key: whole, name, value }) => [whole, name, value]),
    [
      ["a.", "", "4"],
      ["a.b", "b", "2"],
      ["a.c", "c", "1"],
    ],
  );
  assert.deepEqual(recordWithPrefix(conf, "a."), { "": "4", b: "2", c: "1" });
});

describe("a text of Java", () => {
  test("is a double as Java prints it", () => {
    const rows = [
      ...([
        [0, "0.0"],
        [-0, "-0.0"],
        [1, "1.0"],
        [-2.5, "-2.5"],
        [0.001, "0.001"],
      ] as const),
      ...([
        [0.0009, "9.0E-4"],
        [0.00012, "1.2E-4"],
        [9_999_999, "9999999.0"],
        [1e7, "1.0E7"],
      ] as const),
      ...([
        [1.5e10, "1.5E10"],
        [-1e-5, "-1.0E-5"],
        [Infinity, "Infinity"],
        [NaN, "NaN"],
      ] as const),
      ...([
        [-Infinity, "-Infinity"],
        [12_345_678, "1.2345678E7"],
      ] as const),
    ];
    for (const [value, text] of rows) assert.equal(javaDouble(value), text);
  });

  test("is split without empty parts at the end", () => {
    assert.deepEqual(
      ["", "a", "a,b", "a,,b", "a,,", ",a", ","].map((text) => javaSplit(text, ",")),
      [...[[""], ["a"], ["a", "b"], ["a", "", "b"], ["a"], ["", "a"], []]],
    );
  });
});

describe("a URI", () => {
  const parsed = (text: string) => {
    const uri = parseUri(text);
    return uri && [uri.scheme, uri.authority, uri.path, uri.fragment];
  };
  test("has the parts of java.net.URI", () => {
    const none = undefined;
    const rows = [
      ["/a/b", [none, none, "/a/b", none]],
      ["a/b#c", [none, none, "a/b", "c"]],
      ["a#", [none, none, "a", ""]],
      ["file:/a", ["file", none, "/a", none]],
      ["file:///a?q#f", ["file", none, "/a", "f"]],
      ["s3a://bucket/k", ["s3a", "bucket", "/k", none]],
      ["hdfs://[::1]:9000/x", ["hdfs", "[::1]:9000", "/x", none]],
      ["mailto:x", ["mailto", none, none, none]],
      ["//host/p", [none, "host", "/p", none]],
      ["s3a://bucket", ["s3a", "bucket", "", none]],
      ["a%20b", [none, none, "a%20b", none]],
      ["a/b:c", [none, none, "a/b:c", none]],
      ["\u00e9", [none, none, "\u00e9", none]],
      ["", [none, none, "", none]],
    ] as const;
    for (const [text, parts] of rows) assert.deepEqual(parsed(text), parts, text);
  });

  test("is refused as in Java", () => {
    for (const text of [
      "a b",
      "a%",
      "a%2",
      "a%zz",
      "1a:b",
      ":a",
      "a:",
      "file://",
      "[a]",
      "a#b#c",
      "a#b c",
      "a\u00a0b",
      "a|b",
    ])
      assert.equal(parseUri(text), undefined, text);
  });

  test("is decoded and encoded", () => {
    assert.equal(decodeUriPart("a%20b%C3%A9%2f"), "a b\u00e9/");
    assert.equal(decodeUriPart("%ff%41 %4"), "%ff%41 %4");
    assert.equal(decodeUriPart("%41%"), "A%");
    assert.equal(fileUri("/a b/\u00e9#%"), "file:/a%20b/\u00e9%23%25");
    assert.equal(fileUri("C:\\x"), "file:/C:/x");
    assert.equal(fileUri("/a[1]?"), "file:/a[1]%3F");
  });
});

describe("the name of a file to send", () => {
  test("has no character with a meaning in lists of files", () => {
    for (const name of ["a.py", "-a_b~(1)+@$&'=!.zip", "\u00e9", "\u00a1"])
      assert.equal(codeNameProblem(name), undefined, name);
    for (const char of '",#%*<>?[\\]^`{|}')
      assert.match(
        codeNameProblem(`a${char}`) ?? "",
        new RegExp(`^its name contains "\\${char}", which Spark`),
      );
    assert.match(codeNameProblem("a b") ?? "", /^its name contains a space, /);
    for (const char of ["\u0000", "\n", "\u001f", "\u007f", "\u0080", "\u00a0"])
      assert.match(codeNameProblem(char) ?? "", /^its name contains a control character/);
    assert.match(codeNameProblem(".sha256sums") ?? "", /^the transfer uses this name/);
  });
});

test("a relative path has a folder or a file extension", () => {
  const rows = {
    ...{ "data/orders.csv": "data/orders.csv", "./data/": "data", "orders.csv": "orders.csv" },
    ...{ "a/*.csv": "a/*.csv", "a/x=1/b?": "a/x=1/b?", "a.b/c": "a.b/c", "./a.py": "a.py" },
    ...{ "-a/b": "-a/b", "a/": "a" },
  };
  for (const [text, path] of Object.entries(rows)) assert.equal(relativePathIn(text), path, text);
  const atLimit = `a/${"b".repeat(198)}`;
  assert.equal(relativePathIn(atLimit), atLimit);
  for (const text of [
    ...["orders", "a.b", "a.1b", "/a/b", "../a/b", "a/../b", "a//b", "a b/c", "s3a://a/b", ""],
    ...["*/a", `${atLimit}b`, "a.abcdefghi", ".a/b"],
  ])
    assert.equal(relativePathIn(text), undefined, text);
  assert.deepEqual(relativePathsIn(["--input=data/x.csv", "-o=out/", "--flag", "x.py", "--a=b"]), [
    ...["data/x.csv", "out", "x.py"],
  ]);
});
