/**
 * A line from outside, made fit for a terminal: colours stay, everything else that could move the cursor,
 * set the clipboard, forge a link or hide text is taken out. The line ends without colour.
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
      safe += visible(code, line.charAt(at));
      at += 1;
    }
  }
  return hasColor ? `${safe}\u001b[0m` : safe;
}

const escape = 0x1b;

// Controls but for the tab, and the marks that turn the direction of text.
const suspicious = new RegExp(
  "[\\u0000-\\u0008\\u000a-\\u001f\\u007f-\\u009f\\u202a-\\u202e\\u2066-\\u2069]",
);

const isC1 = (code: number): boolean => code >= 0x80 && code <= 0x9f;

// What moves to another line or column kept words apart: a blank does that too.
function visible(code: number, character: string): string {
  if (code >= 0x0a && code <= 0x0d) return " ";
  if (code === 0x09) return character;
  const isControl = code < 0x20 || code === 0x7f;
  const turns = (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
  return isControl || turns ? "" : character;
}

/** Where the control sequence that begins at `at` ends; an open one takes the rest of the line with it. */
function sequenceEnd(line: string, at: number): number {
  const first = line.charCodeAt(at);
  // Each C1 control has a form of two characters.
  const introducer = first === escape ? line.charCodeAt(at + 1) : first - 0x40;
  const next = at + (first === escape ? 2 : 1);
  switch (introducer) {
    case 0x5b:
      return controlSequenceEnd(line, next);
    // DCS, SOS, OSC, PM, APC: strings up to their terminator.
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
  // A sequence that breaks off is no sequence; what broke it is looked at on its own.
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

// Escape, intermediates, one final character.
function shortEscapeEnd(line: string, from: number): number {
  let at = from;
  while (at < line.length && inRange(line.charCodeAt(at), 0x20, 0x2f)) at += 1;
  return inRange(line.charCodeAt(at), 0x30, 0x7e) ? at + 1 : at;
}

// NaN, for what lies behind the end, is in no range.
const inRange = (code: number, from: number, to: number): boolean => code >= from && code <= to;

// Concealed text (8) is the one attribute that lies to the reader; blinking (5, 6) is merely a nuisance.
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
