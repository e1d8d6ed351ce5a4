import { redaction } from "./redact.ts";

export type SecretSpan = readonly [start: number, end: number];

/**
 * True if the text may contain a secret format, or a key that means a secret under every redaction rule. Runs for each
 * log line. Three short searches for rare letters take a third of the time of the full search, so they come first.
 */
export const maySuspect = (text: string): boolean =>
  (someWord.test(text) || someToken.test(text) || someSign.test(text)) && suspect.test(text);

const someWord = /pass|pw|key|sas|auth|cred|bear|basi/i;
// All alternatives have the same length, which makes the search faster.
const someToken = /eyJ|[KS]IA|AIz|56~|a29|api/;
const someSign =
  /(?:gh[pousr]|npm|hub|ive)_|(?:pat|ox[a-z]|ypi|KEY)-|(?:sig|SIG|Sig|ure|ret|ken)=|%2[Ff]%/;

const suspect =
  /(?:bearer|basic)\s|auth|pass|pwd|(?:pw|sas)(?![a-z])|credential|(?:private|account|api|access|shared|signing|encryption|master)[._-]?key|eyJ|A[KS]IA[A-Z0-9]|gh[pousr]_|github_pat_|glpat-|xox[a-z]-|npm_[a-z0-9]|AIza|dapi[0-9a-f]|pypi-A|ya29\.|sha256~|sk_live_|KEY-----|sig=|signature=|secret=|token=|%2f%/i;

/** Returns the secrets that are recognizable by their format, in text order and without overlaps. */
export function secretForms(text: string): readonly SecretSpan[] {
  const spans = [
    ...headerValues(text),
    ...tokens(text),
    ...keyBlocks(text),
    ...encodedPasswords(text),
  ];
  return inOrder(text, spans);
}

/**
 * Returns passwords in URLs and connection strings. An `@` follows each of them, so the caller skips lines without `@`.
 */
export const addressPasswords = (text: string): readonly SecretSpan[] =>
  inOrder(text, [...userInfo(text), ...oraclePasswords(text), ...dsnPasswords(text)]);

function inOrder(text: string, all: readonly SecretSpan[]): readonly SecretSpan[] {
  const spans = all.filter(([start, end]) => start < end && !text.startsWith(redaction, start));
  const merged: [number, number][] = [];
  for (const [start, end] of spans.toSorted(([a], [b]) => a - b)) {
    const last = merged.at(-1);
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end);
    else merged.push([start, end]);
  }
  return merged;
}

// ---- Headers -----------------------------------------------------------------------------------

// Text about the scheme itself, such as "bearer authentication", is no credential.
const schemes = /\b((bearer|basic)\s+)(?!auth|credential)[A-Za-z0-9._~+/=-]{8,}/gi;

function* headerValues(text: string): Generator<SecretSpan> {
  for (const match of text.matchAll(schemes)) {
    const [all, before = "", scheme = ""] = match;
    const value = all.slice(before.length);
    // "basic statistics" is not a credential: base64 has capitals or digits.
    const isWord = scheme.toLowerCase() === "basic" && /^[a-z.-]+$/.test(value);
    if (!isWord) yield [match.index + before.length, match.index + all.length];
  }
}

// ---- Tokens ------------------------------------------------------------------------------------

/** Patterns for the part of a token after its prefix, by prefix. */
const bodies: Readonly<Record<string, RegExp>> = {
  AKIA: /[A-Z0-9]{16}(?!\w)/y,
  ASIA: /[A-Z0-9]{16}(?!\w)/y,
  ghp_: /\w{16,}/y,
  gho_: /\w{16,}/y,
  ghu_: /\w{16,}/y,
  ghs_: /\w{16,}/y,
  ghr_: /\w{16,}/y,
  github_pat_: /\w{20,}/y,
  "glpat-": /[\w.-]{16,}/y,
  // Must not match `npm_config_registry`.
  npm_: /[A-Za-z0-9]{30,}/y,
  AIza: /[\w-]{35}/y,
  // Databricks personal access token.
  dapi: /[0-9a-f]{32}(?:-\d+)?(?!\w)/y,
  "pypi-": /A[\w-]{40,}/y,
  "ya29.": /[\w-]{20,}/y,
  // OpenShift OAuth token.
  "sha256~": /[\w-]{40,}/y,
  sk_live_: /\w{16,}/y,
};
const slack = /[\w-]{10,}/y;
const beginnings =
  /eyJ|A[KS]IA|gh[pousr]_|github_pat_|glpat-|xox[a-z]-|npm_|AIza|dapi|pypi-|ya29\.|sha256~|sk_live_/g;
// A JSON Web Token (JWT) begins with an encoded JSON object. An encrypted token has five parts.
const webTokenHead = /[\w-]*/y;
const webTokenRest = /(?:\.[\w-]+){1,4}\.?/y;
// The registry credentials of a pull secret, which are base64 of `{"auths":…`.
const encodedAuths = /[\w+/-]*={0,2}/y;

function* tokens(text: string): Generator<SecretSpan> {
  beginnings.lastIndex = 0;
  let hasAccessKey = false;
  for (let found = beginnings.exec(text); found !== null; found = beginnings.exec(text)) {
    const { index } = found;
    const [beginning] = found;
    const at = beginnings.lastIndex;
    if (isWordCode(text.charCodeAt(index - 1))) continue;
    const end = beginning === "eyJ" ? webTokenEnd(text, index) : bodyEnd(text, beginning, at);
    // Continues after the scanned text even if it contains no token, so that the time is linear.
    beginnings.lastIndex = Math.max(at, Math.abs(end));
    if (end <= 0) continue;
    if (beginning === "AKIA" || beginning === "ASIA") hasAccessKey = true;
    yield [index, end];
  }
  if (hasAccessKey) yield* secretAccessKeys(text);
}

/** Returns the offset after a token's body; 0 if this is not a token. */
function bodyEnd(text: string, beginning: string, at: number): number {
  const length = lengthAt(bodies[beginning] ?? slack, text, at);
  return length === 0 ? 0 : at + length;
}

/**
 * Returns the offset after a web token. If there is no token, returns the negative offset up to which the text was
 * scanned.
 */
function webTokenEnd(text: string, at: number): number {
  if (text.startsWith("eyJhdXRo", at)) return at + lengthAt(encodedAuths, text, at);
  const head = lengthAt(webTokenHead, text, at);
  const rest = head < 8 ? 0 : lengthAt(webTokenRest, text, at + head);
  const end = at + head + rest;
  if (rest < 4) return -(at + head);
  return text[end - 1] === "." && text[end - 2] !== "." ? end - 1 : end;
}

// The secret half of an access key is recognized by its length, so it is redacted only next to an access key id. A git
// hash has the same length.
const fortyCharacters = /(?<![\w/+=.-])[A-Za-z0-9/+]{40}(?![\w/+=])/g;

function* secretAccessKeys(text: string): Generator<SecretSpan> {
  for (const { 0: key, index } of text.matchAll(fortyCharacters)) {
    if (/[a-z]/.test(key) && /[A-Z]/.test(key)) yield [index, index + key.length];
  }
}

// ---- Keys --------------------------------------------------------------------------------------

/**
 * Yields the contents of PEM private key blocks. A block without an END line extends to the end of the text. A span may
 * be empty.
 */
export function* keyBlocks(text: string): Generator<SecretSpan> {
  const head = /-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----/g;
  for (let found = head.exec(text); found !== null; found = head.exec(text)) {
    const from = head.lastIndex;
    const foot = text.indexOf("-----END ", from);
    const end = foot === -1 ? text.length : foot;
    const start = from + lengthAt(lineEnds, text, from);
    // For a BEGIN line alone, yields an empty span: the key follows in later lines.
    yield [start, start < end ? end - trailing(text, start, end) : start];
    head.lastIndex = end;
  }
}

const lineEnds = /(?:\s|\\+[rn])*/y;

function trailing(text: string, start: number, end: number): number {
  let at = end;
  while (at > start && /\s/.test(text.charAt(at - 1))) at -= 1;
  while (at > start && /[\\rn]/.test(text.charAt(at - 1)) && text[at - 2] === "\\") at -= 2;
  return end - at;
}

// ---- URLs and connection strings ----------------------------------------------------------------

/** Yields passwords in `scheme://user:password@host` and in `//user:password@host`. */
function* userInfo(text: string): Generator<SecretSpan> {
  const last = text.lastIndexOf("@");
  for (let at = text.indexOf("//"); at !== -1 && at < last; at = text.indexOf("//", at)) {
    at += 2;
    const start = at;
    let [colon, sign] = [-1, -1];
    for (; at <= last && !endsAuthority(text.charCodeAt(at)); at += 1) {
      const code = text.charCodeAt(at);
      if (code === 0x40) sign = at;
      else if (code === 0x3a && colon === -1) colon = at;
    }
    if (colon === -1 || text[start] === "[") continue;
    if (sign > colon && isPort(text, colon + 1)) continue;
    if (sign === -1 && text[at] === "/") sign = laterSign(text, colon + 1, at);
    if (colon + 1 >= sign || text.startsWith(redaction, colon + 1)) continue;
    // Skip punctuation, as in "//:#@". With a user name it may be a password.
    const isPunctuation = colon === start && !/[\p{L}\p{N}]/u.test(text.slice(colon + 1, sign));
    if (!isPunctuation) yield [colon + 1, sign];
    at = Math.max(at, sign);
  }
}

const maxPasswordLength = 256;

/**
 * Returns the offset of the `@` after a password that contains a slash. Returns -1 if only a port or nothing precedes
 * the slash, because the slash then begins the path.
 */
function laterSign(text: string, from: number, slash: number): number {
  if (from === slash || /^\d{1,5}(?:,|$)/.test(text.slice(from, slash))) return -1;
  const stop = Math.min(text.length, slash + maxPasswordLength);
  for (let at = slash; at < stop; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x40) return at;
    if (code <= 0x20 || code === 0x22 || code === 0x27) return -1;
  }
  return -1;
}

/** True if a port with parameters begins at the offset, as in `:1433;user=a@b`. */
const isPort = (text: string, at: number): boolean => lengthAt(port, text, at) > 0;
const port = /\d{1,5}[;?#]/y;

// True for a space, slash, backslash or quote.
const endsAuthority = (code: number): boolean =>
  code <= 0x20 || code === 0x2f || code === 0x5c || code === 0x22 || code === 0x27;

/** Yields passwords in `jdbc:oracle:thin:user/password@host`. */
function* oraclePasswords(text: string): Generator<SecretSpan> {
  for (const { 0: scheme, index } of text.matchAll(/jdbc:oracle:(?:thin|oci8?):/gi)) {
    const from = index + scheme.length;
    // Searching the whole text for each scheme would take quadratic time.
    const part = text.slice(from, from + lengthAt(noBlank, text, from));
    const [slash, sign] = [part.indexOf("/"), part.lastIndexOf("@")];
    if (slash !== -1 && slash < sign) yield [from + slash + 1, from + sign];
  }
}

const noBlank = /[^\s"']{0,512}/y;

/** Yields passwords in `user:password@tcp(host)`. */
function* dsnPasswords(text: string): Generator<SecretSpan> {
  for (const match of text.matchAll(
    /(?<![\w.-])[\w.-]{1,64}:([^\s@/"'=,]{1,256})@(?:tcp|unix)\(/g,
  )) {
    const end = match.index + match[0].lastIndexOf("@");
    yield [end - (match[1] ?? "").length, end];
  }
}

/** Yields passwords in percent-encoded URLs. */
function* encodedPasswords(text: string): Generator<SecretSpan> {
  for (const { index } of text.matchAll(/%2f%2f/gi)) {
    const from = index + 6;
    const part = text.slice(from, from + lengthAt(ofParameter, text, from)).toUpperCase();
    const [colon, sign] = [part.indexOf("%3A"), part.lastIndexOf("%40")];
    if (colon !== -1 && colon + 3 < sign) yield [from + colon + 3, from + sign];
  }
}

const ofParameter = /[\w%.~!$*()+-]{0,512}/y;

// ---- Helpers -----------------------------------------------------------------------------------

function lengthAt(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0].length ?? 0;
}

const isWordCode = (code: number): boolean =>
  (code >= 0x30 && code <= 0x39) ||
  (code >= 0x41 && code <= 0x5a) ||
  (code >= 0x61 && code <= 0x7a) ||
  code === 0x5f;
