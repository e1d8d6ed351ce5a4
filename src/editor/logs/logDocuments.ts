import {
  DocumentSymbol,
  EventEmitter,
  FoldingRange,
  languages,
  Range,
  SymbolKind,
  Uri,
  workspace,
  type TextDocument,
  type TextDocumentContentProvider,
} from "vscode";
import { DisposableStore, type Disposable } from "../../base/disposable.ts";
import { outlineLog, type LogSection } from "../../spark/logs/logOutline.ts";
import { logScheme } from "../ids.ts";

/** Logs in read-only editors: folded by their traces, with their stages and errors as the outline. */
export class LogDocuments implements TextDocumentContentProvider, Disposable {
  readonly #owned = new DisposableStore();
  readonly #lines = new Map<string, readonly string[]>();
  readonly #changes = this.#owned.add(new EventEmitter<Uri>());
  readonly onDidChange = this.#changes.event;

  constructor() {
    const ours = { scheme: logScheme };
    this.#owned.add(workspace.registerTextDocumentContentProvider(logScheme, this));
    this.#owned.add(
      workspace.onDidCloseTextDocument(({ uri }) => {
        if (uri.scheme === logScheme && !uri.path.startsWith("/traces/")) {
          this.#lines.delete(uri.toString());
        }
      }),
    );
    this.#owned.add(
      languages.registerFoldingRangeProvider(ours, {
        provideFoldingRanges: (document) =>
          outlineLog(linesOf(document)).folds.map(({ start, end }) => new FoldingRange(start, end)),
      }),
    );
    this.#owned.add(
      languages.registerDocumentSymbolProvider(ours, {
        provideDocumentSymbols: (document) =>
          outlineLog(linesOf(document)).sections.map((section) => symbolOf(section, document)),
      }),
    );
  }

  /** Puts lines under a path; who has them open sees them change. */
  keep(path: string, lines: readonly string[]): Uri {
    const uri = this.uriOf(path);
    this.#lines.set(uri.toString(), lines);
    this.#changes.fire(uri);
    return uri;
  }

  uriOf(path: string): Uri {
    return Uri.from({ scheme: logScheme, path });
  }

  provideTextDocumentContent(uri: Uri): string {
    return (this.#lines.get(uri.toString()) ?? []).join("\n");
  }

  dispose(): void {
    this.#owned.dispose();
  }
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
