import {
  DocumentSymbol,
  EventEmitter,
  FoldingRange,
  l10n,
  Range,
  SymbolKind,
  Uri,
  workspace,
  type TextDocument,
  type TextDocumentContentProvider,
} from "vscode";
import { DisposableStore, type Disposable } from "../../base/disposable.ts";
import { outlineSteps, type LogOutline, type LogSection } from "../../spark/logs/logOutline.ts";
import { logScheme } from "../ids.ts";
import { inSlices } from "../../engine/eventLoop.ts";
import { languages } from "../ui/languages.ts";
import { visiblePath } from "../ui/plainText.ts";

interface Held {
  readonly lines: readonly string[];
  /** The labels at the start of the lines. */
  readonly labels: ReadonlySet<string>;
}

/** Provides logs as read-only documents. Stack traces can be folded; the outline contains stages and errors. */
export class LogDocuments implements TextDocumentContentProvider, Disposable {
  readonly #owned = new DisposableStore();
  readonly #held = new Map<string, Held>();
  readonly #changes = this.#owned.add(new EventEmitter<Uri>());
  /** The outline of the last requested version of each document. */
  readonly #outlines = new Map<
    string,
    { readonly version: number; readonly outline: Promise<LogOutline | undefined> }
  >();
  readonly onDidChange = this.#changes.event;

  constructor() {
    const ours = { scheme: logScheme };
    this.#owned.add(workspace.registerTextDocumentContentProvider(logScheme, this));
    this.#owned.add(
      workspace.onDidCloseTextDocument(({ uri }) => {
        if (uri.scheme !== logScheme) return;
        this.#outlines.delete(uri.toString());
        // Keep the document that a problem links to. `LogProblems` drops it with the problem.
        if (!uri.path.startsWith("/traces/")) this.forget(uri);
      }),
    );
    this.#owned.add(
      languages.registerFoldingRangeProvider(ours, {
        provideFoldingRanges: async (document) =>
          (await this.#outlineOf(document))?.folds.map(
            ({ start, end }) => new FoldingRange(start, end),
          ),
      }),
    );
    this.#owned.add(
      languages.registerDocumentSymbolProvider(ours, {
        provideDocumentSymbols: async (document) =>
          (await this.#outlineOf(document))?.sections.map((section) => symbolOf(section, document)),
      }),
    );
  }

  /** Sets the lines of a document and updates open editors. `labels`: the labels at the start of lines. */
  keep(path: string, lines: readonly string[], labels: Iterable<string> = []): Uri {
    const uri = Uri.from({ scheme: logScheme, path: visiblePath(path) });
    this.#held.set(uri.toString(), { lines, labels: new Set(labels) });
    this.#changes.fire(uri);
    return uri;
  }

  forget(uri: Uri): void {
    this.#held.delete(uri.toString());
  }

  provideTextDocumentContent(uri: Uri): string {
    return (
      this.#held.get(uri.toString())?.lines.join("\n") ??
      l10n.t("This log is no longer in memory. Open it again.")
    );
  }

  dispose(): void {
    this.#owned.dispose();
  }

  /** Returns the outline, which both providers share. Undefined if the document is closed or changed meanwhile. */
  #outlineOf(document: TextDocument): Promise<LogOutline | undefined> {
    const key = document.uri.toString();
    const { version } = document;
    const known = this.#outlines.get(key);
    if (known?.version === version) return known.outline;
    const outline = outlineInSlices(document, this.#held.get(key)?.labels ?? new Set());
    this.#outlines.set(key, { version, outline });
    return outline;
  }
}

async function outlineInSlices(
  document: TextDocument,
  labels: ReadonlySet<string>,
): Promise<LogOutline | undefined> {
  const { version } = document;
  let outline: LogOutline | undefined;
  const steps = outlineSteps(linesOf(document), labels, (found) => {
    outline = found;
  });
  await inSlices(steps, () => document.isClosed || document.version !== version);
  return outline;
}

const linesOf = (document: TextDocument): readonly string[] => document.getText().split("\n");

const kinds: Readonly<Record<LogSection["kind"], SymbolKind>> = {
  stage: SymbolKind.Module,
  error: SymbolKind.Event,
  warning: SymbolKind.Field,
};

function symbolOf(section: LogSection, document: TextDocument): DocumentSymbol {
  const { name, kind, start, end, parts } = section;
  const head = document.lineAt(start).range;
  const whole = new Range(
    head.start,
    document.lineAt(Math.min(end, document.lineCount - 1)).range.end,
  );
  const symbol = new DocumentSymbol(name, "", kinds[kind], whole, head);
  symbol.children = parts.map((part) => symbolOf(part, document));
  return symbol;
}
