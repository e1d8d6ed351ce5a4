import { compileLinear, maxPatternLength, type LinearPattern } from "../base/linearPattern.ts";
import { msg, type Message } from "../base/message.ts";
import { err, type Result } from "../base/result.ts";

/**
 * Compiles a java.util.regex pattern such as `spark.redaction.regex`. The result matches everything that Java matches,
 * and in a few cases more: RE2 folds case for all of Unicode, and its `.` matches more line terminators. Unsupported
 * syntax gives an error with the reason. Not supported are look-around, back references, possessive quantifiers, atomic
 * groups, and flags other than `i` and `s`. Class intersections and unions, and Java's own escapes (`\h`, `\R`, `\Z`,
 * `\u0041`, `\p{Alpha}`), are not supported either.
 */
export function compileJava(pattern: string): Result<LinearPattern, Message> {
  if (pattern.length > maxPatternLength) {
    return err(msg`it is longer than ${maxPatternLength} characters`);
  }
  const translated = translate(pattern);
  if (!translated.ok) return translated;
  const compiled = compileLinear(translated.value, { for: "text" });
  return compiled.ok ? compiled : err(compiled.error.detail);
}

// Java's `$` also matches before the last line terminator.
const end = String.raw`(?:$|\r?\n$|[\r\x{85}\x{2028}\x{2029}]$)`;

/** Rewrites syntax that matches less in RE2 than in Java, and rejects syntax with a different meaning. */
function translate(pattern: string): Result<string, Message> {
  let source = "";
  let isClass = false;
  for (let at = 0; at < pattern.length; at += 1) {
    const char = pattern.charAt(at);
    const next = pattern.charAt(at + 1);
    if (char === "\\") {
      if (next === "Q") {
        const closing = pattern.indexOf("\\E", at + 2);
        const stop = closing === -1 ? pattern.length : closing;
        source += quote(pattern.slice(at + 2, stop));
        at = stop + 1;
        continue;
      }
      // RE2 interprets these as a vertical tab, any byte, or octal character codes.
      if (/[vC1-9]/.test(next)) return err(msg`RE2 reads \\${next} otherwise than Java`);
      source += next === "s" ? (isClass ? String.raw`\s\v` : String.raw`[\s\v]`) : char + next;
      at += 1;
    } else if (isClass) {
      if (char === "[" || (char === "&" && next === "&")) {
        return err(msg("RE2 has no intersections and unions of character classes"));
      }
      if (char === "]") isClass = false;
      source += char;
    } else if (char === "[") {
      isClass = true;
      // A bracket directly after the opening one is literal.
      const opening = /^\[\^?\]?/.exec(pattern.slice(at, at + 3))?.[0] ?? char;
      source += opening;
      at += opening.length - 1;
    } else if (char === "$") source += end;
    else if (char === "(" && next === "?" && !knownGroup.test(pattern.slice(at, at + 10))) {
      return err(msg("RE2 has no look-around, no atomic groups, and of Java's flags i and s"));
    } else source += char;
  }
  return { ok: true, value: source };
}

const knownGroup = /^\(\?(?:[is]{0,3}(?:-[is]{1,2})?[:)]|<[A-Za-z])/;

// Escapes all punctuation, because some characters are special only within a class.
const quote = (text: string): string => text.replace(/[!-/:-@[-`{-~]/g, "\\$&");
