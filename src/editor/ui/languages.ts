import {
  CodeAction,
  Hover,
  languages as editorLanguages,
  type CodeActionProvider,
  type CodeActionProviderMetadata,
  type CodeLens,
  type CodeLensProvider,
  type Command,
  type CompletionItem,
  type CompletionItemProvider,
  type Diagnostic,
  type DiagnosticCollection,
  type Disposable,
  type DocumentDropEdit,
  type DocumentDropEditProvider,
  type DocumentDropEditProviderMetadata,
  type DocumentSelector,
  type DocumentSymbol,
  type InlayHint,
  type InlayHintsProvider,
  type LanguageStatusItem,
  type MarkdownString,
  type ProviderResult,
  type Range,
  type TextDocument,
  type Position,
  type CancellationToken,
  type Uri,
} from "vscode";
import { textRules, withPlainTexts } from "./plainText.ts";

/**
 * The only access to `vscode.languages`. Members have the original signatures. They sanitize the texts of providers,
 * which contain data from documents, clusters and logs.
 */
export const languages = {
  createDiagnosticCollection,
  createLanguageStatusItem,
  get match() {
    return editorLanguages.match;
  },
  get setTextDocumentLanguage() {
    return editorLanguages.setTextDocumentLanguage;
  },
  registerCodeActionsProvider,
  registerCodeLensProvider: (
    selector: DocumentSelector,
    provider: Pick<CodeLensProvider, "provideCodeLenses">,
  ): Disposable =>
    editorLanguages.registerCodeLensProvider(selector, {
      provideCodeLenses: async (...asked) =>
        each(await provider.provideCodeLenses(...asked), plainLens),
    }),
  registerCompletionItemProvider: (
    selector: DocumentSelector,
    provider: PlainCompletionProvider,
    ...triggers: string[]
  ): Disposable =>
    editorLanguages.registerCompletionItemProvider(
      selector,
      {
        provideCompletionItems: async (...asked) =>
          each(await provider.provideCompletionItems(...asked), plainProposal),
      },
      ...triggers,
    ),
  registerDocumentDropEditProvider,
  registerDocumentSymbolProvider: (
    selector: DocumentSelector,
    provider: PlainSymbolProvider,
  ): Disposable =>
    editorLanguages.registerDocumentSymbolProvider(selector, {
      provideDocumentSymbols: async (...asked) =>
        each(await provider.provideDocumentSymbols(...asked), plainSymbol),
    }),
  registerHoverProvider: (selector: DocumentSelector, provider: PlainHoverProvider): Disposable =>
    editorLanguages.registerHoverProvider(selector, {
      provideHover: async (...asked) => {
        const found = await provider.provideHover(...asked);
        return found && new Hover(found.contents, found.range);
      },
    }),
  registerInlayHintsProvider,
  // These members are passed through, because locations and edits contain no user interface text.
  get registerDefinitionProvider() {
    return editorLanguages.registerDefinitionProvider;
  },
  get registerReferenceProvider() {
    return editorLanguages.registerReferenceProvider;
  },
  get registerRenameProvider() {
    return editorLanguages.registerRenameProvider;
  },
  get registerFoldingRangeProvider() {
    return editorLanguages.registerFoldingRangeProvider;
  },
  get registerDocumentFormattingEditProvider() {
    return editorLanguages.registerDocumentFormattingEditProvider;
  },
  get registerDocumentRangeFormattingEditProvider() {
    return editorLanguages.registerDocumentRangeFormattingEditProvider;
  },
};

interface PlainCompletionProvider {
  readonly provideCompletionItems: (
    ...asked: Parameters<CompletionItemProvider["provideCompletionItems"]>
  ) => ProviderResult<CompletionItem[]>;
}

interface PlainSymbolProvider {
  readonly provideDocumentSymbols: (
    document: TextDocument,
    token: CancellationToken,
  ) => ProviderResult<DocumentSymbol[]>;
}

interface PlainHoverProvider {
  readonly provideHover: (
    document: TextDocument,
    position: Position,
    token: CancellationToken,
  ) => ProviderResult<PlainHover>;
}

/** As `vscode.Hover`, but without strings, which VS Code treats as Markdown. */
interface PlainHover {
  readonly contents: MarkdownString;
  readonly range: Range;
}

/** The used subset of a diagnostic collection. */
export type PlainDiagnostics = Pick<
  DiagnosticCollection,
  "get" | "delete" | "clear" | "dispose"
> & { readonly set: (uri: Uri, diagnostics: readonly Diagnostic[]) => void };

function createDiagnosticCollection(name: string): PlainDiagnostics {
  const collection = editorLanguages.createDiagnosticCollection(name);
  return {
    get: (uri) => collection.get(uri),
    set: (uri, diagnostics) => {
      collection.set(uri, diagnostics.map(plainDiagnostic));
    },
    delete: (uri) => {
      collection.delete(uri);
    },
    clear: () => {
      collection.clear();
    },
    dispose: () => {
      collection.dispose();
    },
  };
}

function plainDiagnostic(diagnostic: Diagnostic): Diagnostic {
  const { code, source, relatedInformation } = diagnostic;
  diagnostic.message = textRules.block(diagnostic.message);
  if (source !== undefined) diagnostic.source = textRules.name(source);
  if (typeof code === "string") diagnostic.code = textRules.name(code);
  else if (typeof code === "object") {
    const { value, target } = code;
    diagnostic.code = {
      value: typeof value === "string" ? textRules.name(value) : value,
      target,
    };
  }
  for (const related of relatedInformation ?? [])
    related.message = textRules.block(related.message);
  return diagnostic;
}

/** The used subset of a language status item. */
type PlainLanguageStatus = Pick<
  LanguageStatusItem,
  "name" | "selector" | "text" | "detail" | "command" | "dispose"
>;

function createLanguageStatusItem(id: string, selector: DocumentSelector): PlainLanguageStatus {
  return new TreatedLanguageStatus(editorLanguages.createLanguageStatusItem(id, selector));
}

class TreatedLanguageStatus implements PlainLanguageStatus {
  readonly #item: LanguageStatusItem;

  constructor(item: LanguageStatusItem) {
    this.#item = item;
  }

  get name(): string | undefined {
    return this.#item.name;
  }
  set name(name: string | undefined) {
    this.#item.name = name === undefined ? undefined : textRules.name(name);
  }

  get selector(): DocumentSelector {
    return this.#item.selector;
  }
  set selector(selector: DocumentSelector) {
    this.#item.selector = selector;
  }

  get text(): string {
    return this.#item.text;
  }
  set text(text: string) {
    this.#item.text = textRules.title(text);
  }

  get detail(): string {
    return this.#item.detail ?? "";
  }
  set detail(detail: string) {
    this.#item.detail = textRules.title(detail);
  }

  get command(): Command | undefined {
    return this.#item.command;
  }
  set command(command: Command | undefined) {
    this.#item.command = command && plainCommand(command);
  }

  dispose(): void {
    this.#item.dispose();
  }
}

function registerCodeActionsProvider(
  selector: DocumentSelector,
  provider: Pick<CodeActionProvider, "provideCodeActions">,
  metadata: CodeActionProviderMetadata,
): Disposable {
  const plain: CodeActionProvider = {
    provideCodeActions: async (...asked) =>
      each(await provider.provideCodeActions(...asked), plainAction),
  };
  return editorLanguages.registerCodeActionsProvider(selector, plain, metadata);
}

function plainAction(action: CodeAction | Command): CodeAction | Command {
  if (!(action instanceof CodeAction)) return plainCommand(action);
  action.title = textRules.title(action.title);
  if (action.command !== undefined) action.command = plainCommand(action.command);
  if (action.disabled !== undefined) {
    action.disabled = withPlainTexts(action.disabled, { reason: textRules.message });
  }
  return action;
}

const plainCommand = (command: Command): Command =>
  withPlainTexts(command, { title: textRules.title, tooltip: textRules.title });

function plainLens(lens: CodeLens): CodeLens {
  if (lens.command !== undefined) lens.command = plainCommand(lens.command);
  return lens;
}

/** Sanitizes a proposal in place. Keeps `insertText` and `filterText`, which are document text. */
function plainProposal(item: CompletionItem): CompletionItem {
  const { label, detail, documentation } = item;
  const rules = { label: textRules.label, detail: textRules.title, description: textRules.title };
  item.label = typeof label === "string" ? textRules.label(label) : withPlainTexts(label, rules);
  if (detail !== undefined) item.detail = textRules.description(detail);
  if (typeof documentation === "string") item.documentation = textRules.block(documentation);
  return item;
}

function plainSymbol(symbol: DocumentSymbol): DocumentSymbol {
  // VS Code rejects a symbol without a name.
  symbol.name = textRules.label(symbol.name) || "…";
  symbol.detail = textRules.label(symbol.detail);
  symbol.children = symbol.children.map(plainSymbol);
  return symbol;
}

function registerInlayHintsProvider(
  selector: DocumentSelector,
  provider: Pick<InlayHintsProvider, "onDidChangeInlayHints" | "provideInlayHints">,
): Disposable {
  const { onDidChangeInlayHints } = provider;
  return editorLanguages.registerInlayHintsProvider(selector, {
    ...(onDidChangeInlayHints === undefined ? {} : { onDidChangeInlayHints }),
    provideInlayHints: async (...asked) =>
      each(await provider.provideInlayHints(...asked), plainHint),
  });
}

function plainHint(hint: InlayHint): InlayHint {
  const { label, tooltip } = hint;
  if (typeof label === "string") hint.label = textRules.label(label);
  else {
    for (const part of label) {
      part.value = textRules.label(part.value);
      if (typeof part.tooltip === "string") part.tooltip = textRules.block(part.tooltip);
    }
  }
  if (typeof tooltip === "string") hint.tooltip = textRules.block(tooltip);
  return hint;
}

function registerDocumentDropEditProvider(
  selector: DocumentSelector,
  provider: Pick<DocumentDropEditProvider, "provideDocumentDropEdits">,
  metadata: DocumentDropEditProviderMetadata,
): Disposable {
  const plain: DocumentDropEditProvider = {
    provideDocumentDropEdits: async (...asked) => {
      const found = await provider.provideDocumentDropEdits(...asked);
      return Array.isArray(found) ? found.map(plainDrop) : found && plainDrop(found);
    },
  };
  return editorLanguages.registerDocumentDropEditProvider(selector, plain, metadata);
}

function plainDrop(edit: DocumentDropEdit): DocumentDropEdit {
  if (edit.title !== undefined) edit.title = textRules.title(edit.title);
  return edit;
}

const each = <T>(found: T[] | null | undefined, plain: (one: T) => T): T[] | undefined =>
  found?.map(plain);
