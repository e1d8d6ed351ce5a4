/** What Spark writes in place of a secret. */
export const redaction = "*********(redacted)";

/** True for a text that may not be shown. */
export type IsSecret = (text: string) => boolean;

/**
 * Spark's rule: what the pattern finds in a key or a value. A pattern of the user's that only Java can read
 * gives way to the default.
 */
export function secretRule(own: string | undefined, defaultPattern: string): IsSecret {
  const pattern = (own === undefined ? undefined : compile(own)) ?? compile(defaultPattern);
  return (text) => pattern?.test(text) ?? true;
}

/** The value, or what stands for it. */
export const redactValue = (key: string, value: string, isSecret: IsSecret): string =>
  isSecret(key) || isSecret(value) ? redaction : value;

/** Arguments: `--password x`, `--password=x`, `password=x`. */
export function redactArguments(args: readonly string[], isSecret: IsSecret): readonly string[] {
  return args.map((arg, index) => {
    const before = args[index - 1] ?? "";
    const isAnnounced = before.startsWith("-") && !before.includes("=") && isSecret(before);
    if (isAnnounced) return redaction;
    if (!isSecret(arg)) return arg;
    const equals = arg.indexOf("=");
    if (equals >= 0) return `${arg.slice(0, equals + 1)}${redaction}`;
    return arg.startsWith("-") ? arg : redaction;
  });
}

/**
 * The text of a file, in whatever format: of a line that the rule finds, what follows the key; and the value
 * that XML and YAML write beside or below the name.
 */
export function redactText(text: string, isSecret: IsSecret): string {
  let isNamed = false;
  return text
    .split("\n")
    .map((line) => {
      const name =
        /<name>(.*?)<\/name>/.exec(line)?.[1] ?? /^\s*-?\s*name:\s*(\S.*)$/.exec(line)?.[1];
      if (name !== undefined) isNamed = isSecret(name);
      if (isNamed && /<value>|^\s*-?\s*value:/.test(line)) {
        isNamed = false;
        return line
          .replace(/<value>.*?(?:<\/value>|$)/, `<value>${redaction}</value>`)
          .replace(/^(\s*-?\s*value:).*$/, `$1 ${redaction}`);
      }
      if (name !== undefined || !isSecret(line)) return line;
      return /<\w+>/.test(line)
        ? line.replace(/>[^<]+</g, `>${redaction}<`)
        : line.replace(/^([^=:]*[=:]\s*)?\S.*$/, `$1${redaction}`);
    })
    .join("\n");
}

function compile(pattern: string): RegExp | undefined {
  // Java's switches at the front are flags in JavaScript.
  const [, switches = "", rest = pattern] = /^\(\?([ims]+)\)([^]*)$/.exec(pattern) ?? [];
  try {
    return new RegExp(rest, switches);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
