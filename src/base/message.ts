/**
 * A text for the user, before a language is chosen: `msg("out of memory")`, msg`exit code ${code}`. Pure code returns
 * messages; `editor/` shows them in the user's language, and the command line, logs and tests in English. Nothing compares
 * shown texts: identity is a code or a kind.
 */
export interface Message {
  /** The text around the values, in English. One longer than `values`. */
  readonly strings: readonly string[];
  readonly values: readonly MessageValue[];
}

/** A message as a value is a phrase of its own, never a part of a word. */
export type MessageValue = string | number | Message;

/** A text to show: a message, or data without a translation. */
export type MessageText = string | Message;

/** Prints a message in a language. */
export type ShowMessage = (message: Message) => string;

/** Looks up a template such as `exit code {0}` in a language and fills in the values. */
export type Translate = (template: string, ...values: (string | number)[]) => string;

/**
 * Creates a message of a text in the source. `build/l10n/extractTexts.ts` collects it for translators. Singular and plural
 * are separate messages.
 */
export function msg(text: string): Message;
export function msg(strings: TemplateStringsArray, ...values: readonly MessageValue[]): Message;
export function msg(
  strings: string | TemplateStringsArray,
  ...values: readonly MessageValue[]
): Message {
  return { strings: typeof strings === "string" ? [strings] : strings, values };
}

/** Data such as a name or a server's text, which has no translation. */
export const verbatim = (text: string): Message => ({ strings: dataAlone, values: [text] });

const dataAlone: readonly string[] = Object.freeze(["", ""]);

/** The message in English. */
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

/** The message in the language of `translate`. */
export function inLanguage({ strings, values }: Message, translate: Translate): string {
  const plain = values.map((value) =>
    typeof value === "object" ? inLanguage(value, translate) : value,
  );
  const isData = strings.length === 2 && strings[0] === "" && strings[1] === "";
  return isData ? String(plain[0]) : translate(templateOf(strings), ...plain);
}

/** The key of a message in the bundle: `exit code {0}`. */
export const templateOf = (strings: readonly string[]): string =>
  strings.reduce((text, part, index) => `${text}{${index - 1}}${part}`);

type Parts = readonly (Message | undefined)[];
type StartedParts = readonly [Message, ...Parts];

/** `a, b, c`. A text of its own, as some languages write other commas. Undefined members are left out; undefined if none is left. */
export function listed(parts: StartedParts): Message;
export function listed(parts: Parts): Message | undefined;
export function listed(parts: Parts): Message | undefined {
  return combined(parts, (list, part) => msg`${list}, ${part}`);
}

/** `a, b or c`. Names are data; empty for none. */
export function anyOf(names: readonly (string | number)[]): Message {
  const [last = "", ...others] = [...names].reverse();
  const first = listed(others.reverse().map((name) => verbatim(String(name))));
  return first === undefined ? verbatim(String(last)) : msg`${first} or ${last}`;
}

/** `a · b · c`, the parts of a row. As `listed`. */
export function dotted(parts: StartedParts): Message;
export function dotted(parts: Parts): Message | undefined;
export function dotted(parts: Parts): Message | undefined {
  return combined(parts, (row, part) => msg`${row} · ${part}`);
}

/** One line after another. As `listed`. */
export function lines(parts: StartedParts): Message;
export function lines(parts: Parts): Message | undefined;
export function lines(parts: Parts): Message | undefined {
  return combined(parts, (text, part) => msg`${text}\n${part}`);
}

/** One paragraph after another. As `listed`. */
export function paragraphs(parts: StartedParts): Message;
export function paragraphs(parts: Parts): Message | undefined;
export function paragraphs(parts: Parts): Message | undefined {
  return combined(parts, (text, part) => msg`${text}\n\n${part}`);
}

/** One sentence after another. As `listed`. */
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
