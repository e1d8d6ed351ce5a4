import type { IsSecret } from "./redact.ts";

/**
 * True if a name (conf key, variable, option, field) suggests a secret value, by the application's rule or by an
 * unambiguous word. The word must be a whole part of the name: `DB_PASS` and `dbPass` match, `bypass` does not.
 */
export const namesSecret = (name: string, isSecret: IsSecret): boolean =>
  isSecret(name) || meansSecret(name);

/** Like `namesSecret`, but checks only for unambiguous words, independent of the application's rule. */
export const meansSecret = (name: string): boolean =>
  // These variables contain working directories of a shell.
  name !== "PWD" &&
  name !== "OLDPWD" &&
  (wordIn.test(name) || humpIn.test(name) || keyIn.test(name)) &&
  !plainEnd.test(name);

/**
 * True if a value is not secret although its name means a secret: a switch, a small number, a directory. Values matched
 * by the application's rule are always secret.
 */
export const isPlainValue = (name: string, value: string): boolean =>
  /^(?:\d{1,3}|true|false|null|none|yes|no|on|off)$/i.test(value) ||
  (value.startsWith("/") && /pwd$/i.test(name));

/** True for a reference that is resolved elsewhere: `${env:PASSWORD}`, `$(PASSWORD)`, `{{ password }}`. */
export const isReference = (value: string): boolean =>
  /^(?:\$\{[^{}]*\}|\$\(\w+\)|\{\{[^{}]*\}\})$/.test(value);

const wordIn =
  /(?:^|[^A-Za-z])(?:(?:db|pg|my|mysql|sql|user|admin|root|smtp|ldap|redis|mail|proxy|jdbc|key|store)?(?:pass|pwd?)|sas)(?![A-Za-z])|passwd|passphrase|credential/i;
const humpIn = /[a-z0-9](?:Pass|Pwd|Sas)(?![a-z])/;
const keyIn =
  /(?:private|account|api|access|shared|signing|encryption|master)[._-]?keys?(?![a-z])|(?:Private|Account|Api|API|Access|Shared|Signing|Encryption|Master)Key(?![a-z])/i;
// Endings of names in which these words mean a file, a switch or a number.
const plainEnd =
  /(?:pass[._-]?(?:through|thru|count|rate|number|index|id)|(?:key|pass|passphrase|passwd|pwd|sas)[._-]?(?:file|path|dir|home|name|enabled|size|length|type|algorithm|provider|alias|version|url|ref))$|private[._-]?key[._-]?id$/i;

/** Fast pre-check: returns false only if `meansSecret` is false for every name in the text. */
export const mayMeanSecret = (text: string): boolean => anyWord.test(text);

const anyWord =
  /pass|pwd|(?:pw|sas)(?![a-z])|credential|(?:private|account|api|access|shared|signing|encryption|master)[._-]?key/i;
