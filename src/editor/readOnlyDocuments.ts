import {
  commands,
  EventEmitter,
  Uri,
  window,
  workspace,
  type TextDocumentContentProvider,
} from "vscode";
import { DisposableStore, type Disposable } from "../base/disposable.ts";
import { documentScheme } from "./ids.ts";

export interface ReadOnlyText {
  /** Its ending gives the language. */
  readonly path: string;
  readonly text: string;
}

/** Texts of ours in editors that cannot change them; each is kept for as long as it is open. */
export class ReadOnlyDocuments implements TextDocumentContentProvider, Disposable {
  readonly #owned = new DisposableStore();
  readonly #texts = new Map<string, string>();
  readonly #changes = this.#owned.add(new EventEmitter<Uri>());
  readonly onDidChange = this.#changes.event;

  constructor() {
    this.#owned.add(workspace.registerTextDocumentContentProvider(documentScheme, this));
    this.#owned.add(
      workspace.onDidCloseTextDocument(({ uri }) => {
        if (uri.scheme === documentScheme) this.#texts.delete(uri.toString());
      }),
    );
  }

  provideTextDocumentContent(uri: Uri): string {
    return this.#texts.get(uri.toString()) ?? "";
  }

  /** Shows a text under a path, whose ending gives its language; one that is open there is replaced. */
  async show(path: string, text: string): Promise<void> {
    const uri = this.#keep(path, text);
    await window.showTextDocument(await workspace.openTextDocument(uri), { preview: false });
  }

  /** Shows two texts beside each other, with what differs marked. */
  async compare(left: ReadOnlyText, right: ReadOnlyText, title: string): Promise<void> {
    const uris = [left, right].map(({ path, text }) => this.#keep(path, text));
    await commands.executeCommand("vscode.diff", ...uris, title, { preview: false });
  }

  #keep(path: string, text: string): Uri {
    const uri = Uri.from({ scheme: documentScheme, path });
    this.#texts.set(uri.toString(), text);
    this.#changes.fire(uri);
    return uri;
  }

  dispose(): void {
    this.#owned.dispose();
  }
}
