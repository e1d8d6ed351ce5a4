import assert from "node:assert/strict";
import { test } from "node:test";
import ts from "typescript";
import { growthOf, type Growth } from "./regexAmbiguity.ts";
import { readJson } from "./json.ts";
import { readSources } from "./sources.ts";

interface Found {
  readonly place: string;
  readonly own: Growth;
  readonly search: Growth;
}

function regexesIn(path: string, text: string): readonly Found[] {
  const found: Found[] = [];
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf("/");
      const { line } = file.getLineAndCharacterOfPosition(node.getStart());
      const growth = growthOf(node.text.slice(1, end), node.text.slice(end + 1));
      found.push({ place: `${path}:${line + 1} ${node.text}`, ...growth });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

const all = (await readSources("src", ".ts")).flatMap(({ path, text }) => regexesIn(path, text));

test("distinguishes exponential, polynomial and linear expressions", () => {
  const rows: readonly (readonly [string, string, Growth, Growth])[] = [
    ["(a+)+$", "", "exponential", "exponential"],
    ["(a*)*b", "", "exponential", "exponential"],
    ["^(?:a|aa)+$", "", "exponential", "exponential"],
    [String.raw`^(\w+\.?)+$`, "", "exponential", "exponential"],
    ["^a*a*$", "", "polynomial", "polynomial"],
    [String.raw`\s+$`, "", "linear", "polynomial"],
    [String.raw`^\s+$`, "", "linear", "linear"],
    ["^[ ]*x", "m", "linear", "linear"],
    ["a+", "", "linear", "linear"],
    ["(?:a|b)+c", "y", "linear", "linear"],
    ["^(?:a,?)+$", "", "linear", "linear"],
  ];
  for (const [source, flags, own, search] of rows)
    assert.deepEqual(growthOf(source, flags), { own, search }, source);
});

test("no regular expression takes exponentially long", () => {
  assert.ok(all.length > 500);
  assert.deepEqual(
    all.filter(({ own }) => own === "exponential").map(({ place }) => place),
    [],
  );
});

test("patterns for typed text take time linear in its length", () => {
  const typed = /^src\/(?:cli|editor\/conf|spark\/(?:conf|operator|surfaces))[./]/;
  assert.deepEqual(
    all
      .filter(({ place, search }) => typed.test(place) && search !== "linear")
      .map(({ place }) => place),
    [],
  );
});

/**
 * Expressions that are linear for a reason that `growthOf` does not detect. They are identified by their beginning,
 * because line numbers change.
 */
const linearAllTheSame: readonly (readonly [path: string, beginning: string, reason: string])[] = [
  ["src/spark/logs/traceFrames.ts", "/(?:^|\\s)((?:", "starts after white space, and holds none"],
  [
    "src/spark/submit/template/templateYaml.ts",
    '/"(?:',
    "an open string takes the rest of the text",
  ],
  [
    "src/spark/submit/jvm/mainClass.ts",
    "/\\/\\/[^\\n]*|",
    "an open comment or literal takes the rest of the text or line",
  ],
  ["src/spark/submit/arguments/uri.ts", "/(?:%[0-9a-fA-F]{2})+/", "what was read is always found"],
  ["src/storage/s3/s3Settings.ts", "/(?:^|\\.)s3", "starts at a dot, and a region holds none"],
];

test("those that match text of a cluster, a log or a file take linear time", () => {
  const outside = /^src\/(?:spark|cluster|storage)\//;
  const found = all.filter(({ place, search }) => outside.test(place) && search !== "linear");
  const isException = (place: string, [path, beginning]: (typeof linearAllTheSame)[number]) =>
    place.startsWith(`${path}:`) && place.slice(place.indexOf(" ") + 1).startsWith(beginning);
  assert.deepEqual(
    found
      .map(({ place }) => place)
      .filter((place) => !linearAllTheSame.some((each) => isException(place, each))),
    [],
  );
  for (const each of linearAllTheSame)
    assert.ok(
      found.some(({ place, own }) => own === "linear" && isException(place, each)),
      each.join(" "),
    );
});

// Files that build expressions from a constant table. Here, it contains the names of spark-submit's options.
const builtFromOwnTables = new Set(["src/spark/surfaces/commandSettings.ts"]);

const constantText = (node: ts.Node | undefined, constants: ReadonlySet<string>): boolean =>
  node === undefined ||
  ts.isStringLiteralLike(node) ||
  ts.isRegularExpressionLiteral(node) ||
  (ts.isIdentifier(node) && constants.has(node.text)) ||
  (ts.isTemplateExpression(node) &&
    node.templateSpans.every(({ expression }) => constantText(expression, constants)));

// Functions that compile strings as regular expressions.
const searches = new Set(["match", "matchAll", "search"]);

/** Returns `path:line` for each regular expression whose source is not a constant of the file. */
function builtFromOutside(path: string, text: string): readonly string[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const constants = new Set<string>();
  for (const statement of file.statements) {
    if (ts.isImportDeclaration(statement) && ts.isStringLiteral(statement.moduleSpecifier)) {
      const { text: module } = statement.moduleSpecifier;
      if (module.endsWith("/base/unseenCharacters.ts")) constants.add("unseenCharacters");
    }
    if (!ts.isVariableStatement(statement)) continue;
    if ((statement.declarationList.flags & ts.NodeFlags.Const) === 0) continue;
    for (const { name, initializer } of statement.declarationList.declarations) {
      if (ts.isIdentifier(name) && initializer && constantText(initializer, constants))
        constants.add(name.text);
    }
  }
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    ts.forEachChild(node, visit);
    if (ts.isIdentifier(node) && node.text === "RegExp") {
      const { parent } = node;
      const isBuilt = ts.isNewExpression(parent) || ts.isCallExpression(parent);
      if (ts.isTypeReferenceNode(parent)) return;
      if (isBuilt && parent.expression === node && constantText(parent.arguments?.[0], constants))
        return;
    } else {
      if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return;
      const [pattern] = node.arguments;
      if (!searches.has(node.expression.name.text) || pattern === undefined) return;
      if (!ts.isTemplateExpression(pattern) && !ts.isBinaryExpression(pattern)) return;
    }
    found.push(`${path}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}`);
  };
  visit(file);
  return found;
}

test("a regular expression from text of outside is found, and one from constants is not", () => {
  const violations = [
    "export const find = (own: string): RegExp => new RegExp(own);",
    "export const find = (own: string): RegExp => RegExp(own, 'i');",
    "export const find = (own: string): RegExp => new RegExp(`^${own}$`);",
    "const make = RegExp; export const find = (own: string) => new make(own);",
    "export const make = globalThis.RegExp;",
    "export const find = (text: string, own: string) => text.match(`^${own}`);",
    "export const find = (text: string, own: string) => text.search('^' + own);",
  ];
  for (const text of violations)
    assert.deepEqual(builtFromOutside("src/spark/x.ts", text), ["src/spark/x.ts:1"], text);
  const allowed =
    'const name = "a"; const word = /b/;\n' +
    "export const all: readonly RegExp[] = [new RegExp('a'), new RegExp(`${name}b`), new RegExp(word, 'y')];";
  assert.deepEqual(builtFromOutside("src/spark/x.ts", allowed), []);
});

test("only constants become regular expressions of JavaScript's engine", async () => {
  const sources = (await readSources("src", ".ts")).filter(
    ({ path }) => !builtFromOwnTables.has(path),
  );
  assert.deepEqual(
    sources.flatMap(({ path, text }) => builtFromOutside(path, text)),
    [],
  );
});

test("Spark's default patterns, which read each line of a log, take linear time", () => {
  const defaults = all.filter(({ place }) => /versionTraits|redactedLogs/.test(place));
  assert.ok(defaults.length >= 4);
  for (const { place, own, search } of defaults)
    assert.deepEqual([own, search], ["linear", "linear"], place);
});

test("no pattern of a problem matcher, which VS Code runs on a task's output, takes more than linear time", async () => {
  const patterns = regexpsIn(await readJson("package.json"));
  assert.ok(patterns.length >= 6);
  for (const pattern of patterns)
    assert.deepEqual(growthOf(pattern, ""), { own: "linear", search: "linear" }, pattern);
});

/** Returns the values of all members named `regexp`, `beginsPattern` or `endsPattern`, at any depth. */
function regexpsIn(value: unknown): readonly string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]: [string, unknown]) =>
    typeof member === "string" && /^(?:regexp|(?:begins|ends)Pattern)$/.test(name)
      ? [member]
      : regexpsIn(member),
  );
}
