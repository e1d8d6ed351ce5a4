const mask = "***";
// No pattern below can be made to run for long on a text of this length.
const longestText = 4096;
// Shorter ones would blank out innocent syllables.
const shortestSecret = 4;

const patterns: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[^-]*(?:-----END [A-Z ]{0,30}-----)?/g, mask],
  // A JSON web token.
  [/\beyJ[\w-]+\.[\w-]+(?:\.[\w-]*)?/g, mask],
  [/\b(bearer|basic)\s+[\w.~+/=-]{6,}/gi, `$1 ${mask}`],
  [/\/\/[^\s/@:]*:[^\s/@]+@/g, `//${mask}@`],
  [
    /((?:secret|password|passwd|token|credential|access[._-]?key|api[._-]?key)[\w.-]{0,40}["']?\s{0,3}[:=]\s{0,3})("[^"]*"|'[^']*'|[^\s,;}"']+)/gi,
    `$1${mask}`,
  ],
  // An option of a command line with its value.
  [/(--[\w-]{0,40}(?:secret|password|token|key)[\w-]{0,40}\s{1,3})\S+/gi, `$1${mask}`],
];

/** Takes secrets out of what leaves this folder as text: those that it was told of, and what looks like one. */
export class Redactor {
  readonly #secrets = new Set<string>();

  learn(...secrets: readonly (string | undefined)[]): void {
    for (const secret of secrets) {
      const trimmed = secret?.trim() ?? "";
      if (trimmed.length >= shortestSecret) this.#secrets.add(trimmed);
    }
  }

  redact(text: string): string {
    let clean = text;
    for (const secret of this.#secrets) clean = clean.replaceAll(secret, mask);
    if (clean.length > longestText) clean = `${clean.slice(0, longestText)}…`;
    for (const [pattern, replacement] of patterns) clean = clean.replace(pattern, replacement);
    return clean;
  }
}
