/**
 * True if Java certainly rejects the regular expression: unclosed groups or classes, unmatched brackets, quantifiers
 * without an operand, invalid escapes. False for other patterns, even if they may be invalid.
 */
export function isSurelyBadRegex(text: string): boolean {
  // Free-spacing mode ignores blanks, except in escapes, classes and group heads. Only patterns without these three and
  // without comments are checked. Patterns with a quotation (`\Q`) are not checked.
  if (/^\(\?x\)[^#\\[]*$/.test(text) && !/\(\s+\?/.test(text)) {
    return isSurelyBadRegex(text.slice("(?x)".length).replace(/\s/g, ""));
  }
  if (text.includes("\\Q") || /\(\?[a-zA-Z]*x/.test(text)) return false;
  let depth = 0;
  let quantifiable = false;
  for (let index = 0; index < text.length; index++) {
    switch (text.charAt(index)) {
      case "\\": {
        const end = escapeEnd(text, index);
        if (end === undefined) return true;
        index = end;
        quantifiable = true;
        break;
      }
      case "[": {
        const end = classEnd(text, index);
        if (end === undefined) return true;
        index = end;
        quantifiable = true;
        break;
      }
      case "(":
        depth++;
        quantifiable = text[index + 1] === "?";
        if (quantifiable) {
          const end = groupHeadEnd(text, index + 2);
          if (end === undefined) return true;
          index = end;
          if (text.charAt(end) === ")") depth--;
        }
        break;
      case ")":
        if (--depth < 0) return true;
        quantifiable = true;
        break;
      case "|":
        quantifiable = false;
        break;
      case "{": {
        // Java accepts a count without an operand.
        const end = countEnd(text, index);
        if (end === undefined) return true;
        index = afterGreed(text, end);
        quantifiable = false;
        break;
      }
      case "*":
      case "+":
      case "?":
        if (!quantifiable) return true;
        index = afterGreed(text, index);
        // A second quantifier has no operand.
        quantifiable = false;
        break;
      default:
        quantifiable = true;
    }
  }
  return depth > 0;
}

// Returns the position of the last character of the group head that follows `(?`: a group type, a group name, or flags.
// Undefined if the head is invalid.
function groupHeadEnd(text: string, from: number): number | undefined {
  const head = /^(?:[:=!>]|<[=!]|<([A-Za-z][A-Za-z0-9]*)>|[idmsuxU]*(?:-[idmsuxU]*)?[:)])/.exec(
    text.slice(from, from + 80),
  );
  if (head === null) return undefined;
  const [whole, name] = head;
  // Java rejects a repeated group name.
  if (name !== undefined && text.indexOf(`(?<${name}>`) < from - 2) return undefined;
  return from + whole.length - 1;
}

const afterGreed = (text: string, index: number): number =>
  text[index + 1] === "?" || text[index + 1] === "+" ? index + 1 : index;

// Returns the position of the last character of an escape; undefined if the escape is invalid.
function escapeEnd(text: string, start: number): number | undefined {
  const kind = text[start + 1];
  const from = start + 2;
  switch (kind) {
    case undefined:
      return undefined;
    case "c":
      return from < text.length ? from : undefined;
    case "u":
      return /^[0-9a-fA-F]{4}$/.test(text.slice(from, from + 4)) ? from + 3 : undefined;
    case "p":
    case "P":
      return propertyEnd(text, from);
    case "k": {
      const [whole, name = ""] =
        /^<([A-Za-z][A-Za-z0-9]*)>/.exec(text.slice(from, from + 80)) ?? [];
      return whole !== undefined && text.includes(`(?<${name}>`)
        ? from + whole.length - 1
        : undefined;
    }
    default:
      return start + 1;
  }
}

// Returns the position of the last character of a general category, a POSIX class, or a named property. Undefined if it
// has another form.
function propertyEnd(text: string, from: number): number | undefined {
  if (text[from] !== "{") return /^[A-Z]$/.test(text[from] ?? "") ? from : undefined;
  const end = text.indexOf("}", from);
  return properties.test(text.slice(from + 1, Math.max(from + 1, end))) ? end : undefined;
}

const properties =
  /^(?:[A-Z][A-Za-z0-9]?|all|Lower|Upper|ASCII|Alpha|Digit|Alnum|Punct|Graph|Print|Blank|Cntrl|XDigit|Space|(?:Is|In|java)[A-Za-z0-9_ -]+|[A-Za-z_]+=[A-Za-z0-9_ -]+)$/;

// Returns the position of the last character of `{2}`, `{2,}` or `{2,3}`.
function countEnd(text: string, start: number): number | undefined {
  const end = text.indexOf("}", start);
  if (end < 0 || end - start > 24) return undefined;
  const [, least = "", most = ""] =
    /^([0-9]+)(?:,([0-9]*))?$/.exec(text.slice(start + 1, end)) ?? [];
  if (least === "") return undefined;
  return most !== "" && Number(most) < Number(least) ? undefined : end;
}

// Returns the position of the `]` of a class, which may be nested; undefined if it is missing or a range is reversed.
function classEnd(text: string, start: number): number | undefined {
  let depth = 0;
  for (let index = start; index < text.length; index++) {
    const char = text.charAt(index);
    if (char === "\\") index = escapeEnd(text, index) ?? text.length;
    else if (char === "[") {
      depth++;
      if (text[index + 1] === "^") index++;
      // A bracket directly after the opening one is a literal.
      if (text[index + 1] === "]") index++;
    } else if (char === "]") {
      if (--depth === 0) return index;
    } else if (isUpsideDown(text, index)) return undefined;
  }
  return undefined;
}

const isUpsideDown = (text: string, index: number): boolean => {
  const range = text.slice(index, index + 3);
  return /^[A-Za-z0-9]-[A-Za-z0-9]$/.test(range) && range.charAt(0) > range.charAt(2);
};
