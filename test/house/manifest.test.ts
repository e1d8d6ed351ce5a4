// Compares package.json with the code.
import assert from "node:assert/strict";
import { access } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { commandTable, commandNames, undeclaredCommands } from "../../src/editor/commandTable.ts";
import { toolNames } from "../../src/editor/assistant/toolNames.ts";
import { assistantTools } from "../../src/engine/assistant/assistantTools.ts";
import {
  applicationsViewId,
  documentScheme,
  logScheme,
  settings,
  settingsSection,
} from "../../src/editor/ids.ts";
import { isRecord, membersOf, readJson, stringsIn, type JsonObject } from "./json.ts";
import { projectRoot, readSources, readText } from "./sources.ts";

const manifest = await readJson("package.json");
const contributes = membersOf(manifest, "contributes");

test("package.json declares each command of the table, with the enablement that it states", () => {
  const expected = commandNames
    .filter((name) => !undeclaredCommands.includes(name))
    .map((name) => commandTable[name]);
  assert.deepEqual(declaredCommands(), expected.map(({ id }) => id).sort());
  const enablements = new Map(
    listOf(contributes, "commands")
      .filter(isRecord)
      .map((one) => [one["command"], one["enablement"]]),
  );
  const runsIn = (enablement: unknown): string => {
    if (enablement === undefined) return "browser";
    return /^isWorkspaceTrusted && /.test(JSON.stringify(enablement).slice(1))
      ? "trustedWorkspace"
      : "desktop";
  };
  for (const one of expected) {
    assert.equal(runsIn(enablements.get(one.id)), one.runsIn, one.id);
  }
});

test("package.json declares each tool for assistants as the code does", () => {
  const declared = listOf(contributes, "languageModelTools").filter(isRecord);
  assert.deepEqual(
    declared.map((tool) => [
      ...[tool["name"], tool["displayName"], tool["modelDescription"], tool["inputSchema"]],
    ]),
    assistantTools.map(({ name, title, description, input }) => [name, title, description, input]),
  );
  assert.deepEqual(
    toolNames,
    assistantTools.map(({ name }) => name),
  );
  // A tool may contact a cluster, which an untrusted workspace must not cause.
  assert.ok(declared.every((tool) => tool["when"] === "isWorkspaceTrusted"));
});

test("the source registers commands in one place only", async () => {
  const sources = await readSources("src", ".ts");
  const registering = sources.filter(({ text }) => /\bregisterCommand\(/.test(text));
  assert.deepEqual(
    registering.map(({ path }) => path),
    ["src/editor/registerCommands.ts"],
  );
});

test("a workspace cannot choose a kubeconfig, a context, a guard or the contents of logs", () => {
  const own = [
    ...["kubeconfig", "context", "furtherContexts", "guardedContexts", "readOnlyContexts"],
    ...["logs.keep", "logs.keptMegabytes", "logs.keptDays", "logs.showSecrets"],
  ];
  const scopes = new Map(
    listOf(contributes, "configuration").flatMap((section) =>
      Object.entries(membersOf(section, "properties")).map(([id, setting]) => [
        id,
        isRecord(setting) ? setting["scope"] : undefined,
      ]),
    ),
  );
  for (const name of own) {
    // VS Code ignores settings with these scopes in a workspace.
    assert.match(String(scopes.get(`sparkK8s.${name}`)), /^(?:machine|application)$/, name);
  }
});

test("the manifest and the code declare the same settings", async () => {
  const conf = await readText("src/editor/conf/confIds.ts");
  const declared = listOf(contributes, "configuration").flatMap((section) =>
    Object.keys(membersOf(section, "properties")),
  );
  const known = Object.values(settings).map((name) => `${settingsSection}.${name}`);
  const others = declared.filter((id) => !known.includes(id));
  // Conf help declares its own settings, so that the browser bundle does not contain the names of all others.
  const unnamed = others.filter(
    (id) => !conf.includes(`"${id.slice(settingsSection.length + 1)}"`),
  );
  assert.deepEqual(unnamed, []);
  assert.deepEqual(
    known.filter((id) => !declared.includes(id)),
    [],
  );
});

/** The scopes of settings that a workspace may set. */
const workspaceScopes = ["window", "resource", "language-overridable", "machine-overridable"];

const workspaceSettings = (): readonly string[] =>
  listOf(contributes, "configuration")
    .flatMap((section) => Object.entries(membersOf(section, "properties")))
    // A setting without a scope has the scope "window".
    .filter(([, body]) =>
      workspaceScopes.includes(String(isRecord(body) ? body["scope"] : "") || "window"),
    )
    .map(([id]) => id);

test("README lists the settings that a workspace may set, and no other", async () => {
  const readme = await readText("README.md");
  const [, section = ""] = /^### What a workspace may set\n([^]*?)^#/m.exec(readme) ?? [];
  const [, list = ""] = /\n\n((?:- `sparkK8s\..*\n)+)\n/.exec(section) ?? [];
  const listed = [...list.matchAll(/^- `([^`]+)`/gm)].map(([, id]) => id);
  assert.deepEqual(listed.sort(), workspaceSettings().toSorted());
});

test("a setting that a workspace may set reaches a cluster only when the workspace is trusted", () => {
  const capability = membersOf(membersOf(manifest, "capabilities"), "untrustedWorkspaces");
  const restricted = listOf(capability, "restrictedConfigurations");
  // Conf help works in every workspace; its settings change only the display.
  const ofConfHelp = ["sparkVersion", "conf.rules", "conf.podTotals"];
  assert.deepEqual(
    workspaceSettings().filter(
      (id) =>
        !restricted.includes(id) && !ofConfHelp.includes(id.slice(settingsSection.length + 1)),
    ),
    [],
  );
});

test("the code reads from a workspace only the settings that it may set", async () => {
  const sources = await readSources("src/editor", ".ts");
  const read = sources.flatMap(({ path, text }) =>
    [...text.matchAll(/\.get(?:<[^>]*>)?\(\s*settings\.(\w+)/g)].map(([, name]) => ({
      path,
      name,
    })),
  );
  assert.ok(read.length > 0);
  const allowed = workspaceSettings();
  for (const { path, name } of read) {
    const id = Object.entries(settings).find(([key]) => key === name)?.[1];
    assert.ok(allowed.includes(`${settingsSection}.${id ?? ""}`), `${path}: ${name ?? ""}`);
  }
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

test("keys of the view select the focused row before they run a command on the selection", () => {
  const keys = contributes["keybindings"];
  assert.ok(Array.isArray(keys));
  const onRows = keys.filter(isRecord).filter((key) => JSON.stringify(key).includes('"selection"'));
  const isOfSeveral = (key: Readonly<Record<string, unknown>>): boolean =>
    String(key["when"]).endsWith(" && listMultiSelection");
  const several = onRows.filter(isOfSeveral).map((key) => key["command"]);
  assert.equal(several.length, 2);
  // `list.select` also toggles the row, and the second call undoes it.
  const one = onRows.filter((key) => !isOfSeveral(key)).map((key) => key["args"]);
  assert.deepEqual(
    one,
    several.map((command) => ({
      commands: ["list.select", "list.select", { command, args: "selection" }],
    })),
  );
  for (const command of several) assert.ok(declaredCommands().includes(String(command)));
});

test("commands for log pages are offered for no other log document", async () => {
  const ofLogs = Object.values(membersOf(contributes, "menus"))
    .flat()
    .flatMap((entry) => (isRecord(entry) ? String(entry["when"]) : []))
    .filter((when) => when.includes(`resourceScheme == ${logScheme}`));
  assert.ok(ofLogs.length > 4);
  const sources = await readSources("src/editor/logs", ".ts");
  const others = sources.flatMap(({ text }) => [...text.matchAll(/`(\/\w+\/)\$\{/g)]);
  assert.deepEqual(others.map(([, folder]) => folder).sort(), [
    "/compared/",
    "/traces/",
    "/views/",
  ]);
  for (const when of ofLogs) {
    const [, pattern = "none"] = /resourcePath =~ \/(.+)\/$/.exec(when) ?? [];
    const isOffered = new RegExp(pattern);
    assert.ok(isOffered.test("/0a1b2c3d/orders driver.log"), when);
    for (const [, folder] of others) assert.ok(!isOffered.test(`${folder}1/orders.log`), when);
  }
});

test("a read-only document, such as the effective conf, is not offered for a submission", () => {
  const menus = membersOf(contributes, "menus");
  const ofEditors = ["editor/title/run", "editor/context"].flatMap((menu) => listOf(menus, menu));
  const submits = ofEditors
    .filter(isRecord)
    .filter(({ command }) => command === "sparkK8s.application.submit")
    .map(({ when }) => String(when));
  assert.equal(submits.length, 2);
  for (const when of submits) {
    assert.ok(
      when.includes(`(resourceLangId == spark-conf && resourceScheme != ${documentScheme})`),
    );
  }
});

test("the browser offers only commands of its own bundle", () => {
  // With a remote server, the complete extension runs, so all commands are available.
  const isWhole = "!isWeb || remoteName";
  const inBrowser = commandNames.map((name) => commandTable[name]);
  const isInBrowser = ({ command }: JsonObject): boolean =>
    inBrowser.some(({ id, runsIn }) => runsIn === "browser" && id === command);
  const offered = (when: unknown): boolean => {
    const text = String(when);
    return text !== isWhole && !text.includes(`(${isWhole})`);
  };
  const all = listOf(contributes, "commands").filter(isRecord);
  assert.ok(all.some(isInBrowser));
  for (const one of all) {
    assert.equal(offered(one["enablement"]), isInBrowser(one), String(one["command"]));
  }
  const views = Object.values(membersOf(contributes, "views")).flat().filter(isRecord);
  const walkthroughs = listOf(contributes, "walkthroughs").filter(isRecord);
  for (const one of [...views, ...walkthroughs]) {
    assert.ok(!offered(one["when"]), String(one["id"]));
  }
  // Conditions that are never true in the browser, because these views and documents do not exist there.
  const never =
    /^view == |^activeWebviewPanelId == 'sparkK8s\.ui'$|\bresourceScheme == spark-k8s\b|^resourcePath in sparkK8s\.manifests$|^false$/;
  for (const [menu, entries] of Object.entries(membersOf(contributes, "menus"))) {
    for (const one of Array.isArray(entries) ? entries.filter(isRecord) : []) {
      const when = String(one["when"]);
      if (isInBrowser(one) || never.test(when)) continue;
      assert.ok(!offered(when), `${menu}: ${String(one["command"])}`);
    }
  }
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
  assert.equal(pictures.size, 18);
  for (const picture of pictures) await access(join(projectRoot, picture));
});

test("every text of the manifest is defined, and every defined text is used", async () => {
  const used = stringsIn(manifest)
    .filter((text) => /^%[^%]+%$/.test(text))
    .map((text) => text.slice(1, -1));
  const defined = Object.keys(await readJson("package.nls.json"));
  assert.deepEqual([...new Set(used)].sort(), defined.sort());
});

test("a title ends with an ellipsis if the command asks for more input", async () => {
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
  // code-server 4.N contains VS Code 1.N.
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
