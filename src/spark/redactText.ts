import { isMask, plainMask, type IsSecret, type Mask } from "./redact.ts";
import { redactLine } from "./redactLine.ts";
import { keyBlocks } from "./secretForms.ts";
import { isPlainValue, isReference, meansSecret, namesSecret } from "./secretNames.ts";

/**
 * Redacts a value. Like Spark, redacts the whole value if its key has a secret name or the rule matches the value.
 * Otherwise redacts the secrets that are recognizable by their format. In a URL or connection string, redacts only the
 * secret part.
 */
export function redactValue(
  key: string,
  value: string,
  isSecret: IsSecret,
  mask: Mask = plainMask,
): string {
  if (isMask(value) || isReference(value)) return value;
  if (isSecret(key) || (meansSecret(key) && !isPlainValue(key, value))) return mask(value);
  const isFound = isSecret(value);
  if (isFound && !isAddress(value)) return mask(value);
  // If the rest of the value is secret, too, the whole value is masked. Tests this without `mask`, which would number
  // the parts of the value first.
  if (isFound && isSecret(redactLine(value, isSecret).replaceAll(maskedPair, ""))) {
    return mask(value);
  }
  return value.includes("\n")
    ? redactText(value, isSecret, mask)
    : redactLine(value, isSecret, mask);
}

function isAddress(value: string): boolean {
  const scheme = /^[\w.+-]*:/.exec(value)?.[0];
  return scheme !== undefined && value.includes("/", scheme.length) && !/\s/.test(value);
}

const maskedPair = /[\w.$%-]{1,64}=\*{9}\(redacted\)/g;

/**
 * Redacts arguments: `--password x`, `--password=x`, `password=x`, and secrets that are recognizable by their format.
 */
export function redactArguments(
  args: readonly string[],
  isSecret: IsSecret,
  mask: Mask = plainMask,
): readonly string[] {
  return args.map((arg, index) => {
    const before = args[index - 1] ?? "";
    if (announcesValue(before, isSecret)) {
      return isReference(arg) || isMask(arg) ? arg : mask(arg);
    }
    const [, option, name = "", value] = /^(-{0,2}([\w.$-]+)=)([^]*)$/.exec(arg) ?? [];
    if (option !== undefined && value !== undefined) {
      return option + redactValue(name, value, isSecret, mask);
    }
    // The argument is an option name; its value is the next argument.
    if (/^-[\w.$-]+$/.test(arg)) return arg;
    const equals = arg.indexOf("=");
    if (equals >= 0 && isSecret(arg) && !isAddress(arg) && !arg.startsWith("-")) {
      const isHidden = isMask(arg.slice(equals + 1));
      return isHidden ? arg : arg.slice(0, equals + 1) + mask(arg.slice(equals + 1));
    }
    return redactValue("", arg, isSecret, mask);
  });
}

const announcesValue = (option: string, isSecret: IsSecret): boolean =>
  option.startsWith("-") && /^[\w.-]+$/.test(option) && namesSecret(option, isSecret);

/**
 * Redacts a file of any format: the values of keys with a secret name, also in XML and YAML next to or below the key.
 * Finds secrets that are recognizable by their format across lines, too.
 */
export function redactText(text: string, isSecret: IsSecret, mask: Mask = plainMask): string {
  const lines = new FileLines(isSecret, mask);
  return redactKeyBlocks(text, mask)
    .split("\n")
    .map((line) => lines.redact(line))
    .join("\n");
}

function redactKeyBlocks(text: string, mask: Mask): string {
  let clean = "";
  let at = 0;
  for (const [start, end] of keyBlocks(text)) {
    const body = text.slice(start, end);
    if (body === "" || isMask(body)) continue;
    clean += text.slice(at, start) + mask(body);
    at = end;
  }
  return clean + text.slice(at);
}

class FileLines {
  readonly #isSecret: IsSecret;
  readonly #mask: Mask;
  /** True if the last `name` element or field is secret, so that its `value` must be redacted. */
  #isNamed = false;
  /** The indentation of a key with a YAML block; deeper lines belong to the block. */
  #block: number | undefined;

  constructor(isSecret: IsSecret, mask: Mask) {
    this.#isSecret = isSecret;
    this.#mask = mask;
  }

  redact(line: string): string {
    const indent = line.length - line.trimStart().length;
    if (this.#block !== undefined) {
      if (line.trim() === "") return line;
      if (indent > this.#block) return line.slice(0, indent) + this.#hide(line.slice(indent));
      this.#block = undefined;
    }
    const name =
      /<name>([^<]*)<\/name>/.exec(line)?.[1] ?? /^\s*(?:-\s*)?name:\s*(\S.*)$/.exec(line)?.[1];
    if (name !== undefined) this.#isNamed = namesSecret(name.trim(), this.#isSecret);
    if (this.#isNamed && /<value>|^\s*(?:-\s*)?value:/.test(line)) {
      this.#isNamed = false;
      return line
        .replace(/(<value>)([^<]*)/, (_, tag: string, value: string) => tag + this.#hide(value))
        .replace(
          /^(\s*(?:-\s*)?value:\s*)(\S.*)$/,
          (_, key: string, value: string) => key + this.#hide(value),
        );
    }
    if (name !== undefined) return this.#line(line);
    const pair = /^(\s*(?:-\s+)?["']?([\w.$-]+)["']?(?:\s*[=:]\s*))(\S.*)$/.exec(line);
    if (pair !== null) return this.#pair(indent, pair);
    if (!this.#isSecret(line)) return this.#line(line);
    if (/<\w+>/.test(line)) {
      return line.replace(/>([^<>]+)</g, (_, value: string) => `>${this.#hide(value)}<`);
    }
    const clean = this.#line(line);
    if (clean !== line || !/[=:]/.test(line)) return clean;
    return line.replace(
      /^([^=:]*[=:]\s*)(\S.*)$/,
      (_, before: string, value: string) => before + this.#hide(value),
    );
  }

  #pair(indent: number, [line, before = "", key = "", value = ""]: RegExpExecArray): string {
    const isNamed = namesSecret(key, this.#isSecret);
    if (isNamed && /^[|>][-+\d]*\s*$/.test(value)) {
      this.#block = indent;
      return line;
    }
    // `https://…` and `INFO: password: x` are not pairs with one value.
    if (!isNamed && (value.startsWith("//") || !this.#isSecret(value))) return this.#line(line);
    return before + redactValue(key, value, this.#isSecret, this.#mask);
  }

  #line(line: string): string {
    return redactLine(line, this.#isSecret, this.#mask);
  }

  #hide(value: string): string {
    return isMask(value) || isReference(value) ? value : this.#mask(value);
  }
}

/** Replaces known secrets: those that the user typed, or that this extension sent or read. */
export function redactKnown(
  text: string,
  secrets: Iterable<string>,
  mask: Mask = plainMask,
): string {
  return [...secrets]
    .filter((secret) => secret !== "")
    .sort((a, b) => b.length - a.length)
    .reduce((shown, secret) => shown.replaceAll(secret, () => mask(secret)), text);
}
