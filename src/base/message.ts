/**
 * Text for the user that is not translated yet: `msg("out of memory")`, msg`exit code ${code}`. Pure code returns
 * messages. `editor/` shows them in the user's language; the command line, logs and tests print English. Compare codes
 * or kinds, never displayed text.
 */
export interface Message {
  /** The English text before, between and after the values: one item more than `values`. */
  readonly strings: readonly string[];
  readonly values: readonly MessageValue[];
}

/** A value of a message. A nested message must be a complete phrase, never a part of a word. */
export type MessageValue = string | number | Message;

/** Text to display: a message, or data without a translation. */
export type MessageText = string | Message;

/** Translates a message into the language of the display. */
export type ShowMessage = (message: Message) => string;

/** Looks up a template such as `exit code {0}` in a language and fills in the values. */
export type Translate = (template: string, ...values: (string | number)[]) => string;

/**
 * Creates a message from constant text, which `build/l10n/extractTexts.ts` collects for translators. Singular and
 * plural are separate messages.
 */
export function msg(text: string): Message;
export function msg(strings: TemplateStringsArray, ...values: readonly MessageValue[]): Message;
export function msg(
  strings: string | TemplateStringsArray,
  ...values: readonly MessageValue[]
): Message {
  return { strings: typeof strings === "string" ? [strings] : strings, values };
}

/** Creates a message from data without a translation, such as a name or a server's text. */
export const verbatim = (text: string): Message => ({ strings: dataAlone, values: [text] });

const dataAlone: readonly string[] = Object.freeze(["", ""]);

export function inEnglish(message: Message): string;
export function inEnglish(message: Message | undefined): string | undefined;
export function inEnglish(message: Message | undefined): string | undefined {
  if (message === undefined) return undefined;
  const { strings, values } = message;
  let text = strings[0] ?? "";
  for (const [index, value] of values.entries()) {
    text += typeof value === "object" ? inEnglish(value) : String(value);
    text += strings[index + 1] ?? "";
  }
  return text;
}

/** Returns the message in the language of `translate`. */
export function inLanguage({ strings, values }: Message, translate: Translate): string {
  const plain = values.map((value) =>
    typeof value === "object" ? inLanguage(value, translate) : value,
  );
  const isData = strings.length === 2 && strings[0] === "" && strings[1] === "";
  return isData ? String(plain[0]) : translate(templateOf(strings), ...plain);
}

/** Returns the key of a message in the bundle of translations: `exit code {0}`. */
export const templateOf = (strings: readonly string[]): string =>
  strings.reduce((text, part, index) => `${text}{${index - 1}}${part}`);

type Parts = readonly (Message | undefined)[];
type StartedParts = readonly [Message, ...Parts];

/**
 * Joins parts as `a, b, c`. The comma is translated, because some languages write another one. Skips undefined parts;
 * returns undefined if no part is left.
 */
export function listed(parts: StartedParts): Message;
export function listed(parts: Parts): Message | undefined;
export function listed(parts: Parts): Message | undefined {
  return combined(parts, (list, part) => msg`${list}, ${part}`);
}

/** Joins names as `a, b or c`. The names are not translated. Without names, the message is empty. */
export function anyOf(names: readonly (string | number)[]): Message {
  const [last = "", ...others] = [...names].reverse();
  const first = listed(others.reverse().map((name) => verbatim(String(name))));
  return first === undefined ? verbatim(String(last)) : msg`${first} or ${last}`;
}

/** Like `listed`, but joins the parts of a row as `a · b · c`. */
export function dotted(parts: StartedParts): Message;
export function dotted(parts: Parts): Message | undefined;
export function dotted(parts: Parts): Message | undefined {
  return combined(parts, (row, part) => msg`${row} · ${part}`);
}

/** Like `listed`, but puts each part on its own line. */
export function lines(parts: StartedParts): Message;
export function lines(parts: Parts): Message | undefined;
export function lines(parts: Parts): Message | undefined {
  return combined(parts, (text, part) => msg`${text}\n${part}`);
}

/** Like `listed`, but puts each part into its own paragraph. */
export function paragraphs(parts: StartedParts): Message;
export function paragraphs(parts: Parts): Message | undefined;
export function paragraphs(parts: Parts): Message | undefined {
  return combined(parts, (text, part) => msg`${text}\n\n${part}`);
}

/** Like `listed`, but joins sentences with spaces. */
export function sentences(parts: StartedParts): Message;
export function sentences(parts: Parts): Message | undefined;
export function sentences(parts: Parts): Message | undefined {
  return combined(parts, (text, part) => msg`${text} ${part}`);
}

const combined = (
  parts: Parts,
  combine: (left: Message, right: Message) => Message,
): Message | undefined =>
  parts.reduce<Message | undefined>(
    (left, right) =>
      left === undefined ? right : right === undefined ? left : combine(left, right),
    undefined,
  );
