// package.json and the code say the same.
import assert from "node:assert/strict";
import { access } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { applicationsViewId, commands, settings, settingsSection } from "../../src/editor/ids.ts";
import { isRecord, membersOf, readJson, stringsIn } from "./json.ts";
import { projectRoot, readText } from "./sources.ts";

const manifest = await readJson("package.json");
const contributes = membersOf(manifest, "contributes");

test("the commands of the manifest are those of the code", () => {
  assert.deepEqual(declaredCommands(), Object.values(commands).sort());
});

test("the settings of the manifest are those of the code", async () => {
  const conf = await readText("src/editor/conf/confIds.ts");
  const declared = listOf(contributes, "configuration").flatMap((section) =>
    Object.keys(membersOf(section, "properties")),
  );
  const known = Object.values(settings).map((name) => `${settingsSection}.${name}`);
  const others = declared.filter((id) => !known.includes(id));
  // The conf feature names its own, so that the browser's bundle holds no more than these.
  const unnamed = others.filter(
    (id) => !conf.includes(`"${id.slice(settingsSection.length + 1)}"`),
  );
  assert.deepEqual(unnamed, []);
  assert.deepEqual(
    known.filter((id) => !declared.includes(id)),
    [],
  );
});

test("the code shows a view that the manifest declares", () => {
  const views = Object.values(membersOf(contributes, "views")).flatMap((list) =>
    Array.isArray(list) ? list.filter(isRecord).map((view) => view["id"]) : [],
  );
  assert.ok(views.includes(applicationsViewId), String(views));
});

test("menus, keys and welcome texts name commands that exist", async () => {
  const used = [
    ...Object.values(membersOf(contributes, "menus")).flatMap((menu) => commandsIn(menu)),
    ...commandsIn(contributes["keybindings"]),
    ...[...(await readText("package.nls.json")).matchAll(/\(command:([\w.]+)/g)].map(
      ([, id]) => id,
    ),
  ];
  const own = used.map(String).filter((id) => id.startsWith(`${settingsSection}.`));
  assert.notEqual(own.length, 0);
  assert.deepEqual(
    own.filter((id) => !declaredCommands().includes(id)),
    [],
  );
});

test("the walkthrough waits for commands that exist, and shows pictures that are there", async () => {
  const texts = stringsIn(listOf(contributes, "walkthroughs"));
  const awaited = texts.flatMap((text) => /^onCommand:(.+)$/.exec(text)?.[1] ?? []);
  assert.ok(awaited.length > 5);
  assert.deepEqual(
    awaited.filter((id) => !declaredCommands().includes(id)),
    [],
  );
  const pictures = new Set(texts.filter((text) => text.endsWith(".png")));
  assert.equal(pictures.size, 15);
  for (const picture of pictures) await access(join(projectRoot, picture));
});

test("every text of the manifest is defined, and every defined text is used", async () => {
  const used = stringsIn(manifest)
    .filter((text) => /^%[^%]+%$/.test(text))
    .map((text) => text.slice(1, -1));
  const defined = Object.keys(await readJson("package.nls.json"));
  assert.deepEqual([...new Set(used)].sort(), defined.sort());
});

test("a title that asks something more ends in an ellipsis", async () => {
  const texts = stringsIn(await readJson("package.nls.json"));
  assert.deepEqual(
    texts.filter((text) => text.includes("...")),
    [],
  );
});

test("the types, the oldest tested version and the declared one agree", async () => {
  const engine = /^\^(1\.\d+)\./.exec(String(membersOf(manifest, "engines")["vscode"]))?.[1];
  const types = String(membersOf(manifest, "devDependencies")["@types/vscode"]);
  const kit = membersOf(await readJson("test/host/kit/oldest/package.json"), "dependencies");
  // code-server 4.N carries VS Code 1.N.
  const tested = String(kit["code-server"]).replace(/^4\./, "1.");
  assert.ok(engine !== undefined && types.startsWith(`${engine}.`), `${engine} and ${types}`);
  assert.ok(tested.startsWith(`${engine}.`), `${engine} and ${tested}`);
});

const declaredCommands = (): readonly string[] =>
  commandsIn(contributes["commands"]).map(String).sort();

const commandsIn = (list: unknown): readonly unknown[] =>
  Array.isArray(list) ? list.filter(isRecord).map((entry) => entry["command"]) : [];

function listOf(value: Readonly<Record<string, unknown>>, key: string): readonly unknown[] {
  const member = value[key];
  return Array.isArray(member) ? member : [member];
}
