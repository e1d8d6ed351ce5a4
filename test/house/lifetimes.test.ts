// Checks that every disposable returned by `register…`, `on…` or `create…` has an owner that disposes it.
import assert from "node:assert/strict";
import { test } from "node:test";
import ts from "typescript";
import { readSources } from "./sources.ts";

test("every disposable has an owner", async () => {
  const sources = await readSources("src", ".ts");
  assert.notEqual(sources.length, 0);
  const dropped = sources.flatMap(({ path, text }) =>
    droppedCalls(text).map((call) => `${path}:${call}`),
  );
  assert.deepEqual(dropped, []);
});

test("a dropped call is found, a kept one is not", () => {
  const text = `
    vscode.commands.registerCommand("a", run);
    void window.createTreeView("b", options);
    this.#owned.add(watcher.onDidChange(() => refresh()));
    const item = window.createStatusBarItem();
    if (ready) view.onDidChangeVisibility(() => onShown());
  `;
  assert.deepEqual(droppedCalls(text), [
    "2 registerCommand",
    "3 createTreeView",
    "6 onDidChangeVisibility",
  ]);
});

function droppedCalls(text: string): readonly string[] {
  const file = ts.createSourceFile("x.ts", text, ts.ScriptTarget.Latest);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isExpressionStatement(node)) {
      const name = calledName(node.expression);
      const { line } = file.getLineAndCharacterOfPosition(node.getStart(file));
      if (/^(?:register|onDid|onWill|create)[A-Z]/.test(name)) found.push(`${line + 1} ${name}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function calledName(expression: ts.Expression): string {
  if (ts.isVoidExpression(expression) || ts.isAwaitExpression(expression)) {
    return calledName(expression.expression);
  }
  if (!ts.isCallExpression(expression)) return "";
  const called = expression.expression;
  if (ts.isPropertyAccessExpression(called)) {
    // A Model Context Protocol server disposes its own tools.
    const isServer = ts.isIdentifier(called.expression) && called.expression.text === "server";
    return isServer ? "" : called.name.text;
  }
  return ts.isIdentifier(called) ? called.text : "";
}
