/**
 * Whether Java surely refuses a regular expression: a group or class that is not closed, a bracket too many,
 * a quantifier with nothing before it, a backslash at the end. What is not looked at counts as right.
 */
export function isSurelyBadRegex(text: string): boolean {
  // In free-spacing mode and in quotations other rules hold.
  if (text.includes("\\Q") || /\(\?[a-z]*x/.test(text)) return false;
  let depth = 0;
  let quantifiable = false;
  for (let index = 0; index < text.length; index++) {
    switch (text.charAt(index)) {
      case "\\":
        if (index + 1 === text.length) return true;
        index++;
        quantifiable = true;
        break;
      case "[": {
        const end = classEnd(text, index);
        if (end === undefined) return false;
        if (end < 0) return true;
        index = end;
        quantifiable = true;
        break;
      }
      case "(":
        depth++;
        quantifiable = text[index + 1] === "?";
        if (quantifiable) index++;
        break;
      case ")":
        if (--depth < 0) return true;
        quantifiable = true;
        break;
      case "|":
        quantifiable = false;
        break;
      case "*":
      case "+":
      case "?":
        if (!quantifiable) return true;
        if (text[index + 1] === "?" || text[index + 1] === "+") index++;
        // A second quantifier has nothing before it.
        quantifiable = false;
        break;
      default:
        quantifiable = true;
    }
  }
  return depth > 0;
}

// The `]` of a class; -1 if there is none; undefined where classes are nested, which is not followed.
function classEnd(text: string, start: number): number | undefined {
  let index = start + 1;
  if (text[index] === "^") index++;
  if (text[index] === "]") index++;
  for (; index < text.length; index++) {
    if (text[index] === "\\") index++;
    else if (text[index] === "[") return undefined;
    else if (text[index] === "]") return index;
  }
  return -1;
}
