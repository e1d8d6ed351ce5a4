// Finds mutable state at module level, which outlives every owner and makes tests depend on each other.
import ts from "typescript";
import { parsedSource } from "./language.ts";
import type { Source } from "./sources.ts";

const mutators: ReadonlySet<string> = new Set(
  "set,add,delete,clear,push,pop,shift,unshift,splice,sort,reverse,fill,copyWithin".split(","),
);

/** Returns the places that declare or change mutable state of a module, as `path:line name`. */
export function moduleStateOf(source: Source): readonly string[] {
  const file = parsedSource(source);
  const found: string[] = [];
  const report = (node: ts.Node, name: string): void => {
    const { line } = file.getLineAndCharacterOfPosition(node.getStart(file));
    found.push(`${source.path}:${line + 1} ${name}`);
  };
  const shared = new Set<string>();
  for (const statement of file.statements) {
    for (const name of importedNames(statement)) shared.add(name);
    if (!ts.isVariableStatement(statement) || isAmbient(statement)) continue;
    const { flags, declarations } = statement.declarationList;
    for (const { name } of declarations) {
      if ((flags & ts.NodeFlags.Const) === 0) report(statement, name.getText(file));
      else if (ts.isIdentifier(name)) shared.add(name.text);
    }
  }
  const visit = (node: ts.Node, scope: Scope): void => {
    const inner = scopeOf(node, scope);
    if (ts.isPropertyDeclaration(node) && isWritableStatic(node)) {
      report(node, node.name.getText(file));
    }
    const target = mutated(node);
    if (target !== undefined && shared.has(target.text) && !inner.has(target.text)) {
      report(node, target.text);
    }
    ts.forEachChild(node, (child) => {
      visit(child, inner);
    });
  };
  visit(file, new Set());
  return found;
}

type Scope = ReadonlySet<string>;

/** Adds the names that a function, a block or a loop declares. They shadow the names of the module. */
function scopeOf(node: ts.Node, outer: Scope): Scope {
  const names: string[] = [];
  const take = (name: ts.BindingName): void => {
    if (ts.isIdentifier(name)) names.push(name.text);
    else for (const one of name.elements) if (ts.isBindingElement(one)) take(one.name);
  };
  if (ts.isFunctionLike(node)) for (const { name } of node.parameters) take(name);
  const list = ts.isForStatement(node) || ts.isForOfStatement(node) ? node.initializer : undefined;
  const statements = ts.isBlock(node) || ts.isCaseOrDefaultClause(node) ? node.statements : [];
  for (const one of statements) {
    if (ts.isVariableStatement(one))
      for (const { name } of one.declarationList.declarations) take(name);
  }
  if (list !== undefined && ts.isVariableDeclarationList(list)) {
    for (const { name } of list.declarations) take(name);
  }
  return names.length === 0 ? outer : new Set([...outer, ...names]);
}

/** Returns the variable that this node changes, such as `a` for `a.b = 1`; undefined if it changes none. */
function mutated(node: ts.Node): ts.Identifier | undefined {
  if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
    const { name, expression } = node.expression;
    return mutators.has(name.text) && ts.isIdentifier(expression) ? expression : undefined;
  }
  if (ts.isBinaryExpression(node) && isAssignment(node.operatorToken.kind)) {
    // Each use of a sticky pattern sets `lastIndex` first, so no state survives between uses.
    const isPosition =
      ts.isPropertyAccessExpression(node.left) && node.left.name.text === "lastIndex";
    return isPosition ? undefined : memberRoot(node.left);
  }
  if (ts.isDeleteExpression(node)) return memberRoot(node.expression);
  if (ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node)) {
    const { operator } = node;
    const isStep =
      operator === ts.SyntaxKind.PlusPlusToken || operator === ts.SyntaxKind.MinusMinusToken;
    return isStep ? memberRoot(node.operand) : undefined;
  }
  return undefined;
}

const isAssignment = (kind: ts.SyntaxKind): boolean =>
  kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;

function memberRoot(expression: ts.Expression): ts.Identifier | undefined {
  if (!ts.isPropertyAccessExpression(expression) && !ts.isElementAccessExpression(expression)) {
    return undefined;
  }
  const inner = expression.expression;
  return ts.isIdentifier(inner) ? inner : memberRoot(inner);
}

function isWritableStatic(node: ts.PropertyDeclaration): boolean {
  const kinds = node.modifiers?.map(({ kind }) => kind) ?? [];
  return (
    kinds.includes(ts.SyntaxKind.StaticKeyword) && !kinds.includes(ts.SyntaxKind.ReadonlyKeyword)
  );
}

const isAmbient = (statement: ts.VariableStatement): boolean =>
  statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.DeclareKeyword) ?? false;

/** Returns the names imported from the project's own files, not from packages or `vscode`. */
function importedNames(statement: ts.Statement): readonly string[] {
  if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier))
    return [];
  if (!statement.moduleSpecifier.text.startsWith(".")) return [];
  const bindings = statement.importClause?.namedBindings;
  return bindings !== undefined && ts.isNamedImports(bindings)
    ? bindings.elements.map(({ name }) => name.text)
    : [];
}
