// Checks that planted violations of the dependency rules are detected by the import matrix, the linter or the compiler,
// as the header of each planted file states.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { ESLint } from "eslint";
import { findViolations } from "./matrix.ts";
import { readImports } from "./readImports.ts";
import { listFiles, projectRoot, readSources, resolveImport, type Source } from "./sources.ts";

interface Planted extends Source {
  readonly name: string;
  readonly caughtBy: readonly string[];
}

const planted = await readPlanted();
const caughtBy = (net: string): readonly Planted[] =>
  planted.filter((violation) => violation.caughtBy.includes(net));

describe("the matrix", () => {
  for (const violation of caughtBy("matrix")) {
    test(`catches ${violation.name}`, () => {
      assert.notDeepEqual(findViolations([violation]), []);
    });
  }
});

const linterRules = ["@typescript-eslint/no-restricted-imports", "no-restricted-syntax"];

describe("the linter", () => {
  const linter = new ESLint({
    cwd: projectRoot,
    overrideConfigFile: "test/house/eslint.config.js",
    // The rules need no type information, so the file need not exist at that path.
    overrideConfig: { languageOptions: { parserOptions: { projectService: false } } },
    ruleFilter: ({ ruleId }) => linterRules.includes(ruleId),
  });
  for (const { name, path, text } of caughtBy("linter")) {
    test(`catches ${name}`, async () => {
      const [result] = await linter.lintText(text, { filePath: path });
      const [found, ...others] = result?.messages ?? [];
      assert.ok(linterRules.includes(found?.ruleId ?? ""), found?.message);
      assert.deepEqual(others, []);
    });
  }
});

describe("the compiler", () => {
  const violations = caughtBy("compiler");
  const innocent = violations.map(({ path }) => join(dirname(path), "innocent.ts"));
  let folder = "";
  let output = "";

  before(async () => {
    await mkdir(join(projectRoot, "out/house"), { recursive: true });
    // A folder inside the project, so that imports of packages resolve.
    folder = await mkdtemp(join(projectRoot, "out/house/compiler-"));
    await layOut(folder, violations, innocent);
    output = await compile(folder);
  });
  after(() => rm(folder, { recursive: true, force: true }));

  for (const { name, path } of violations) {
    test(`catches ${name}`, () => {
      assert.ok(output.includes(`${pathOf(path, name)}(`), output);
    });
  }
  test("accept valid imports", () => {
    for (const path of innocent) assert.ok(!output.includes(path), output);
  });
});

/** Reads the planted files. The header of each states its path and the checks that must detect it. */
async function readPlanted(): Promise<readonly Planted[]> {
  const sources = await readSources("test/house/planted", ".ts");
  return sources.map(({ path, text }) => {
    const [, at, nets] = /^\/\/ at (\S+)\n\/\/ caught by (.+)\n/.exec(text) ?? [];
    if (at === undefined || nets === undefined)
      throw new Error(`${path} has no header with its path and checks`);
    const name = path.replace(/^.*\/|\.ts$/g, "");
    return { path: at, text, name, caughtBy: nets.split(", ") };
  });
}

/** Renames a planted file, because several have the same path. */
const pathOf = (path: string, name: string): string => join(dirname(path), `${name}.ts`);

/** Writes the tsconfig files of src/, the planted files, and an empty file for each of their imports. */
async function layOut(
  folder: string,
  violations: readonly Planted[],
  innocent: readonly string[],
): Promise<void> {
  for (const path of await listFiles("src")) {
    if (/\/tsconfig[^/]*\.json$/.test(path)) await cp(join(projectRoot, path), join(folder, path));
  }
  const stubs = ["src/extension.ts", "src/web.ts", "src/base/a.ts", "src/spark/a.ts"];
  for (const layer of ["engine", "cluster", "storage", "editor", "build"]) {
    stubs.push(`src/${layer}/a.ts`);
  }
  for (const { path, text } of violations) {
    stubs.push(
      ...readImports(text)
        .filter(({ specifier }) => specifier.startsWith("."))
        .map(({ specifier }) => resolveImport(path, specifier)),
    );
  }
  const write = async (path: string, text: string): Promise<void> => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  };
  for (const path of [...stubs, ...innocent]) await write(path, "export {};\n");
  for (const { path, name, text } of violations) await write(pathOf(path, name), text);
}

function compile(folder: string): Promise<string> {
  const tsc = join(projectRoot, "node_modules/typescript/bin/tsc");
  return new Promise((resolve) => {
    const parameters = [tsc, "-b", join(folder, "src"), "--pretty", "false"];
    execFile(process.execPath, parameters, { cwd: folder }, (_error, stdout) => {
      resolve(stdout);
    });
  });
}
