import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { resolvedDefinition } from "../../../src/editor/submit/definitionVariables.ts";
import { variableSource, type VariableHost } from "../../../src/editor/submit/variableSource.ts";
import { scriptedScreen } from "./screenFixture.ts";

const inputs = [
  { id: "day", type: "promptString", description: "Day of the orders", default: "today" },
  { id: "zone", type: "pickString", options: ["a", { label: "B", value: "b" }], default: "b" },
];

interface Given extends Partial<Omit<VariableHost, "screen">> {
  readonly environment?: Readonly<Record<string, string>>;
  readonly script?: readonly (string | undefined)[];
}

async function filled(text: string, { environment = {}, script = [], ...more }: Given = {}) {
  const screen = scriptedScreen(...script);
  const settings: Readonly<Record<string, unknown>> = {
    "tasks.inputs": inputs,
    "team.image": "spark:4",
    "team.cores": 2,
    "team.list": ["a"],
  };
  const host: VariableHost = {
    screen,
    folder: "/projects/jobs",
    folders: [
      { name: "jobs", path: "/projects/jobs" },
      { name: "api", path: "/projects/api" },
    ],
    editor: {
      file: { path: "/projects/api/src/orders.py", folder: "/projects/api" },
      line: 4,
      character: 0,
      selected: "orders",
    },
    appRoot: "/usr/share/code",
    setting: (name) => settings[name],
    extensionFolder: (id) => (id === "a.b" ? "/extensions/a.b" : undefined),
    tasks: () =>
      Promise.resolve([
        { name: "lint", group: { id: "build", isDefault: false } },
        { name: "unit", group: { id: "test", isDefault: true } },
        { name: "none" },
        { name: "wheel", group: { id: "build", isDefault: true } },
      ]),
    ...more,
  };
  const resolved = await resolvedDefinition(text, variableSource(host, environment));
  return { text: resolved?.definition, shown: screen.shown };
}

const check = async (text: string, expected: string, given?: Given): Promise<void> => {
  assert.equal((await filled(text, given)).text, expected);
};

describe("variables of a profile", () => {
  test("have the values of its folder", async () => {
    await check("${workspaceFolder} ${cwd}", "/projects/jobs /projects/jobs");
    const without = { folder: undefined };
    await check("${workspaceFolder}", "${workspaceFolder}", without);
  });

  test("with a folder's name have the values of that folder", async () => {
    await check("${workspaceFolder:api}", "/projects/api");
    await check("${relativeFile:api}", "src/orders.py");
    await check("${workspaceFolder:none}", "${workspaceFolder:none}");
  });

  test("have the values of the active editor", async () => {
    await check("${file}", "/projects/api/src/orders.py");
    await check("${fileWorkspaceFolderBasename}", "api");
    await check("${relativeFile}", "../api/src/orders.py");
    await check("${lineNumber}:${columnNumber} ${selectedText}", "5:1 orders");
  });

  test("stay if there is no editor, or no file in it", async () => {
    await check("${file} ${lineNumber}", "${file} ${lineNumber}", { editor: undefined });
    const untitled = { file: undefined, line: 0, character: 2, selected: "" };
    await check("${file} ${lineNumber}:${columnNumber}", "${file} 1:3", { editor: untitled });
  });

  test("have the home folder of the environment", async () => {
    const both = { HOME: "/home/ann", USERPROFILE: "C:\\ann" };
    await check("${userHome}", "/home/ann", { environment: both });
    await check("${userHome}", "C:\\ann", { environment: { USERPROFILE: "C:\\ann" } });
    await check("${userHome}", "${userHome}");
  });

  test("have the separator of the folder, else of the file, else of VS Code", async () => {
    await check("${/}${pathSeparator}", "//");
    await check("${/}", "\\", { folder: "C:\\jobs" });
    const editor = { file: { path: "C:\\a.py", folder: undefined }, ...place };
    await check("${/}", "\\", { folder: undefined, editor });
    await check("${/}", "\\", { folder: undefined, editor: undefined, appRoot: "C:\\code" });
  });

  test("have settings that are texts, numbers or booleans", async () => {
    await check("${config:team.image} ${config:team.cores}", "spark:4 2");
    await check("${config:team.list}", "${config:team.list}");
  });

  test("have the folder of an extension and the default build task", async () => {
    await check("${extensionInstallFolder:a.b}", "/extensions/a.b");
    await check("${extensionInstallFolder:none}", "${extensionInstallFolder:none}");
    await check("${defaultBuildTask}", "wheel");
  });
});

const place = { line: 0, character: 0, selected: "" };

describe("input variables", () => {
  test("are asked for with their description and default", async () => {
    const { text, shown } = await filled("${input:day}", { script: ["monday"] });
    assert.deepEqual(
      [text, shown],
      ["monday", ["input: Value of ${input:day}\nDay of the orders (today)"]],
    );
  });

  test("are chosen from their options, the default first", async () => {
    const { text, shown } = await filled("${input:zone}", { script: ["B"] });
    assert.deepEqual([text, shown], ["b", ["pick: Value of ${input:zone}\nzone\nB\na"]]);
  });

  test("end the resolution when the user cancels", async () => {
    assert.equal((await filled("${input:zone}")).text, undefined);
    assert.equal((await filled("${input:day}")).text, undefined);
  });
});
