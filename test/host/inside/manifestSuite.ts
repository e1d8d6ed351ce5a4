import assert from "node:assert/strict";
import * as vscode from "vscode";
import { loadedBundles } from "./loadedBundles.ts";
import type { Suite } from "./runSuite.ts";

/** Tests that the manifest's contributions exist, in an extension host with Node. */
export const manifestSuite: Suite = {
  "the extension activates": async () => {
    await ours().activate();
    assert.ok(ours().isActive);
  },
  "activation loads the main bundle and no other": async () => {
    await ours().activate();
    assert.deepEqual(loadedBundles(), ["extension.cjs"]);
  },
  "every command of the manifest is registered": async () => {
    await ours().activate();
    const registered = new Set(await vscode.commands.getCommands(true));
    const missing = contributed("commands", "command").filter((id) => !registered.has(id));
    assert.deepEqual(missing, []);
  },
  "every view of the manifest can be shown": async () => {
    for (const id of contributed("views", "id")) {
      await vscode.commands.executeCommand(`${id}.focus`);
    }
  },
};

function ours(): vscode.Extension<unknown> {
  const extension = vscode.extensions.getExtension<unknown>("spark-k8s.spark-k8s");
  assert.ok(extension, "the extension is not there");
  return extension;
}

/** Returns all values of members called `key` below one contribution point; asserts that there are some. */
function contributed(point: string, key: string): readonly string[] {
  const manifest: unknown = ours().packageJSON;
  const found = membersOf(memberOf(memberOf(manifest, "contributes"), point), key);
  assert.notEqual(found.length, 0, `the manifest contributes no ${point}`);
  return found;
}

function membersOf(value: unknown, key: string): readonly string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]: [string, unknown]) =>
    name === key && typeof member === "string" ? [member] : membersOf(member, key),
  );
}

function memberOf(value: unknown, key: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return Object.entries(value).find(([name]) => name === key)?.[1];
}
