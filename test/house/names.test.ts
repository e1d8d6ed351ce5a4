import assert from "node:assert/strict";
import { test } from "node:test";
import ts from "typescript";
import { readImports } from "./readImports.ts";
import { listFiles, readSources, resolveImport, type Source } from "./sources.ts";

/** Words that say nothing about the purpose of a file or an export. */
const empty = new Set(
  "manager,helper,helpers,util,utils,info,data,handle,process,common,misc".split(","),
);

test("files are named in camelCase", async () => {
  const paths = [...(await listFiles("src")), ...(await listFiles("test"))].filter(
    (path) => path.endsWith(".ts") && !path.startsWith("test/host/kit/"),
  );
  const wrong = paths.filter((path) => !/(?:^|\/)[a-z][A-Za-z0-9]*(?:\.test|\.d)?\.ts$/.test(path));
  assert.deepEqual(wrong, []);
});

test("no file and no export has a meaningless word in its name", async () => {
  const sources = [...(await readSources("src", ".ts")), ...(await readSources("test", ".ts"))];
  const wrong = sources.flatMap(({ path, text }) => {
    const file = path.replace(/^.*\/|\.ts$/g, "");
    return [file, ...exportedNames(text)]
      .filter((name) => wordsOf(name).some((word) => empty.has(word)))
      .map((name) => `${path}: ${name}`);
  });
  assert.deepEqual(wrong, []);
});

test("finds a meaningless word inside a name", () => {
  const names = exportedNames("export class PodManager {}\nexport const { a, dataOf } = x;");
  assert.deepEqual(names, ["PodManager", "a", "dataOf"]);
  assert.deepEqual(names.flatMap(wordsOf), ["pod", "manager", "a", "data", "of"]);
});

/**
 * Names that two files of src export: VS Code requires the name of both entry points, and the editor's log adds to
 * the engine's.
 */
const sharedNames = ["Log", "activate"];

test("exported names of src are unique", async () => {
  const repeated = repeatedNames(await readSources("src", ".ts"));
  assert.deepEqual(repeated.map(([name]) => name).toSorted(), sharedNames);
});

test("reports a name that two files export", () => {
  const sources = [
    { path: "a.ts", text: "export const one = 1, two = 2;\nconst three = 3;" },
    { path: "b.ts", text: "export function one() {}\nexport interface One {}" },
    { path: "c.ts", text: "export const three = 3;\nexport function four(): void;" },
    {
      path: "d.ts",
      text: "function two() {}\nexport function five(a: 1): 1;\nexport function five(a: 2): 2;",
    },
  ];
  assert.deepEqual(repeatedNames(sources), [["one", "a.ts", "b.ts"]]);
});

function repeatedNames(sources: readonly Source[]): readonly (readonly string[])[] {
  const places = new Map<string, Set<string>>();
  for (const { path, text } of sources) {
    for (const name of exportedNames(text)) {
      places.set(name, (places.get(name) ?? new Set<string>()).add(path));
    }
  }
  return [...places].filter(([, paths]) => paths.size > 1).map(([name, paths]) => [name, ...paths]);
}

test("each exported function, class and constant of src has an importer", async () => {
  const sources = [...(await readSources("src", ".ts")), ...(await readSources("test", ".ts"))];
  const entries = new Set(["src/extension.ts", "src/web.ts"]);
  const unused = unusedExports(sources).filter(
    ([path]) => path.startsWith("src/") && !entries.has(path),
  );
  assert.deepEqual(unused, []);
});

test("reports an export without importer", () => {
  const sources = [
    { path: "a.ts", text: "export const one = 1, two = 2;\nexport function three() {}" },
    { path: "b.ts", text: 'import { one, type Four } from "./a.ts";\nexport class Five {}' },
    { path: "c.ts", text: 'export { two as more } from "./a.ts";\nawait import("./b.ts");' },
  ];
  assert.deepEqual(unusedExports(sources), [["a.ts", "three"]]);
});

/** Returns exported values that no other file uses. All exports of a lazily imported file count as used. */
function unusedExports(sources: readonly Source[]): readonly (readonly [string, string])[] {
  const used = new Set<string>();
  for (const { path, text } of sources) {
    for (const { specifier, kind } of readImports(text)) {
      if (kind === "lazy") used.add(resolveImport(path, specifier));
    }
    for (const statement of ts.createSourceFile(path, text, ts.ScriptTarget.Latest).statements) {
      for (const name of importedNames(statement)) used.add(resolveImport(path, name));
    }
  }
  return sources.flatMap(({ path, text }) =>
    used.has(path)
      ? []
      : exportedNames(text, "values")
          .filter((name) => !used.has(`${path}/${name}`))
          .map((name) => [path, name] as const),
  );
}

/** Returns `./a.ts/one` for an imported or re-exported name, and `./a.ts` for a namespace. */
function importedNames(statement: ts.Statement): readonly string[] {
  const isImport = ts.isImportDeclaration(statement);
  if (!isImport && !ts.isExportDeclaration(statement)) return [];
  const { moduleSpecifier } = statement;
  if (moduleSpecifier === undefined || !ts.isStringLiteral(moduleSpecifier)) return [];
  const bindings = isImport ? statement.importClause?.namedBindings : statement.exportClause;
  if (bindings === undefined) return [];
  const from = moduleSpecifier.text;
  return ts.isNamedImports(bindings) || ts.isNamedExports(bindings)
    ? bindings.elements.map(({ name, propertyName }) => `${from}/${(propertyName ?? name).text}`)
    : [from];
}

test("the top level contains only the agreed files", async () => {
  const agreed =
    /^(?:package(?:-lock)?\.json|tsconfig\.json|(?:README|CHANGELOG)\.md|LICENSE|package\.nls(?:\..+)?\.json|\..+)$/;
  const folders = ["src", "media", "syntaxes", "test"];
  const wrong = (await listFiles("."))
    .map((path) => path.split("/"))
    .filter(([top = "", ...rest]) =>
      rest.length === 0 ? !agreed.test(top) : !folders.includes(top) && !top.startsWith("."),
    );
  assert.deepEqual(wrong, []);
});

const wordsOf = (name: string): readonly string[] =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.toLowerCase());

function exportedNames(text: string, which: "all" | "values" = "all"): readonly string[] {
  const file = ts.createSourceFile("x.ts", text, ts.ScriptTarget.Latest);
  return file.statements.flatMap((statement) => {
    const exported =
      ts.canHaveModifiers(statement) &&
      ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
    const isType = ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement);
    return exported === true && !(which === "values" && isType) ? declaredNames(statement) : [];
  });
}

function declaredNames(statement: ts.Statement): readonly string[] {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.flatMap(({ name }) => boundNames(name));
  }
  const named =
    ts.isFunctionDeclaration(statement) ||
    ts.isClassDeclaration(statement) ||
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement);
  return named && statement.name !== undefined ? [statement.name.text] : [];
}

const boundNames = (name: ts.BindingName): readonly string[] =>
  ts.isIdentifier(name)
    ? [name.text]
    : name.elements.flatMap((element) =>
        ts.isBindingElement(element) ? boundNames(element.name) : [],
      );
