import assert from "node:assert/strict";
import { test } from "node:test";
import { openCatalogue } from "../../../src/spark/conf/catalogue/catalogue.ts";
import type { SparkVersion } from "../../../src/spark/conf/catalogue/sparkVersions.ts";
import { judgeKeyValue } from "../../../src/spark/conf/values/judgeKeyValue.ts";
import { parseDouble } from "../../../src/spark/conf/values/numbers.ts";
import { isCapitalsMark, isPlaceholder } from "../../../src/spark/conf/values/placeholders.ts";
import { isSurelyBadRegex } from "../../../src/spark/conf/values/regexes.ts";
import { resolveReferences } from "./resolveReferences.ts";
import { readSize } from "../../../src/spark/conf/values/sizes.ts";
import { readTime } from "../../../src/spark/conf/values/times.ts";

const catalogue = openCatalogue();

/** Checks the accepted values, then the rejected values with the reason for each. */
function check(
  key: string,
  version: SparkVersion,
  taken: readonly string[],
  refused: Readonly<Record<string, string>>,
): void {
  const facts = catalogue.find(key, version);
  assert.ok(facts, key);
  const codeOf = (value: string): string | undefined =>
    judgeKeyValue(catalogue, facts, value, version)?.code;
  for (const value of taken) assert.equal(codeOf(value), undefined, `${key} ${value}`);
  for (const [value, code] of Object.entries(refused)) {
    assert.equal(codeOf(value), code, `${key} ${value}`);
  }
}

test("booleans are true and false in any case", () => {
  check("spark.ui.enabled", "4.3", ["true", "FALSE", " True "], {
    yes: "bad-boolean",
    "1": "bad-boolean",
    on: "bad-boolean",
    "": "empty-value",
  });
});

test("whole numbers have a sign and digits of any script, and must fit", () => {
  check("spark.cores.max", "4.3", ["1", "+5", "-1", "007", " 5 ", "\uff15", "2147483647"], {
    "2147483648": "bad-number",
    "1.0": "bad-number",
    "1e3": "bad-number",
    "1_000": "bad-number",
    "\u00a05": "bad-number",
    "-": "bad-number",
  });
});

test("the address of a reverse proxy has no part that Spark's UI uses itself", () => {
  check("spark.ui.reverseProxyUrl", "4.3", ["https://h/spark", "https://h/my-proxy"], {
    "https://h/proxy/spark": "bad-form",
    "https://h/history": "bad-form",
  });
});

test("numbers are those that Java parses as a double", () => {
  for (const text of ["1", ".5", "1.", "1e-3", "1f", "1D", "0x1p3", "0x.8p0", "NaN", "-Infinity"]) {
    assert.notEqual(parseDouble(text), undefined, text);
  }
  for (const text of ["", ".", "nan", "inf", "1,5", "50%", "e5", "1e", "0x1", "0x1.2.3p1", "1ff"]) {
    assert.equal(parseDouble(text), undefined, text);
  }
  assert.equal(parseDouble("-0x1.8p1"), -3);
});

test("a number of cores may have decimals from 4.3 on, not before", () => {
  check("spark.task.cpus", "4.3", ["1", "0.5", ".5", "1.", "1e-3"], {
    "0": "out-of-range",
    "1f": "bad-number",
    "0.12345678901": "bad-form",
  });
  check("spark.task.cpus", "4.1", ["1"], { "0.5": "bad-number" });
});

test("a size is a whole number with a unit, and Gi is a unit from 4.2 on", () => {
  check("spark.executor.memory", "4.3", ["1g", "512", "1Gi", "2TiB", " 4G ", "-1g"], {
    "1.5g": "bad-size",
    "1 g": "bad-size",
    "1e": "bad-size",
    "--1": "bad-size",
    " -1g": "bad-size",
    g: "bad-size",
    "": "empty-value",
  });
  check("spark.executor.memory", "4.1", ["1g", "1GB"], { "1Gi": "bad-size", "1GiB": "bad-size" });
});

test("sizes are rounded down, and rejected above the largest long", () => {
  assert.deepEqual(readSize("1023b", "KiB", "4.3"), { value: 0n });
  assert.deepEqual(readSize("2g", "MiB", "4.3"), { value: 2048n });
  assert.deepEqual(readSize("8191p", "BYTE", "4.3"), { value: 8191n << 50n });
  assert.deepEqual(readSize("8192p", "BYTE", "4.3"), { fault: "tooLarge" });
});

test("a time is a whole number with a unit, and never too long", () => {
  check("spark.network.timeout", "4.3", ["120", "120s", "2MIN", "1h", "-1", "1500ms"], {
    "30sec": "bad-time",
    "1.5h": "bad-time",
    "30 s": "bad-time",
    "10ns": "bad-time",
    "1h30m": "bad-time",
  });
  assert.deepEqual(readTime("1500ms", "seconds"), { value: 1n });
  assert.deepEqual(readTime("-1500ms", "seconds"), { value: -1n });
  assert.deepEqual(readTime("106751991168d", "nanoseconds"), { value: (1n << 63n) - 1n });
});

test("ranges apply in the entry's own unit, with excluded values", () => {
  check("spark.kubernetes.allocation.batch.delay", "4.0", ["101", "1s"], {
    "100ms": "out-of-range",
  });
  check("spark.kubernetes.allocation.batch.delay", "3.5", ["100ms"], { "0": "out-of-range" });
  check("spark.unsafe.sorter.spill.merge.factor", "4.3", ["-1", "2"], {
    "0": "out-of-range",
    "1": "out-of-range",
    "-2": "out-of-range",
  });
  check("spark.kubernetes.executor.pvc.resizeInterval", "4.3", ["0", "5", "10m", "1h"], {
    "7": "out-of-range",
  });
  check("spark.memory.storageFraction", "4.3", ["0", "0.5"], {
    "1": "out-of-range",
    NaN: "out-of-range",
  });
});

test("choices may ignore case and blanks", () => {
  check("spark.sql.storeAssignmentPolicy", "4.1", ["ANSI", "ansi", " strict "], {
    x: "bad-choice",
  });
  check("spark.sql.storeAssignmentPolicy", "4.0", ["ANSI", "ansi"], { " strict ": "bad-choice" });
  check("spark.kubernetes.container.image.pullPolicy", "4.3", ["Always"], { always: "bad-choice" });
  check("spark.sql.orc.compression.codec", "3.5", ["ZSTD"], { brotli: "bad-choice" });
  check("spark.sql.orc.compression.codec", "4.0", ["brotli"], {});
});

test("suggests a choice that is nearly right", () => {
  const facts = catalogue.find("spark.kubernetes.container.image.pullPolicy", "4.3");
  assert.ok(facts);
  const problem = judgeKeyValue(catalogue, facts, "ifnotpresent", "4.3");
  assert.equal(problem?.code === "bad-choice" ? problem.near : undefined, "IfNotPresent");
});

test("a deprecated name accepts its successor's values, or a bare number", () => {
  check("spark.yarn.executor.memoryOverhead", "3.5", ["1g"], { "1.5g": "bad-size" });
  check("spark.kryoserializer.buffer.mb", "4.3", ["64", "0.5"], { "64k": "bad-number" });
});

test("rejects SQL settings only if the text alone is sufficient", () => {
  const refused = (...values: readonly string[]): Readonly<Record<string, string>> =>
    Object.fromEntries(values.map((value) => [value, "bad-form"]));
  check(
    "spark.sql.session.timeZone",
    "4.3",
    ["UTC", "Z", "Europe/Berlin", "PST", "EST5EDT", "SystemV/AST4", "GMT+8", "+1:5", "-18:00"],
    refused("utc", "Europe/Berln", "europe/berlin", "+18:01", "1:00", "UTC ", "GMT+25"),
  );
  check("spark.sql.hive.metastore.version", "3.5", ["0.13", "12", "2.3.9", "3"], refused("4.0"));
  check("spark.sql.hive.metastore.version", "4.1", ["2.1.1-cdh", "4.1.0"], refused("1.2.1", "3.2"));
  check("spark.sql.hive.metastore.version", "4.0", ["4.0.1"], refused("4.1.0"));
  check(
    "spark.sql.hive.metastore.version",
    "4.3",
    ["2.3.10", "2.3.1.x", "3", "3.1.3-"],
    refused("2.3.10 ", "2.3.10x", "2.3.", "2.3-x"),
  );
  check("spark.sql.artifact.cacheStorageLevel", "4.3", ["NONE", "DISK_ONLY"], refused("none"));
  check(
    "spark.deploy.appIdPattern",
    "4.3",
    ["app-%s", "%2$d", "%S-%B", "%5s-%d", "%s-%+05d", "%s-%08x", "%s-%C", "%.2s", "%%n", ""],
    refused("%", "50%", "a b", "%d", "%3$s", "%s%s%s", "%s-%D", "%n", "%-s", "%0s", "%<s"),
  );
  check(
    "spark.deploy.driverIdPattern",
    "4.0",
    ["%s-%#o", "%s-%b", "%h"],
    refused("%s-%#d", "%s-%,x", "%s-%-05d", "%.2d", "%tY", "%s-%f", "%#s", "%s-%1$d"),
  );
  check("spark.worker.idPattern", "4.3", ["%s-%s-%d", "%s%s%s"], refused("%s-%d", "%s-%s-%s-%s"));
  check(
    "spark.deploy.recoverySerializationFilter",
    "4.3",
    ["java.**;!*", "*", "m/*", " a", "a;;b", "maxdepth=3;!!a", "a;maxdepth"],
    refused("", ";", ".*", "!.**", "/a", "m/", "!", "maxdepth=x", "maxrefs=-1", "=1", "a=b"),
  );
  check(
    "spark.sql.sources.commitProtocolClass",
    "4.3",
    ["org.example.Protocol"],
    refused("default", "java.lang.String", "a b.C"),
  );
  check(
    "spark.sql.defaultPath",
    "4.3",
    ["", " ", "current_schema", "spark_catalog.default, `a`.`b`"],
    refused("default", "a-b.c", "current_path"),
  );
});

test("resolves a reference and rejects a circular one", () => {
  const found = new Map([
    ["spark.a", "1${spark.b}"],
    ["spark.b", "2"],
    ["spark.c", "${spark.c}"],
  ]);
  const resolve = (text: string): string | undefined =>
    resolveReferences(text, (name) => found.get(name));
  assert.equal(resolve("x${spark.a}y${spark.b}"), "x12y2");
  assert.equal(resolve("${no.such} ${}} ${ a} ${open"), "${no.such} ${}} ${ a} ${open");
  assert.equal(resolve("${spark.c}"), undefined);
});

test("rejects only regular expressions that Java certainly rejects", () => {
  for (const text of [
    ...["a(b", "a)b", "[a", "*a", "a|+", "(*)", "a**", "a\\"],
    ...["(?I)a", "(?g:a)", "(?i--s)a", "(?P<n>a)", "(?<1>a)", "(?<n_a>a)", "(?<n>a)(?<n>b)"],
    ...["(?#a)", "(?R)", "(?i", "(?i )a"],
  ]) {
    assert.equal(isSurelyBadRegex(text), true, text);
  }
  for (const text of [
    "(?i)secret|password",
    ...["(?i-s)a", "(?-)a", "(?)a", "(?idmsuxU:a)", "(?<n>a)(?<m>b)", "(?<=a)(?<!b)(?>c)"],
    "a*?",
    "a++",
    "[]a]",
    "[a[b]]",
    "\\Q(\\E",
    "^*",
    "\\(",
  ]) {
    assert.equal(isSurelyBadRegex(text), false, text);
  }
});

test("distinguishes placeholders from values", () => {
  for (const text of [
    "${x}",
    "a${b}c",
    "$X",
    "$(X)",
    "{{ x }}",
    "{% x %}",
    "<name>",
    "@X@",
    "%X%",
  ]) {
    assert.equal(isPlaceholder(text), true, text);
  }
  for (const text of ["1g", "a$", "$1", "{x}", "a<b", "a@b", "50%", ""]) {
    assert.equal(isPlaceholder(text), false, text);
  }
  assert.equal(isCapitalsMark("EXECUTORMEMORYm"), true);
  assert.equal(isCapitalsMark("FOUR"), false);
});
