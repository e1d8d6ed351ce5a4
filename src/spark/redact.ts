import { msg, type Message } from "../base/message.ts";
import { compileJava } from "./javaPattern.ts";

/** The text that Spark itself shows in place of a secret. */
export const redaction = "*********(redacted)";

/** Returns the replacement of a secret. It starts with `redaction`. */
export type Mask = (secret: string) => string;

export const plainMask: Mask = () => redaction;

/**
 * Returns a mask that numbers secrets in order of appearance. Texts with the same mask show which secrets are equal,
 * and nothing else. `secrets`: receives each secret once, the first at index 0. The mask keeps the secrets in memory,
 * so discard it together with the texts.
 */
export function numberedMask(secrets: string[] = []): Mask {
  const numbers = new Map<string, number>();
  let counted = 0;
  return (secret) => {
    // The caller may add secrets to the list.
    for (; counted < secrets.length; counted += 1) {
      const known = secrets[counted];
      if (known !== undefined && !numbers.has(known)) numbers.set(known, counted + 1);
    }
    const number = numbers.get(secret) ?? secrets.push(secret);
    return `${redaction}#${number}`;
  };
}

/** True if the whole text is a replacement for a secret. */
export const isMask = (text: string): boolean => /^\*{9}\(redacted\)(?:#\d+)?$/.test(text);

/** A redaction rule. Returns true for text that counts as secret and must not be shown. */
export interface IsSecret {
  (text: string): boolean;
  /** The reason, for the user, why all text counts as secret; undefined normally. */
  readonly problem?: Message;
}

/** Spark 4's default; an application may set its own pattern. */
export const defaultSecretPattern = /secret|password|token|access[.]?key|credential/i;

/** The default rule for text that belongs to no application: errors, notices and stored state. */
export const defaultSecretRule: IsSecret = (text) => defaultSecretPattern.test(text);

/**
 * Returns Spark's rule: a key or value that matches the pattern is secret. `own`: `spark.redaction.regex`, which is
 * untrusted. If it cannot be matched in linear time, all values count as secret.
 */
export function secretRule(own: string | undefined, defaultPattern: RegExp): IsSecret {
  const byDefault: IsSecret = (text) => defaultPattern.test(text);
  // A conf that sets Spark's own default needs no compilation of a Java pattern.
  if (own === undefined || own === `(?i)${defaultPattern.source}`) return byDefault;
  const compiled = compileJava(own);
  if (compiled.ok) return (text) => compiled.value.test(text);
  const problem = msg`All values are hidden, because spark.redaction.regex cannot be used: ${compiled.error}.`;
  return Object.assign(() => true, { problem });
}
