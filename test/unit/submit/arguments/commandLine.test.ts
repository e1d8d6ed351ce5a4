import assert from "node:assert/strict";
import { test } from "node:test";
import { parseCommandLine } from "../../../../src/spark/submit/arguments/commandLine.ts";
import { versionTraits } from "../../../../src/spark/submit/conf/versionTraits.ts";

const parse = (...tokens: readonly string[]): ReturnType<typeof parseCommandLine> =>
  parseCommandLine(tokens, versionTraits["4.2"]);

const usesOf = (...tokens: readonly string[]): readonly string[] =>
  parse(...tokens).options.map(({ name, value, token }) => `${token} ${name} ${value}`);

test("reads the value of an option from its token or the next one", () => {
  assert.deepEqual(usesOf("--name=a=b", "--class", "C", "x.jar"), ["0 --name a=b", "1 --class C"]);
});

test("takes the next token as the value even if it looks like an option", () => {
  assert.deepEqual(usesOf("--name", "--x--", "x.jar"), ["0 --name --x--"]);
});

test("rejects an empty inline value and an inline value of a short option", () => {
  assert.equal(parse("--name=", "x.jar").findings[0]?.code, "E-02");
  assert.equal(parse("-c=a=b", "x.jar").findings[0]?.code, "E-02");
});

test("accepts newlines in an inline value", () => {
  assert.deepEqual(usesOf("--conf=spark.a=1\n2", "x.jar"), ["0 --conf spark.a=1\n2"]);
});

test("ignores the inline value of a switch", () => {
  assert.deepEqual(usesOf("--verbose=false", "x.jar"), ["0 --verbose "]);
});

test("reads short options as their long forms", () => {
  assert.deepEqual(usesOf("-c", "spark.a=b", "-v", "x.jar"), [
    "0 --conf spark.a=b",
    "2 --verbose ",
  ]);
});

test("passes all tokens after the main resource to the application", () => {
  const commandLine = parse("--name", "n", "x.jar", "--name", "z", "-c", "");
  assert.deepEqual(commandLine.resource, { text: "x.jar", token: 2 });
  assert.deepEqual(commandLine.applicationArguments, ["--name", "z", "-c", ""]);
});

test("reports an unknown option at its token", () => {
  const [finding] = parse("--name", "n", "--bogus", "x.jar").findings;
  assert.equal(finding?.code, "E-02");
  assert.deepEqual(finding.origin, { kind: "argument", token: 2 });
});

test("reports a missing value at the option's token", () => {
  const [finding] = parse("--verbose", "--jars").findings;
  assert.equal(finding?.code, "E-01");
  assert.deepEqual(finding.origin, { kind: "argument", token: 1 });
});

test("reports an unknown deploy mode", () => {
  assert.equal(parse("--deploy-mode", "both", "x.jar").findings[0]?.code, "E-03");
});

test("accepts only the options of the Spark version", () => {
  const isKnown = (version: keyof typeof versionTraits, option: string): boolean =>
    parseCommandLine([option, "v", "x.jar"], versionTraits[version]).findings.length === 0;
  assert.equal(isKnown("4.1", "--extra-properties-file"), false);
  assert.equal(isKnown("4.2", "--extra-properties-file"), true);
  assert.equal(isKnown("3.3", "--remote"), false);
  assert.equal(isKnown("3.4", "--remote"), true);
  assert.equal(isKnown("3.5", "--driver-default-class-path"), false);
  assert.equal(isKnown("4.0", "--driver-default-class-path"), true);
});
