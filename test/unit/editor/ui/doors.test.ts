// Checks the values that the wrappers of `vscode.window` and `vscode.languages` pass to VS Code for hostile text.
import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import fc from "fast-check";
import { cpuTime } from "../../../linearTime.ts";
import { hostileTexts, longTexts } from "./hostileTexts.ts";
import { elementsOf, kindsIn, powersOf, unseenIn } from "./parsers.ts";
import { replaceVscode } from "./replaceVscode.ts";
import { answerTo, given, MarkdownString, reset } from "./stubVscode.ts";

replaceVscode();
const { window } = await import("../../../../src/editor/ui/window.ts");
const { languages } = await import("../../../../src/editor/ui/languages.ts");
const { markdownOfFacts, markdownOfText } = await import("../../../../src/editor/ui/markdown.ts");
const vscode = await import("./stubVscode.ts");

// Escaped Markdown text is longer, because each special character gets a backslash.
const maxLength = 50_000;

/** Returns all texts passed to VS Code, except those for a document or a terminal. */
function textsIn(
  value: unknown,
  found: (string | MarkdownString)[] = [],
): readonly (string | MarkdownString)[] {
  if (typeof value === "string" || value instanceof MarkdownString) found.push(value);
  else if (typeof value === "object" && value !== null) {
    for (const [key, member] of Object.entries(value)) {
      if (!["insertText", "pty"].includes(key)) textsIn(member, found);
    }
  }
  return found;
}

function checkPlain(shown: unknown, icon = ""): void {
  const texts = textsIn(shown);
  assert.ok(texts.length > 0);
  for (const text of texts) {
    if (text instanceof MarkdownString) {
      checkMarkdown(text);
      continue;
    }
    const own = text.startsWith(icon) ? text.slice(icon.length) : text;
    assert.deepEqual(powersOf(own), [], own);
    assert.equal(unseenIn(own), undefined, JSON.stringify(own));
  }
}

function checkMarkdown(text: MarkdownString): void {
  const allowed: readonly string[] = ["paragraph", "text", "escape", "br", "space", "strong"];
  const others = [...kindsIn(text.value)].filter((kind) => !allowed.includes(kind));
  assert.deepEqual(others, [], text.value);
  const elements = [...elementsOf(text.value)];
  assert.ok(
    elements.every((name) => ["p", "br", "strong"].includes(name)),
    elements.join(),
  );
  assert.deepEqual(
    Object.keys(text).filter((key) => key !== "value"),
    [],
    "it is not trusted and has no HTML",
  );
}

type Call = (...values: unknown[]) => unknown;
const isCall = (value: unknown): value is Call => typeof value === "function";

/** Returns the members of a value passed to VS Code. */
const membersOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? { ...value } : {};

/** Calls a member function of a registered provider. */
async function ask(position: number, name: string, ...values: unknown[]): Promise<unknown> {
  const provider = given.at(-1)?.values[position];
  const member = membersOf(provider)[name];
  assert.ok(isCall(member), `${name} of what was given`);
  return await member(...values);
}

/** Returns an empty VS Code object that stores the properties set on it. */
const settable = (): Record<string, unknown> => ({ dispose: () => undefined });

/** Returns a substitute for an object that only VS Code can create. */
const stub = (members: object): never => members as never;

const anyUri = stub({});
const none: readonly never[] = [];

// For each member that shows text: a function that returns the value passed to VS Code for a text.
const windowCases: Readonly<Record<string, (text: string) => unknown>> = {
  ...Object.fromEntries(
    (["showInformationMessage", "showWarningMessage", "showErrorMessage"] as const).map((name) => [
      name,
      async (text: string) => {
        answerTo(name, (...values) => values.at(-1));
        const buttons = [{ title: text, isCloseAffordance: true }, { title: text }];
        const chosen = await window[name](text, { modal: true, detail: text }, ...buttons);
        assert.equal(chosen, buttons[1], "the caller's own button");
        assert.equal(await window[name](text, "a", text), text);
        assert.equal(await window[name](text, text), text);
        return given;
      },
    ]),
  ),
  showInputBox: async (text) => {
    let faults: unknown;
    answerTo("showInputBox", async (options) => {
      const { validateInput, value, ...rest } = membersOf(options);
      assert.equal(value, text, "the user's text is not changed");
      assert.ok(isCall(validateInput));
      faults = [await validateInput("a"), await validateInput("b"), rest];
      assert.equal(await validateInput("c"), undefined);
      return text;
    });
    const answer = await window.showInputBox({
      ...{ title: text, prompt: text, placeHolder: text, value: text },
      validateInput: (typed) =>
        typed === "a" ? text : typed === "b" ? stub({ message: text, severity: 3 }) : undefined,
    });
    assert.equal(answer, text);
    return faults;
  },
  showQuickPick: async (text) => {
    const items = ["a", "b"].map((own) => ({
      ...{ label: text, description: text, detail: text, own },
      buttons: [{ iconPath: { id: "add" } as never, tooltip: text }],
    }));
    const shown: unknown[] = [];
    answerTo("showQuickPick", async (promised) => {
      const all = await promised;
      assert.ok(Array.isArray(all));
      shown.push(...(all as unknown[]));
      return all[1] as unknown;
    });
    assert.equal(await window.showQuickPick(items, { title: text, placeHolder: text }), items[1]);
    const { matchOnDescription, matchOnDetail } = given[0]?.values[1] as Record<string, unknown>;
    assert.deepEqual([matchOnDescription, matchOnDetail], [true, true]);
    answerTo("showQuickPick", (promised) => promised);
    const many = await window.showQuickPick(Promise.resolve(items), { canPickMany: true });
    assert.deepEqual(many, items);
    return [shown, given[0]?.values[1]];
  },
  createQuickPick: (text) => {
    const pick = settable();
    let trigger: Call = () => undefined;
    pick["onDidTriggerItemButton"] = (listener: Call) => (trigger = listener);
    answerTo("createQuickPick", () => pick);
    const own = window.createQuickPick<{ label: string; description: string; own: string }>();
    own.title = text;
    own.placeholder = text;
    own.buttons = [{ iconPath: stub({ id: "add" }), tooltip: text }];
    const items = ["a", "b"].map((one) => ({ label: text, description: text, own: one }));
    own.items = items;
    assert.equal(own.items, items);
    const shown = pick["items"];
    assert.ok(Array.isArray(shown));
    own.activeItems = items.slice(1);
    own.selectedItems = items.slice(0, 1);
    assert.deepEqual(pick["activeItems"], shown.slice(1));
    assert.equal(own.activeItems[0], items[1]);
    assert.equal(own.selectedItems[0], items[0]);
    // VS Code may send an event late, about items that were replaced.
    own.items = [...items];
    pick["activeItems"] = shown.slice(0, 1);
    assert.equal(own.activeItems[0], items[0]);
    let triggered: unknown;
    own.onDidTriggerItemButton(({ item }) => (triggered = item));
    trigger({ item: shown[1] as unknown, button: {} });
    assert.equal(triggered, items[1]);
    own.value = text;
    const { value, ...shownAround } = pick;
    assert.equal(value, text, "the user's text is not changed");
    return shownAround;
  },
  pickWithText: async (text) => {
    const pick = settable();
    let accept: Call = () => undefined;
    pick["onDidAccept"] = (listener: Call) => {
      accept = listener;
      return { dispose: () => undefined };
    };
    pick["onDidHide"] = () => ({ dispose: () => undefined });
    for (const name of ["show", "hide", "dispose"]) pick[name] = () => undefined;
    answerTo("createQuickPick", () => pick);
    const items = ["a", "b"].map((own) => ({ label: text, description: text, own }));
    const picked = window.pickWithText(items, { title: text, placeHolder: text });
    const shown = pick["items"];
    assert.ok(Array.isArray(shown));
    pick["selectedItems"] = shown.slice(1);
    pick["value"] = ` ${text} `;
    accept();
    assert.deepEqual(await picked, { item: items[1], typed: text.trim() });
    const { value, ...shownAround } = pick;
    assert.equal(value, ` ${text} `, "the user's text is not changed");
    return shownAround;
  },
  withProgress: async (text) => {
    const reports: unknown[] = [];
    answerTo("withProgress", (_options, task) => {
      assert.ok(isCall(task));
      return task({ report: (step: unknown) => reports.push(step) }, {});
    });
    const result = await window.withProgress(
      { location: { viewId: "x" }, title: text },
      (progress) => {
        progress.report({ message: text, increment: 1 });
        return Promise.resolve("done");
      },
    );
    assert.equal(result, "done");
    return [reports, given[0]?.values[0]];
  },
  setStatusBarMessage: (text) => {
    window.setStatusBarMessage(text, 5);
    return given;
  },
  createStatusBarItem: (text) => {
    const item = settable();
    answerTo("createStatusBarItem", () => item);
    const own = window.createStatusBarItem("id");
    own.name = text;
    own.text = text;
    own.tooltip = text;
    checkPlain(item);
    own.icon = stub({ id: "zap" });
    assert.ok(String(item["text"]).startsWith("$(zap) "), "the icon that is ours");
    return item;
  },
  createTreeView: async (text) => {
    const view = settable();
    answerTo("createTreeView", () => view);
    const row = (): object => ({
      ...{ label: text, description: text, tooltip: text },
      accessibilityInformation: { label: text, role: "treeitem" },
      command: { title: text, tooltip: text, command: "x" },
    });
    const own = window.createTreeView<string>("id", {
      treeDataProvider: {
        getChildren: () => ["a"],
        getTreeItem: (name) => (name === "a" ? row() : Promise.resolve(row())),
        resolveTreeItem: (item) => Object.assign(item, { tooltip: markdownOfText(text) }),
        getParent: () => undefined,
      },
    });
    own.message = text;
    own.title = text;
    own.description = text;
    own.badge = { value: 1, tooltip: text };
    const provider = membersOf(given[0]?.values[1])["treeDataProvider"];
    const { getTreeItem, resolveTreeItem } = membersOf(provider);
    assert.ok(isCall(getTreeItem) && isCall(resolveTreeItem));
    const labelled = { label: { label: text, highlights: [] } };
    return [
      view,
      getTreeItem("a"),
      await getTreeItem("b"),
      await resolveTreeItem(row(), "a", {}),
      await resolveTreeItem(labelled, "a", {}),
    ];
  },
  createTerminal: (text) => {
    window.createTerminal({ name: text, pty: {} as never });
    return given;
  },
  createOutputChannel: (text) => {
    const lines: unknown[] = [];
    const note = (line: unknown): unknown => lines.push(line);
    answerTo("createOutputChannel", () => ({ debug: note, warn: note, error: note }));
    const channel = window.createOutputChannel(text, { log: true });
    channel.debug(text);
    channel.warn(text);
    channel.error(text);
    assert.equal(lines.length, 3);
    return [lines, given];
  },
  showOpenDialog: (text) => {
    void window.showOpenDialog({ title: text, openLabel: text });
    return given;
  },
  showSaveDialog: (text) => {
    void window.showSaveDialog({ title: text, saveLabel: text, name: "a" });
    return given;
  },
  showWorkspaceFolderPick: (text) => {
    void window.showWorkspaceFolderPick({ placeHolder: text });
    return given;
  },
  registerFileDecorationProvider: (text) => {
    window.registerFileDecorationProvider({
      provideFileDecoration: () => stub({ badge: "!", tooltip: text }),
    });
    return ask(0, "provideFileDecoration", anyUri);
  },
  registerTerminalLinkProvider: (text) => {
    window.registerTerminalLinkProvider({
      provideTerminalLinks: () => [{ startIndex: 0, length: 1, tooltip: text }],
      handleTerminalLink: () => undefined,
    });
    return ask(0, "provideTerminalLinks", {});
  },
};

/** Members that do not show text. */
const textless: readonly string[] = [
  "createTextEditorDecorationType",
  "showTextDocument",
  "activeTextEditor",
  "visibleTextEditors",
  "state",
  "onDidChangeActiveTextEditor",
  "onDidChangeVisibleTextEditors",
  "onDidChangeWindowState",
];

const languageCases: Readonly<Record<string, (text: string) => unknown>> = {
  createDiagnosticCollection: (text) => {
    const shown: unknown[] = [];
    answerTo("createDiagnosticCollection", () => ({
      set: (_uri: unknown, list: unknown) => shown.push(list),
    }));
    const collection = languages.createDiagnosticCollection("spark");
    const related = { message: text, location: {} };
    const diagnostic = { message: text, source: text, relatedInformation: [related] };
    collection.set(anyUri, [
      { ...diagnostic, code: text } as never,
      { ...diagnostic, code: { value: text, target: {} } } as never,
    ]);
    return shown;
  },
  createLanguageStatusItem: (text) => {
    const item = settable();
    answerTo("createLanguageStatusItem", () => item);
    const own = languages.createLanguageStatusItem("id", []);
    own.name = text;
    own.text = text;
    own.detail = text;
    own.command = { title: text, tooltip: text, command: "x" };
    return item;
  },
  registerCodeActionsProvider: (text) => {
    const action = Object.assign(new vscode.CodeAction(text), {
      command: { title: text, command: "x" },
      disabled: { reason: text },
    });
    languages.registerCodeActionsProvider(
      [],
      { provideCodeActions: () => [stub(action), { title: text, command: "x" }] },
      {},
    );
    return ask(1, "provideCodeActions");
  },
  registerCodeLensProvider: (text) => {
    const command = { title: text, tooltip: text, command: "x" };
    languages.registerCodeLensProvider([], { provideCodeLenses: () => [{ command } as never] });
    return ask(1, "provideCodeLenses");
  },
  registerCompletionItemProvider: async (text) => {
    const item = { label: text, detail: text, documentation: text, insertText: text };
    const labelled = { label: { label: text, detail: text, description: text } };
    languages.registerCompletionItemProvider([], {
      provideCompletionItems: () => [
        stub(item),
        stub(labelled),
        stub({ label: text, documentation: markdownOfText(text) }),
      ],
    });
    const shown = await ask(1, "provideCompletionItems");
    assert.equal(item.insertText, text, "what the document gets is not changed");
    return shown;
  },
  registerDocumentDropEditProvider: async (text) => {
    languages.registerDocumentDropEditProvider(
      [],
      { provideDocumentDropEdits: () => [stub({ title: text, insertText: text })] },
      { dropMimeTypes: [] },
    );
    return ask(1, "provideDocumentDropEdits");
  },
  registerDocumentSymbolProvider: async (text) => {
    const symbol = { name: text, detail: text, children: none };
    languages.registerDocumentSymbolProvider([], {
      provideDocumentSymbols: () => [{ ...symbol, children: [symbol] } as never],
    });
    const shown = await ask(1, "provideDocumentSymbols");
    assert.ok(Array.isArray(shown));
    for (const one of shown) assert.notEqual(membersOf(one)["name"], "");
    return shown as unknown;
  },
  registerHoverProvider: (text) => {
    languages.registerHoverProvider([], {
      provideHover: () => ({ contents: markdownOfText(text), range: {} as never }),
    });
    return ask(1, "provideHover");
  },
  registerInlayHintsProvider: (text) => {
    const hint = { label: text, tooltip: text };
    const parts = { label: [{ value: text, tooltip: text }] };
    languages.registerInlayHintsProvider([], {
      provideInlayHints: () => [hint as never, parts as never],
    });
    return ask(1, "provideInlayHints");
  },
};

/** Providers that return only locations and edits, and functions that set a document's language. */
const placesOnly: readonly string[] = [
  "registerDefinitionProvider",
  "registerReferenceProvider",
  "registerRenameProvider",
  "registerFoldingRangeProvider",
  "registerDocumentFormattingEditProvider",
  "registerDocumentRangeFormattingEditProvider",
  "match",
  "setTextDocumentLanguage",
];

const doors = [
  { door: "window", members: Object.keys(window), cases: windowCases, others: textless },
  { door: "languages", members: Object.keys(languages), cases: languageCases, others: placesOnly },
];

for (const { door, members, cases, others } of doors) {
  describe(`vscode.${door}`, () => {
    beforeEach(reset);

    test("tests each member, or lists it as one without text", () => {
      assert.deepEqual(members.toSorted(), [...Object.keys(cases), ...others].toSorted());
    });

    for (const [name, show] of Object.entries(cases)) {
      test(`${name} shows a hostile text as text`, async () => {
        await fc.assert(
          fc.asyncProperty(hostileTexts, async (text) => {
            reset();
            checkPlain(await show(text), "$(zap) ");
          }),
          { numRuns: 60 },
        );
      });
    }

    test("texts of a megabyte cost little", { timeout: 120_000 }, async () => {
      for (const [name, show] of Object.entries(cases)) {
        for (const text of longTexts) {
          reset();
          const begin = cpuTime();
          const shown = await show(text);
          const took = cpuTime() - begin;
          assert.ok(took < 1_000, `${name} took ${took} ms`);
          for (const one of textsIn(shown)) {
            const { length } = one instanceof MarkdownString ? one.value : one;
            assert.ok(length <= maxLength, `${name} shows ${length} characters`);
          }
        }
      }
    });
  });
}

describe("Markdown of facts", () => {
  test("has our names in bold and everything else as text", () => {
    fc.assert(
      fc.property(hostileTexts, hostileTexts, (name, text) => {
        const facts = [
          ["Pod", text],
          ["Node", undefined],
          [name, "x"],
        ] as const;
        checkMarkdown(stub(markdownOfFacts(facts)));
      }),
      { numRuns: 200 },
    );
    const { value } = markdownOfFacts([
      ["Pod", "a"],
      ["Node", ""],
      ["Why", "b"],
    ]);
    assert.equal(value, "**Pod:** a\n\n**Why:** b");
  });
});
