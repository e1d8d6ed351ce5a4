import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Catalogue } from "../../../src/spark/conf/catalogue/catalogue.ts";
import type { Form } from "../../../src/spark/conf/catalogue/catalogueFormat.ts";
import type { EntryFacts, KeyFacts } from "../../../src/spark/conf/catalogue/keyFacts.ts";
import { judgeForm } from "../../../src/spark/conf/values/forms.ts";
import { isSerialFilter, isSurelyBadFormat } from "../../../src/spark/conf/values/javaForms.ts";
import { digitValue, javaTrim, listParts } from "../../../src/spark/conf/values/javaText.ts";
import { judgeKeyValue } from "../../../src/spark/conf/values/judgeKeyValue.ts";
import { judgeOldNumber, judgeValue } from "../../../src/spark/conf/values/judgeValue.ts";
import {
  parseDecimal,
  parseDouble,
  parseInteger,
  wholeNumber,
} from "../../../src/spark/conf/values/numbers.ts";
import { isCapitalsMark } from "../../../src/spark/conf/values/placeholders.ts";
import { isWithin } from "../../../src/spark/conf/values/ranges.ts";
import { readKeyValue, readValue } from "../../../src/spark/conf/values/readValue.ts";
import { isSurelyBadRegex } from "../../../src/spark/conf/values/regexes.ts";
import { readSize } from "../../../src/spark/conf/values/sizes.ts";
import { readTime } from "../../../src/spark/conf/values/times.ts";
import type { Choices, Range, ValueType } from "../../../src/spark/conf/values/valueType.ts";

const plain = { trims: true, range: undefined, choices: undefined, form: undefined };
const range: Range = {
  ...{ min: 1, max: 10, minExcluded: false, maxExcluded: false },
  ...{ holes: [], step: undefined },
};
const entryOf = (type: ValueType, byDefault?: string): EntryFacts => ({
  ...{ type, default: byDefault, fallback: undefined, prepended: undefined, since: undefined },
  ...{ isPublic: true, sql: undefined, isConnector: false },
});
const choicesOf = (comparison: Choices["comparison"]): Choices => ({
  comparison,
  values: comparison === "lower" ? ["fast", "slow"] : ["FAST", "SLOW"],
});

describe("the value of a type", () => {
  const read = (type: ValueType, text: string) => readValue(type, text, "4.3");
  test("is read as Spark reads it", () => {
    const rows: readonly (readonly [ValueType, string, unknown])[] = [
      [{ ...plain, kind: "boolean" }, " TRUE ", true],
      [{ ...plain, kind: "boolean" }, "false", false],
      [{ ...plain, kind: "boolean" }, "yes", undefined],
      [{ ...plain, kind: "boolean", trims: false }, " true", undefined],
      [{ ...plain, kind: "int" }, " 7 ", 7n],
      [{ ...plain, kind: "int" }, "2147483648", undefined],
      [{ ...plain, kind: "long" }, "2147483648", 2147483648n],
      [{ ...plain, kind: "double" }, "1.5e1", 15],
      [{ ...plain, kind: "decimal" }, "0.5", 0.5],
      [{ ...plain, kind: "decimal" }, "x", undefined],
      [{ ...plain, kind: "time", unit: "seconds" }, "2min", 120n],
      [{ ...plain, kind: "time", unit: "seconds" }, "2 min", undefined],
      [{ ...plain, kind: "bytes", unit: "MiB" }, "2g", 2048n],
      [{ ...plain, kind: "bytes", unit: "MiB" }, "g", undefined],
      [{ ...plain, kind: "list", element: "string" }, "a, b,,", ["a", "b"]],
      [{ ...plain, kind: "string", trims: false }, " a ", " a "],
      [{ ...plain, kind: "regex" }, " a ", "a"],
    ];
    for (const [type, text, value] of rows)
      assert.deepEqual(read(type, text), value, `${type.kind} ${text}`);
  });
});

describe("the value of a deprecated name", () => {
  const key = "spark.new";
  const catalogueWith = (type: ValueType | undefined): Catalogue =>
    ({
      find: (name: string) =>
        name === key && type !== undefined ? { key, entry: entryOf(type) } : undefined,
    }) as unknown as Catalogue;
  const bytes: ValueType = { ...plain, kind: "bytes", unit: "BYTE" };
  const seconds: ValueType = { ...plain, kind: "time", unit: "seconds" };
  const old = (takes: "int" | "double" | undefined): KeyFacts => ({
    ...{ key: "spark.old", entry: undefined, deprecated: undefined, removed: undefined },
    oldName: { of: key, takes },
  });
  const read = (takes: "int" | "double" | undefined, type: ValueType | undefined, text: string) =>
    readKeyValue(catalogueWith(type), old(takes), text, "4.3");
  const judge = (takes: "int" | "double" | undefined, type: ValueType | undefined, text: string) =>
    judgeKeyValue(catalogueWith(type), old(takes), text, "4.3")?.code;

  test("is converted to the unit of the new name", () => {
    assert.equal(read(undefined, bytes, "1k"), 1024n);
    assert.equal(read("double", bytes, "64"), 64_000n * 1024n);
    assert.equal(read("double", bytes, " 0.0649 "), 64n * 1024n);
    assert.equal(read("double", bytes, "64k"), undefined);
    assert.equal(read("int", seconds, "3"), 30n);
    assert.equal(read("int", seconds, "3s"), undefined);
    // Java's 32-bit multiplication overflows.
    assert.equal(read("int", seconds, "429496730"), 4n);
    assert.equal(read("int", undefined, "3"), undefined);
  });

  test("is read by the entry if the name has one", () => {
    const own = { ...old("int"), entry: entryOf(bytes) };
    assert.equal(readKeyValue(catalogueWith(undefined), own, "1k", "4.3"), 1024n);
    const none = { ...old("int"), oldName: undefined };
    assert.equal(readKeyValue(catalogueWith(bytes), none, "1k", "4.3"), undefined);
    assert.equal(judgeKeyValue(catalogueWith(bytes), none, "x", "4.3"), undefined);
    assert.equal(judgeKeyValue(catalogueWith(undefined), own, "x", "4.3")?.code, "bad-size");
  });

  test("is judged as a value of the new name, or as a bare number", () => {
    assert.equal(judge(undefined, bytes, "x"), "bad-size");
    assert.equal(judge(undefined, bytes, "1k"), undefined);
    assert.equal(judge("int", bytes, "1k"), "bad-number");
    assert.equal(judge("int", bytes, "1"), undefined);
    assert.equal(judge("int", undefined, "x"), undefined);
    assert.deepEqual(judgeOldNumber(" ", "int"), { code: "empty-value", wanted: "int" });
    assert.deepEqual(judgeOldNumber("1.5", "int"), {
      ...{ code: "bad-number", wanted: "int", why: "syntax" },
    });
    assert.equal(judgeOldNumber(" 1.5 ", "double"), undefined);
  });
});

describe("the problem of a value", () => {
  const judge = (type: ValueType, value: string) => judgeValue(entryOf(type), value, "4.3");

  test("names the wanted type of an empty value", () => {
    const types: readonly (readonly [ValueType, string])[] = [
      [{ ...plain, kind: "bytes", unit: "BYTE" }, "size"],
      [{ ...plain, kind: "time", unit: "seconds" }, "time"],
      [{ ...plain, kind: "boolean" }, "boolean"],
      [{ ...plain, kind: "int" }, "int"],
      [{ ...plain, kind: "decimal" }, "decimal"],
      [{ ...plain, kind: "string", choices: choicesOf("exact") }, "choice"],
    ];
    for (const [type, wanted] of types)
      for (const value of ["", " "])
        assert.deepEqual(judge(type, value), { code: "empty-value", wanted });
    assert.equal(judge({ ...plain, kind: "list", element: "string" }, ""), undefined);
    assert.equal(judge({ ...plain, kind: "string" }, ""), undefined);
  });

  test("is a number out of range, in the unit of the entry", () => {
    assert.deepEqual(judge({ ...plain, kind: "int", range }, "11"), {
      ...{ code: "out-of-range", range, unit: undefined },
    });
    assert.equal(judge({ ...plain, kind: "int", range }, "10"), undefined);
    assert.deepEqual(judge({ ...plain, kind: "time", unit: "seconds", range }, "11s"), {
      ...{ code: "out-of-range", range, unit: "seconds" },
    });
    assert.equal(judge({ ...plain, kind: "time", unit: "seconds", range }, "10s"), undefined);
    assert.deepEqual(judge({ ...plain, kind: "bytes", unit: "MiB", range }, "1g"), {
      ...{ code: "out-of-range", range, unit: "MiB" },
    });
    assert.equal(judge({ ...plain, kind: "double", range }, "10.5")?.code, "out-of-range");
    assert.equal(judge({ ...plain, kind: "double", range }, " 9.5 "), undefined);
    assert.equal(judge({ ...plain, kind: "decimal", range }, "0.5")?.code, "out-of-range");
  });

  test("is an item of a list that is no number or no choice", () => {
    const longs: ValueType = { ...plain, kind: "list", element: "long" };
    assert.equal(judge(longs, "1, 2,,3"), undefined);
    assert.deepEqual(judge(longs, "1,x"), { code: "bad-number", wanted: "long", why: "syntax" });
    const choices = {
      ...plain,
      kind: "list",
      element: "string",
      choices: choicesOf("exact"),
    } as const;
    assert.equal(judge(choices, "FAST, SLOW"), undefined);
    assert.deepEqual(judge(choices, "FAST,SLOV"), {
      ...{ code: "bad-choice", allowed: ["FAST", "SLOW"], near: "SLOW" },
    });
  });

  test("is a choice in another case only if Spark compares the case", () => {
    const rows = [
      ["exact", ["FAST"], ["fast", "Fast"]],
      ["lower", ["fast", "FAST", "Fast"], ["x"]],
      ["upper", ["fast", "FAST", "Fast"], ["x"]],
      ["trimmedAnyCase", ["fast", " FAST "], ["x"]],
    ] as const;
    for (const [comparison, right, wrong] of rows) {
      const type = {
        ...plain,
        kind: "string",
        choices: choicesOf(comparison),
      } as const;
      for (const value of right)
        assert.equal(judge(type, value), undefined, `${comparison} ${value}`);
      for (const value of wrong)
        assert.equal(judge(type, value)?.code, "bad-choice", `${comparison} ${value}`);
    }
    const numbers = { comparison: "exact", values: ["1", "2"] } as const;
    assert.equal(judge({ ...plain, kind: "int", choices: numbers }, "+1"), undefined);
    assert.equal(judge({ ...plain, kind: "int", choices: numbers }, "3")?.code, "bad-choice");
  });

  test("is a regular expression or another form that Java rejects", () => {
    assert.deepEqual(judge({ ...plain, kind: "regex" }, "("), { code: "bad-regex" });
    assert.equal(judge({ ...plain, kind: "regex" }, "()"), undefined);
    assert.deepEqual(judge({ ...plain, kind: "string", form: "trailingSlash" }, "a"), {
      ...{ code: "bad-form", form: "trailingSlash" },
    });
  });
});

describe("a form", () => {
  const faultOf = (form: Form, value: string, byDefault?: string) => {
    const problem = judgeForm(form, value, byDefault, "4.3");
    return problem?.code === "bad-form" ? problem.form : problem?.code;
  };
  test("accepts and rejects exactly its texts", () => {
    const long = "a".repeat(237);
    const rows: readonly (readonly [Form, readonly string[], string, readonly string[]])[] = [
      ["nonEmptyList", ["a", "a,"], "emptyList", ["", ",", " , "]],
      [
        "podNamePrefix",
        ["a", "a-b.c1", long],
        "podNamePrefix",
        [`${long}a`, "", "A", "-a", "a-", "a..b", "a.-b"],
      ],
      [
        "storageLevel",
        ["NONE", "OFF_HEAP", "MEMORY_AND_DISK_SER_2"],
        "storageLevel",
        ["none", "DISK", ""],
      ],
      ["trailingSlash", ["/", "a/"], "trailingSlash", ["", "a", "a/b"]],
      [
        "proxyFreeUrl",
        ["http://h/a", "proxyx/historyx"],
        "proxyWord",
        ["http://h/proxy", "history"],
      ],
      ["socketDirectory", ["a".repeat(61)], "tooLongPath", ["a".repeat(62)]],
      ["noKafkaPrefix", ["a", "kafka", "akafka.b"], "kafkaPrefix", ["kafka.a", "b, kafka.a"]],
      ["regexOrEmpty", ["", "a*"], "bad-regex", ["*", "("]],
      ["regexList", ["", "a*,b"], "bad-regex", ["a,(", "*"]],
      [
        "nineDecimals",
        ["1", "0.123456789", " 0.1234567890 ", "x"],
        "decimalPlaces",
        ["0.1234567891", "1e-10"],
      ],
    ];
    for (const [form, right, fault, wrong] of rows) {
      for (const value of right) assert.equal(faultOf(form, value), undefined, `${form} ${value}`);
      for (const value of wrong) assert.equal(faultOf(form, value), fault, `${form} ${value}`);
    }
    assert.equal(faultOf("onlyDefault", "x", "x"), undefined);
    assert.equal(faultOf("onlyDefault", "x"), undefined);
    assert.equal(faultOf("onlyDefault", "y", "x"), "readOnly");
  });

  test("of a serialization filter has limits and patterns", () => {
    const right = [
      ...["maxdepth=1", "maxrefs=+9223372036854775807", "maxarray=0;maxbytes=2", "a", "!a", "m/a"],
      ...["a.*", "**", "m/a/b"],
    ];
    const wrong = [
      ...["", " ", ";;", "maxrefs=9223372036854775808", "maxref=1", "maxdepth=", "maxdepth=++1"],
      ...["!", "m/", "/a", "!/a", ".*", ".**", "m/.*", "a;.*"],
    ];
    for (const text of right) assert.equal(isSerialFilter(text), true, text);
    for (const text of wrong) assert.equal(isSerialFilter(text), false, text);
  });

  test("of a Java format has conversions for its arguments", () => {
    const one = ["number"] as const;
    const right = [
      ...["", "%d", "%5d", "%-5d", "%05d", "%+d", "% d", "%,d", "%(d", "%x", "%#x", "%08X", "%#o"],
      ...["%c", "%s", "%.2s", "%-5s", "%b", "%h", "%1$d%1$d", "%d%<d", "%%", "%n", "%5%"],
    ];
    const wrong = [
      ...["%", "%q", "%-d", "%0d", "%-05d", "%+ 5d", "%#d", "%.1d", "%+x", "%,x", "%+c", "%#c"],
      ...[
        "%05c",
        "%#s",
        "%+s",
        "%0s",
        "%05s",
        "%,b",
        "%2$d",
        "%d%d",
        "%<d",
        "%f",
        "%e",
        "%tY",
        "%0$d",
      ],
    ];
    for (const text of right) assert.equal(isSurelyBadFormat(text, one), false, text);
    for (const text of wrong) assert.equal(isSurelyBadFormat(text, one), true, text);
    assert.equal(isSurelyBadFormat("%d", ["text"]), true);
    assert.equal(isSurelyBadFormat("%s", ["text"]), false);
    assert.equal(isSurelyBadFormat("%s %d", ["text", "number"]), false);
  });
});

describe("a regular expression", () => {
  test("is accepted if Java may accept it", () => {
    for (const text of [
      ...["", "a|b", "|", "(|a)", "(?:a)*", "a{2}", "a{2,}", "a{2,3}?", "{2}", "a{2}+"],
      ...["[^]]", "[^]a]", "[]]", "[a-z]", "[a-a]", "[[a]b]", "[\\]]", "[%-#]", "[a-]", "[Z-a]"],
      ...["\\cA", "\\u00e9", "\\pL", "\\p{L}", "\\P{Lu}", "\\p{IsGreek}", "\\p{javaLowerCase}"],
      ...[
        "\\p{script=Greek}",
        "\\p{Alpha}",
        "(?<n>a)\\k<n>",
        "\\d+",
        "\\.",
        "[\\p{L}]",
        "a*?",
        "a?+",
      ],
      ...["(?x)a b", "(?x)( a )", "(?x) * # \\Q", "\\Q(", "(?-x:a)", "(?ix:[)", "[[\\Q"],
    ])
      assert.equal(isSurelyBadRegex(text), false, text);
  });

  test("is rejected if Java certainly rejects it", () => {
    for (const text of [
      ...["(", "())", ")(", "(()", "(?", "(?:", "(?:a", "(?i:a"],
      ...["a{", "a{}", "a{,3}", "a{x}", "a{3,2}", "a{2}*", "a{1111111111111111111111111}"],
      ...["[", "[]", "[^]", "[[a]", "[a[b]", "[z-a]", "[9-0]", "[b-a]", "[\\", "x[a\\"],
      ...["\\", "\\c", "\\u00g0", "\\u00", "\\p", "\\p{", "\\p{}", "\\p{Nope1}", "\\pl", "\\p{l}"],
      ...[
        "\\k",
        "\\k<n>",
        "\\k<1>",
        "(?<n>a)\\k<m>",
        "(?<n>a)\\kn",
        "?",
        "|*",
        "a|?",
        "(*a)",
        "a+*",
      ],
      ...["(?x) *", "(?x)(", "(?x)a )"],
    ])
      assert.equal(isSurelyBadRegex(text), true, text);
  });
});

describe("a number of Java", () => {
  test("is a 32-bit or 64-bit integer", () => {
    const rows = [
      ["2147483647", "int", 2147483647n],
      ["-2147483648", "int", -2147483648n],
      ["2147483648", "int", "tooLarge"],
      ["-2147483649", "int", "tooLarge"],
      ["9223372036854775807", "long", (1n << 63n) - 1n],
      ["-9223372036854775808", "long", -(1n << 63n)],
      ["9223372036854775808", "long", "tooLarge"],
      ["-9223372036854775809", "long", "tooLarge"],
      [`${"0".repeat(40)}7`, "int", 7n],
      ["0", "int", 0n],
      ["-0", "int", 0n],
      ["\u0661\u0662", "int", 12n],
      ["1".repeat(40), "long", "tooLarge"],
      [`${"1".repeat(40)}x`, "long", "syntax"],
      ["", "int", "syntax"],
      ["+", "int", "syntax"],
      ["+-1", "int", "syntax"],
      ["1 ", "int", "syntax"],
    ] as const;
    for (const [text, type, expected] of rows)
      assert.deepEqual(
        parseInteger(text, type),
        typeof expected === "bigint" ? { value: expected } : { fault: expected },
        text,
      );
  });

  test("is a double with a fraction, an exponent and a suffix", () => {
    const rows: readonly (readonly [string, number | undefined])[] = [
      ...([
        ["-1.5", -1.5],
        ["+.5", 0.5],
        ["5.", 5],
        ["1e2", 100],
        ["1E+2", 100],
        ["1e-2", 0.01],
      ] as const),
      ...([
        ["1.5f", 1.5],
        ["1D", 1],
        ["-Infinity", -Infinity],
        ["+Infinity", Infinity],
      ] as const),
      ...([
        ["0x1p4", 16],
        ["0X1.8P-1", 0.75],
        ["0xap0f", 10],
        ["-0x1p+1", -2],
        ["0x.1p4", 1],
      ] as const),
      ...([
        ["0x1.p4d", 16],
        ["0x1.88p0", 1.53125],
      ] as const),
      ...([
        [".", undefined],
        ["1e", undefined],
        ["1e+", undefined],
        ["e1", undefined],
      ] as const),
      ...([
        ["1.2.3", undefined],
        ["1fd", undefined],
        ["0x1", undefined],
        ["0xp1", undefined],
      ] as const),
      ...([
        ["0x1p", undefined],
        ["0x1p-", undefined],
        ["0x1px", undefined],
        ["0xgp1", undefined],
      ] as const),
      ...([
        ["0x1.2.3p1", undefined],
        ["--1", undefined],
        ["infinity", undefined],
      ] as const),
    ];
    for (const [text, expected] of rows) assert.equal(parseDouble(text), expected, text);
    assert.equal(parseDouble("-NaN"), NaN);
  });

  test("is a decimal with its places, without zeros at the end", () => {
    const rows = [
      ["1", 1, 0],
      ["-0.50", -0.5, 1],
      ["+1.230", 1.23, 2],
      ["1.5e3", 1500, -2],
      ["1.5E-3", 0.0015, 4],
      [".5", 0.5, 1],
      ["5.", 5, 0],
      ["1.000", 1, 0],
      ["\u0661.\u0665", 1.5, 1],
    ] as const;
    for (const [text, value, places] of rows)
      assert.deepEqual(parseDecimal(text), { value, places }, text);
    for (const text of ["", ".", "1f", "x", "--1", "1e"])
      assert.equal(parseDecimal(text), undefined);
  });

  test("has digits of any script, and at most 25 of them", () => {
    assert.deepEqual(
      ["0", "9", "\u0660", "\u0669", "\uff15", "a", "/", ":"].map((one) => digitValue(one, 0)),
      [...[0, 9, 0, 9, 5, undefined, undefined, undefined]],
    );
    assert.equal(wholeNumber("0".repeat(30) + "9".repeat(25)), BigInt("9".repeat(25)));
    assert.equal(wholeNumber("9".repeat(26)), undefined);
    assert.equal(wholeNumber("0".repeat(30)), 0n);
  });
});

describe("a size or a time", () => {
  const sizeOf = (text: string, version: "4.1" | "4.3" = "4.3") => {
    const read = readSize(text, "BYTE", version);
    return "value" in read ? read.value : read.fault;
  };
  const timeOf = (text: string) => {
    const read = readTime(text, "milliseconds");
    return "value" in read ? read.value : read.fault;
  };

  test("has the power of 1024 of its unit", () => {
    const units = {
      "": 0n,
      b: 0n,
      k: 1n,
      kb: 1n,
      Ki: 1n,
      KiB: 1n,
      m: 2n,
      g: 3n,
      GB: 3n,
      t: 4n,
      p: 5n,
    };
    for (const [unit, power] of Object.entries(units))
      assert.equal(sizeOf(`3${unit}`), 3n * 1024n ** power, unit);
    for (const unit of ["bb", "bi", "kbb", "kk", "e", "ib", "x"])
      assert.equal(sizeOf(`3${unit}`), "unit", unit);
    assert.deepEqual(readSize("5", 2, "4.3"), { value: 5n });
    assert.deepEqual(readSize("5g", 2, "4.3"), { value: 5n * 1024n });
    assert.deepEqual(readSize("2047k", "MiB", "4.3"), { value: 1n });
  });

  test("has a fault that names the mistake", () => {
    const sizes = {
      ...{ "1.5g": "fraction", ".5g": "fraction", "1 g": "space", "1.": "fraction", ".": "syntax" },
      ...{ "": "syntax", " g": "syntax", g1: "syntax", "1-g": "syntax", "- 1": -1n },
      ...{ "9223372036854775807": (1n << 63n) - 1n, "9223372036854775808": "tooLarge" },
    };
    for (const [text, expected] of Object.entries(sizes))
      assert.equal(sizeOf(text), expected, text);
    assert.equal(sizeOf("1Gi", "4.1"), "binaryUnit");
    const times = {
      ...{
        "1.5s": "fraction",
        ".5s": "fraction",
        "-.5s": "fraction",
        "1 s": "space",
        ".": "syntax",
      },
      ...{ "-": "syntax", s: "syntax", "1sec": "unit", "-1.5s": "fraction", "- 1s": "syntax" },
      ...{ "9223372036854775808": "tooLarge", "9223372036854775807h": (1n << 63n) - 1n },
      ...{ "-9223372036854775807h": -(1n << 63n), " 7 ": 7n, "-2s": -2_000n },
    };
    for (const [text, expected] of Object.entries(times))
      assert.equal(timeOf(text), expected, text);
  });

  test("of time has a unit from microseconds to days", () => {
    const units = { us: 1n, ms: 1_000n, s: 10n ** 6n, m: 60n * 10n ** 6n, min: 60n * 10n ** 6n };
    const more = { h: 3_600n * 10n ** 6n, d: 86_400n * 10n ** 6n };
    for (const [unit, microseconds] of Object.entries({ ...units, ...more }))
      assert.deepEqual(readTime(`2${unit}`, 1_000n), { value: 2n * microseconds }, unit);
    assert.deepEqual(readTime("2", "minutes"), { value: 2n });
    assert.deepEqual(readTime("119s", "minutes"), { value: 1n });
    assert.deepEqual(readTime("2us", "nanoseconds"), { value: 2_000n });
  });
});

describe("a text or an interval", () => {
  test("is trimmed as in Java", () => {
    assert.equal(javaTrim("\u0000\t a \u001f\u0020"), "a");
    assert.equal(javaTrim("\u00a0a\u2003"), "\u00a0a\u2003");
    assert.equal(javaTrim(" \n "), "");
    assert.deepEqual(listParts(" a ,, b,\t"), ["a", "b"]);
  });

  test("contains its bounds unless they are excluded, without holes and other steps", () => {
    const within = (value: number | bigint, change: Partial<Range> = {}) =>
      isWithin(value, { ...range, ...change });
    assert.deepEqual(
      [0, 1, 10, 11].map((value) => within(value)),
      [false, true, true, false],
    );
    const open = { minExcluded: true, maxExcluded: true };
    assert.deepEqual(
      [1, 2, 9, 10].map((value) => within(value, open)),
      [false, true, true, false],
    );
    const endless = { min: undefined, max: undefined, holes: [5] };
    assert.deepEqual(
      [-1e9, 5, 1e9].map((value) => within(value, endless)),
      [true, false, true],
    );
    assert.equal(within(5n, endless), false);
    assert.deepEqual(
      [4n, 5n].map((value) => within(value, { step: 2 })),
      [true, false],
    );
    assert.equal(within(NaN), false);
    assert.equal(within(NaN, endless), false);
  });

  test("is a placeholder if it has at least eight capital letters and a unit of at most two characters", () => {
    const marks = ["ABCDEFGH", "A_CDEFG8", "ABCDEFGHm", "ABCDEFGHmi"];
    const words = ["ABCDEFG", "1BCDEFGH", "_BCDEFGH", "ABCDEFGHmin", "abcdefgh", ""];
    for (const text of marks) assert.equal(isCapitalsMark(text), true, text);
    for (const text of words) assert.equal(isCapitalsMark(text), false, text);
  });
});
