import assert from "node:assert/strict";
import { test } from "node:test";
import { parseCommandLine } from "../../../src/spark/submit/commandLine.ts";
import { versionTraits } from "../../../src/spark/submit/versionTraits.ts";

const parse = (...tokens: readonly string[]): ReturnType<typeof parseCommandLine> =>
  parseCommandLine(tokens, versionTraits["4.2"]);

const usesOf = (...tokens: readonly string[]): readonly string[] =>
  parse(...tokens).options.map(({ name, value, token }) => `${token} ${name} ${value}`);

test("an option takes its value from the same token or from the next", () => {
  assert.deepEqual(usesOf("--name=a=b", "--class", "C", "x.jar"), ["0 --name a=b", "1 --class C"]);
});

test("the next token is the value even when it looks like an option", () => {
  assert.deepEqual(usesOf("--name", "--x--", "x.jar"), ["0 --name --x--"]);
});

test("an inline value may not be empty, and short options have none", () => {
  assert.equal(parse("--name=", "x.jar").findings[0]?.code, "E-02");
  assert.equal(parse("-c=a=b", "x.jar").findings[0]?.code, "E-02");
});

test("an inline value may hold line ends", () => {
  assert.deepEqual(usesOf("--conf=spark.a=1\n2", "x.jar"), ["0 --conf spark.a=1\n2"]);
});

test("the inline value of a switch means nothing", () => {
  assert.deepEqual(usesOf("--verbose=false", "x.jar"), ["0 --verbose "]);
});

test("short options stand for long ones", () => {
  assert.deepEqual(usesOf("-c", "spark.a=b", "-v", "x.jar"), [
    "0 --conf spark.a=b",
    "2 --verbose ",
  ]);
});

test("all behind the main resource belongs to the application", () => {
  const commandLine = parse("--name", "n", "x.jar", "--name", "z", "-c", "");
  assert.deepEqual(commandLine.resource, { text: "x.jar", token: 2 });
  assert.deepEqual(commandLine.applicationArguments, ["--name", "z", "-c", ""]);
});

test("an unknown option is pointed at", () => {
  const [finding] = parse("--name", "n", "--bogus", "x.jar").findings;
  assert.equal(finding?.code, "E-02");
  assert.deepEqual(finding.origin, { kind: "argument", token: 2 });
});

test("an option without its value is pointed at", () => {
  const [finding] = parse("--verbose", "--jars").findings;
  assert.equal(finding?.code, "E-01");
  assert.deepEqual(finding.origin, { kind: "argument", token: 1 });
});

test("a deploy mode that is none is refused where it stands", () => {
  assert.equal(parse("--deploy-mode", "both", "x.jar").findings[0]?.code, "E-03");
});

test("options are those of the Spark version", () => {
  const isKnown = (version: keyof typeof versionTraits, option: string): boolean =>
    parseCommandLine([option, "v", "x.jar"], versionTraits[version]).findings.length === 0;
  assert.equal(isKnown("4.1", "--extra-properties-file"), false);
  assert.equal(isKnown("4.2", "--extra-properties-file"), true);
  assert.equal(isKnown("3.3", "--remote"), false);
  assert.equal(isKnown("3.4", "--remote"), true);
  assert.equal(isKnown("3.5", "--driver-default-class-path"), false);
  assert.equal(isKnown("4.0", "--driver-default-class-path"), true);
});
