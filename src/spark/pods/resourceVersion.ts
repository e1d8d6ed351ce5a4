/**
 * True if the version is older than the known one. False if a version is not a number: then the event that arrives
 * later counts as newer.
 */
export function isOlder(version: string, known: string): boolean {
  if (!isDecimal(version) || !isDecimal(known)) return false;
  return version.length === known.length ? version < known : version.length < known.length;
}

// Runs twice per event. A regular expression would take a third of the time of the whole event.
function isDecimal(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    const digit = text.charCodeAt(at) - 0x30;
    if (digit < 0 || digit > 9) return false;
  }
  return text !== "";
}
