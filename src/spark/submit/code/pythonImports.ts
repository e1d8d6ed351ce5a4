import type { Span } from "../../../base/span.ts";
import { relativePathIn } from "./relativePath.ts";
import { PythonTokens } from "./pythonTokens.ts";

/** An import statement, or a call that imports a module by a literal name. */
export interface PythonImport {
  /** Without the leading dots; empty for `from . import a`. */
  readonly module: string;
  /** The number of leading dots: 0 for an absolute import. */
  readonly level: number;
  /** The names after `from … import`, which may be modules; `*` for all. */
  readonly names: readonly string[];
  /** The line of the statement or the call, from 1. */
  readonly line: number;
  readonly span: Span;
}

export interface PythonImports {
  /** In source order. */
  readonly imports: readonly PythonImport[];
  /** The names in `__all__`, which `from … import *` may load as submodules. */
  readonly exported: readonly string[];
  /** String literals that may be relative paths of files or folders, without duplicates; at most 500. */
  readonly paths: readonly string[];
}

const tokensPerStep = 2_000;

/**
 * Finds imports anywhere in Python code, except in strings and comments. Never runs the code. For invalid code, returns
 * the imports that it can parse.
 */
export function scanPythonImports(text: string): PythonImports {
  const steps = pythonImportSteps(text);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Like `scanPythonImports`, but yields about every 2,000 tokens, so that the caller can yield to the event loop. */
export function* pythonImportSteps(text: string): Generator<undefined, PythonImports, undefined> {
  const imports: PythonImport[] = [];
  const exported: string[] = [];
  const paths = new Set<string>();
  const tokens = new PythonTokens(text);
  let isStatement = true;
  tokens.next();
  for (let count = 1; tokens.kind !== "end"; count += 1) {
    if (count % tokensPerStep === 0) yield;
    // `import` is reserved, so it begins a statement even inside an unclosed bracket.
    const isStart = tokens.kind === "name" && (isStatement || tokens.isFirstOfLine);
    isStatement = false;
    if (isStart && tokens.isName("import")) readImport(tokens, imports);
    else if (isStart && tokens.isName("from")) readFrom(tokens, imports);
    else if (isStart && tokens.isName("__all__")) readExported(tokens, exported);
    else if (tokens.isName("__import__") || tokens.isName("import_module")) {
      readCall(tokens, imports);
    } else {
      const text = tokens.literal();
      const path = text === undefined ? undefined : relativePathIn(text);
      if (path !== undefined) paths.add(path);
      isStatement =
        tokens.kind === "newline" ||
        (tokens.depth === 0 && (tokens.isOperator(";") || tokens.isOperator(":")));
      tokens.next();
    }
  }
  return { imports, exported, paths: [...paths].slice(0, maxPaths) };
}

const maxPaths = 500;
// Each `read…` function below stops at the first token that does not belong to its statement.

function readImport(tokens: PythonTokens, imports: PythonImport[]): void {
  const { start, line } = tokens;
  tokens.next();
  for (;;) {
    const module = readDotted(tokens);
    if (module === undefined) return;
    imports.push({ ...module, level: 0, names: [], line, span: { start, end: module.end } });
    skipAlias(tokens);
    if (!tokens.isOperator(",")) return;
    tokens.next();
  }
}

function readFrom(tokens: PythonTokens, imports: PythonImport[]): void {
  const { start, line } = tokens;
  tokens.next();
  let level = 0;
  for (; tokens.isOperator("."); level += 1) tokens.next();
  const module = tokens.isName("import") ? { module: "" } : readDotted(tokens);
  if (module === undefined || !tokens.isName("import") || (level === 0 && module.module === "")) {
    return;
  }
  tokens.next();
  if (tokens.isOperator("(")) tokens.next();
  const names: string[] = [];
  let { end } = tokens;
  while (isPlainName(tokens) || tokens.isOperator("*")) {
    names.push(tokens.word().normalize("NFKC"));
    ({ end } = tokens);
    tokens.next();
    skipAlias(tokens);
    if (!tokens.isOperator(",")) break;
    tokens.next();
  }
  if (names.length === 0) return;
  imports.push({ module: module.module, level, names, line, span: { start, end } });
}

/**
 * Reads `import_module("a.b")`, `import_module(".b", "a")`, `import_module(".b", __package__)` and `__import__("a.b")`.
 */
function readCall(tokens: PythonTokens, imports: PythonImport[]): void {
  const { start, line } = tokens;
  tokens.next();
  if (!tokens.isOperator("(")) return;
  tokens.next();
  const written = tokens.literal();
  if (written === undefined) return;
  const { end } = tokens;
  tokens.next();
  if (!tokens.isOperator(",") && !tokens.isOperator(")")) return;
  const parts = written.split(".");
  const level = parts.findIndex((part) => part !== "");
  const module = parts.slice(level).join(".");
  if (level < 0 || !isModuleName(module)) return;
  const found = { names: [], line, span: { start, end } };
  if (level === 0) imports.push({ module, level, ...found });
  else if (tokens.isOperator(",")) {
    tokens.next();
    if (tokens.isName("package")) {
      tokens.next();
      if (tokens.isOperator("=")) tokens.next();
    }
    const ancestors = tokens.literal()?.split(".");
    if (tokens.isName("__package__")) imports.push({ module, level, ...found });
    else if (ancestors !== undefined && ancestors.length >= level) {
      const whole = [...ancestors.slice(0, ancestors.length - level + 1), module].join(".");
      if (isModuleName(whole)) imports.push({ module: whole, level: 0, ...found });
    }
  }
}

function readExported(tokens: PythonTokens, exported: string[]): void {
  tokens.next();
  if (tokens.isOperator("+")) tokens.next();
  if (!tokens.isOperator("=")) return;
  tokens.next();
  if (!tokens.isOperator("[") && !tokens.isOperator("(")) return;
  tokens.next();
  while (tokens.kind === "string" || tokens.isOperator(",")) {
    const name = tokens.literal();
    if (name !== undefined && isModuleName(name) && !name.includes(".")) exported.push(name);
    tokens.next();
  }
}

function readDotted(
  tokens: PythonTokens,
): { readonly module: string; readonly end: number } | undefined {
  const parts: string[] = [];
  for (;;) {
    if (!isPlainName(tokens)) return undefined;
    parts.push(tokens.word().normalize("NFKC"));
    const { end } = tokens;
    tokens.next();
    if (!tokens.isOperator(".")) return { module: parts.join("."), end };
    tokens.next();
  }
}

function skipAlias(tokens: PythonTokens): void {
  if (!tokens.isName("as")) return;
  tokens.next();
  if (isPlainName(tokens)) tokens.next();
}

const isPlainName = (tokens: PythonTokens): boolean =>
  tokens.kind === "name" && !tokens.isName("import") && !tokens.isName("from");

const isModuleName = (text: string): boolean =>
  /^[\p{L}_][\p{L}\p{M}\p{N}_]*(?:\.[\p{L}_][\p{L}\p{M}\p{N}_]*)*$/u.test(text);
