/** What Spark writes in place of a secret. */
const redaction = "*********(redacted)";

/**
 * A line of a log without the values that Spark's rule calls secret: of each `key=value`, `key: value`,
 * `"key": "value"`, `(key,value)` and `--key value` whose key or value the pattern finds, the value. Words that
 * stand alone are no values. What an `Authorization` header or an address holds is taken out as well.
 */
export function redactLine(text: string, isSecret: (text: string) => boolean): string {
  const bare = text.replace(bearer, `$1${redaction}`).replace(userOfAddress, `$1${redaction}@`);
  return isSecret(bare) ? redactPairs(bare, isSecret) : bare;
}

const redactPairs = (text: string, isSecret: (text: string) => boolean): string =>
  text.replace(pair, (whole: string, key: string, join: string, value: string) => {
    // What was redacted before stays as it is, so that a line can be known again by what is left of it.
    if (value.startsWith(redaction.slice(0, -1))) return whole;
    if (/^[\w.$-]+=./.test(value)) return `${key}${join}${redactPairs(value, isSecret)}`;
    return isSecret(key) || isSecret(value) ? `${key}${join}${hidden(value)}` : whole;
  });

// Quotes stay, so that what reads the line still can.
function hidden(value: string): string {
  const quote = /^(\\?["'])/.exec(value)?.[1] ?? "";
  return `${quote}${redaction}${quote}`;
}

const bearer = /\b((?:Bearer|Basic)\s+)[A-Za-z0-9._~+/=-]{8,}/gi;
const userOfAddress = /(\b[a-z][a-z0-9+.-]*:\/\/[^\s/@:]*:)[^\s/@]+@/gi;

/** Key, what joins them, value: one in quotes whole, else up to a blank after `=`, or to the end of the sentence after `:`. */
const pair = new RegExp(
  [
    /((?:--)?[\w.$-]*[\w$])/.source,
    /(\\?["']?\s*(?:=>?|:=?|->|,)\s*|\s+(?==))/.source,
    /(\\?"(?:[^"\\]|\\(?!").)*\\?"|'[^']*'|[^\s,;&)}\]]+)/.source,
  ].join(""),
  "g",
);
