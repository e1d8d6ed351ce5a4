import type { Memento } from "vscode";
import { numberedMask, plainMask, type Mask } from "../../spark/redact.ts";

/** The last submission of a profile, redacted. */
interface SentText {
  readonly name: string;
  readonly at: number;
  readonly text: string;
}

// Maximum length of a stored text. A submission is about 10 KB; embedded files can make it larger.
const maxTextLength = 256 * 1024;
const textsKept = 20;
const key = "profiles.sentTexts";

export const lastSent = (memory: Memento, name: string): SentText | undefined =>
  memory.get<readonly SentText[]>(key, []).find((sent) => sent.name === name);

/**
 * Replaces a profile's stored text. If the new text is too long, only removes the earlier text. Drops the oldest texts
 * above the limit.
 */
export async function keepSent(memory: Memento, sent: SentText): Promise<void> {
  const others = memory.get<readonly SentText[]>(key, []).filter(({ name }) => name !== sent.name);
  const kept = sent.text.length > maxTextLength ? others : [sent, ...others];
  await memory.update(key, kept.slice(0, textsKept));
}

/** Returns a submission as text, in which `mask` replaces the secrets. */
export type WriteSent = (mask: Mask) => string;

/**
 * The last submissions of this window, with numbered secrets, so that a comparison shows changed secrets. Stored texts
 * have no numbers, because stable numbers would have to be derived from the secrets.
 */
export class SentHere {
  /** Holds the secrets in memory until the window closes. */
  readonly mask = numberedMask();
  readonly #texts = new Map<string, string>();

  textOf(name: string): string | undefined {
    return this.#texts.get(name);
  }

  /** Keeps the text with numbered secrets in memory, and stores the text with plain masks. */
  async keep(memory: Memento, name: string, at: number, write: WriteSent): Promise<void> {
    this.#texts.delete(name);
    this.#texts.set(name, write(this.mask));
    const [oldest] = this.#texts.keys();
    if (this.#texts.size > textsKept && oldest !== undefined) this.#texts.delete(oldest);
    await keepSent(memory, { name, at, text: write(plainMask) });
  }
}
