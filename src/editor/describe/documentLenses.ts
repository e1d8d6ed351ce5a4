import type { CodeLens } from "vscode";
import type { Disposable } from "../../base/disposable.ts";
import { documentScheme } from "../ids.ts";
import { languages } from "../ui/languages.ts";
import { visiblePath } from "../ui/plainText.ts";

/** The CodeLenses of read-only documents. Showing a document again replaces its CodeLenses. */
export class DocumentLenses implements Disposable {
  readonly #byPath = new Map<string, () => readonly CodeLens[]>();
  readonly #provider: Disposable;

  /** `pattern`: the glob of the documents' paths. */
  constructor(pattern: string) {
    this.#provider = languages.registerCodeLensProvider(
      { scheme: documentScheme, pattern },
      { provideCodeLenses: ({ uri }) => [...(this.#byPath.get(uri.path)?.() ?? [])] },
    );
  }

  /**
   * Sets the CodeLenses of a document. Call it before the document is shown. VS Code calls `lenses` again after each
   * change of the document.
   */
  set(path: string, lenses: () => readonly CodeLens[]): void {
    this.#byPath.set(visiblePath(path), lenses);
  }

  dispose(): void {
    this.#provider.dispose();
  }
}
