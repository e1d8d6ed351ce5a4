import { isSparkConf } from "../../spark/conf/parse/isSparkConf.ts";
import { confLanguage } from "./confIds.ts";

/** Languages of files that may contain Spark properties, although they are not named `spark-defaults.conf`. */
export const plainLanguages: ReadonlySet<string> = new Set(["plaintext", "ini", "properties"]);

/** A document that VS Code has opened. */
export interface OpenedText {
  readonly uri: string;
  readonly languageId: string;
  /** Returns the first lines of the document. */
  readonly head: () => string;
}

/**
 * Decides which opened documents get the language of conf files. If the user changes the language of such a document,
 * the document keeps the new language.
 */
export class ConfDetection {
  readonly #declined: Set<string>;
  readonly #changed: (declined: readonly string[]) => void;
  #closing: { readonly uri: string; readonly languageId: string } | undefined;

  constructor(declined: readonly string[], changed: (declined: readonly string[]) => void) {
    this.#declined = new Set(declined);
    this.#changed = changed;
  }

  /**
   * Records a closed document. VS Code reports a change of language as a close and an open in the same turn of the
   * event loop.
   */
  closed({ uri, languageId }: Pick<OpenedText, "uri" | "languageId">): void {
    const closing = { uri, languageId };
    this.#closing = closing;
    queueMicrotask(() => {
      if (this.#closing === closing) this.#closing = undefined;
    });
  }

  /** Records an opened document. Returns true if it should get the language of conf files. */
  opened({ uri, languageId, head }: OpenedText): boolean {
    const before = this.#closing?.uri === uri ? this.#closing.languageId : undefined;
    this.#closing = undefined;
    if (languageId === confLanguage) this.#decline(uri, false);
    else if (before === confLanguage) this.#decline(uri, true);
    return plainLanguages.has(languageId) && !this.#declined.has(uri) && isSparkConf(head());
  }

  #decline(uri: string, isDeclined: boolean): void {
    if (this.#declined.has(uri) === isDeclined) return;
    if (isDeclined) this.#declined.add(uri);
    else this.#declined.delete(uri);
    // Store only the latest URIs, because those of renamed and deleted files would accumulate.
    this.#changed([...this.#declined].slice(-maxDeclined));
  }
}

const maxDeclined = 100;
