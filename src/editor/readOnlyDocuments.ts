import { commands, EventEmitter, Uri, workspace, type TextDocumentContentProvider } from "vscode";
import { DisposableStore, type Disposable } from "../base/disposable.ts";
import { documentScheme, reportLanguage } from "./ids.ts";
import { languages } from "./ui/languages.ts";
import { textRules, visiblePath } from "./ui/plainText.ts";
import { window } from "./ui/window.ts";

interface ReadOnlyText {
  /** Its suffix determines the document's language. */
  readonly path: string;
  readonly text: string;
}

/** Shows read-only documents. Keeps each text while its document is open. */
export class ReadOnlyDocuments implements TextDocumentContentProvider, Disposable {
  readonly #owned = new DisposableStore();
  readonly #texts = new Map<string, string>();
  readonly #changes = this.#owned.add(new EventEmitter<Uri>());
  readonly onDidChange = this.#changes.event;

  constructor() {
    this.#owned.add(workspace.registerTextDocumentContentProvider(documentScheme, this));
    this.#owned.add(
      workspace.onDidCloseTextDocument(({ uri, isClosed }) => {
        // Check `isClosed`, because VS Code also reports a close when the language of an open document changes.
        if (uri.scheme === documentScheme && isClosed) this.#texts.delete(uri.toString());
      }),
    );
  }

  provideTextDocumentContent(uri: Uri): string {
    return this.#texts.get(uri.toString()) ?? "";
  }

  /**
   * Shows text in an editor. Replaces the text of an open document with the same path. The suffix of the path
   * determines the language; a `.txt` document gets `language`. Reports and tables have no links, because they quote
   * clusters and logs.
   */
  async show(path: string, text: string, language = reportLanguage): Promise<void> {
    const opened = await workspace.openTextDocument(this.#keep(path, text));
    const document = path.endsWith(".txt")
      ? await languages.setTextDocumentLanguage(opened, language)
      : opened;
    await window.showTextDocument(document, { preview: false });
  }

  /** Opens a diff editor with two read-only texts. */
  async compare(left: ReadOnlyText, right: ReadOnlyText, title: string): Promise<void> {
    const uris = [left, right].map(({ path, text }) => this.#keep(path, text));
    await commands.executeCommand("vscode.diff", ...uris, textRules.title(title), {
      preview: false,
    });
  }

  isOpen(path: string): boolean {
    return this.#texts.has(uriOf(path).toString());
  }

  /** True if an editor shows the document. */
  isVisible(path: string): boolean {
    const uri = uriOf(path).toString();
    return window.visibleTextEditors.some(({ document }) => document.uri.toString() === uri);
  }

  /** Replaces the text of an open document without focusing it. */
  update(path: string, text: string): void {
    if (this.isOpen(path) && this.#texts.get(uriOf(path).toString()) !== text)
      this.#keep(path, text);
  }

  #keep(path: string, text: string): Uri {
    const uri = uriOf(path);
    this.#texts.set(uri.toString(), text);
    this.#changes.fire(uri);
    return uri;
  }

  dispose(): void {
    this.#owned.dispose();
  }
}

const uriOf = (path: string): Uri => Uri.from({ scheme: documentScheme, path: visiblePath(path) });
