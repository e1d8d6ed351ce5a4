import { unseenCharacters } from "../../base/unseenCharacters.ts";

/**
 * Makes an untrusted line safe for a terminal. Keeps colors, and resets them at the end of the line. Removes everything
 * that could move the cursor, set the clipboard, forge a link or hide text.
 */
export function terminalText(line: string): string {
  if (!suspicious.test(line)) return line;
  let safe = "";
  let hasColor = false;
  for (let at = 0; at < line.length;) {
    const code = line.charCodeAt(at);
    if (code === escape || isC1(code)) {
      const end = sequenceEnd(line, at);
      const sequence = line.slice(at, end);
      if (isColor(sequence)) {
        safe += sequence;
        hasColor = true;
      }
      at = end;
    } else {
      safe += visible(line.charAt(at));
      at += 1;
    }
  }
  return hasColor ? `${safe}\u001b[0m` : safe;
}

const escape = 0x1b;

const suspicious = new RegExp(`[${unseenCharacters}]`);

const isC1 = (code: number): boolean => code >= 0x80 && code <= 0x9f;

// Replaces a vertical movement, such as a line break, with a space, so that words stay separate. Removes other unsafe
// characters.
function visible(character: string): string {
  if (/[\n-\r\u2028\u2029]/.test(character)) return " ";
  return suspicious.test(character) ? "" : character;
}

/** Returns the end of the control sequence at `at`; an unterminated one extends to the end of the line. */
function sequenceEnd(line: string, at: number): number {
  const first = line.charCodeAt(at);
  // A C1 control equals ESC followed by the character whose code is 0x40 lower.
  const introducer = first === escape ? line.charCodeAt(at + 1) : first - 0x40;
  const next = at + (first === escape ? 2 : 1);
  switch (introducer) {
    case 0x5b:
      return controlSequenceEnd(line, next);
    // DCS, SOS, OSC, PM and APC strings end at their terminator.
    case 0x50:
    case 0x58:
    case 0x5d:
    case 0x5e:
    case 0x5f:
      return stringEnd(line, next);
    default:
      return first === escape ? shortEscapeEnd(line, at + 1) : next;
  }
}

function controlSequenceEnd(line: string, from: number): number {
  let at = from;
  while (at < line.length && inRange(line.charCodeAt(at), 0x20, 0x3f)) at += 1;
  // An interrupted sequence is invalid; the next character is parsed on its own.
  return inRange(line.charCodeAt(at), 0x40, 0x7e) ? at + 1 : at;
}

function stringEnd(line: string, from: number): number {
  for (let at = from; at < line.length; at += 1) {
    const code = line.charCodeAt(at);
    if (code === 0x07 || code === 0x9c) return at + 1;
    if (code === escape && line.charCodeAt(at + 1) === 0x5c) return at + 2;
  }
  return line.length;
}

// Returns the end of a sequence of ESC, intermediate characters and one final character.
function shortEscapeEnd(line: string, from: number): number {
  let at = from;
  while (at < line.length && inRange(line.charCodeAt(at), 0x20, 0x2f)) at += 1;
  return inRange(line.charCodeAt(at), 0x30, 0x7e) ? at + 1 : at;
}

// NaN, the code after the end of the line, is in no range.
const inRange = (code: number, from: number, to: number): boolean => code >= from && code <= to;

// True for a sequence that only sets colors and harmless styles. False for conceal (8), which hides text from the user,
// and for blinking (5, 6), which is a nuisance.
function isColor(sequence: string): boolean {
  if (!sequence.startsWith("\u001b[") || !sequence.endsWith("m")) return false;
  const inner = sequence.slice(2, -1);
  if (!/^[\d;]*$/.test(inner)) return false;
  const codes = inner.split(";").map(Number);
  for (let at = 0; at < codes.length; at += 1) {
    const code = codes[at];
    if (code === 38 || code === 48) at += codes[at + 1] === 5 ? 2 : 4;
    else if (code === 5 || code === 6 || code === 8) return false;
  }
  return true;
}
