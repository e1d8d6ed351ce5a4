import { executorIdLabel } from "../labels.ts";
import type { PodRecord } from "./podRecord.ts";

/**
 * Returns the executor id. Undefined if the label is missing, contains the placeholder of a pod template, or is not a
 * 64-bit integer.
 */
export function executorIdOf(pod: PodRecord): number | undefined {
  const label = pod.labels[executorIdLabel];
  const plain = readPlainId(label);
  if (plain !== undefined) return plain;
  const id = readExecutorId(label);
  return id === undefined ? undefined : Number(id);
}

// Fast path for ids of at most 15 digits: it runs on each change of each pod.
function readPlainId(label: string | undefined): number | undefined {
  if (label === undefined || label === "" || label.length > 15) return undefined;
  let id = 0;
  for (let at = 0; at < label.length; at += 1) {
    const digit = label.charCodeAt(at) - 0x30;
    if (digit < 0 || digit > 9) return undefined;
    id = id * 10 + digit;
  }
  return id;
}

/** Parses like Java's Long.parseLong: an optional sign and decimal digits of any script. Undefined for other text. */
export function readExecutorId(label: string | undefined): bigint | undefined {
  const match = label === undefined ? null : /^([+-]?)(\p{Nd}+)$/u.exec(label);
  if (match === null) return undefined;
  const [, sign = "", digits = ""] = match;
  const each = Array.from(digits);
  // Java checks UTF-16 code units. Digits outside the Basic Multilingual Plane have two, so Java rejects them.
  if (each.some((digit) => digit.length > 1)) return undefined;
  const id = BigInt(sign === "-" ? -1 : 1) * BigInt(each.map(digitOf).join(""));
  return BigInt.asIntN(64, id) === id ? id : undefined;
}

// The digits of a script are contiguous, starting with zero.
function digitOf(digit: string): number {
  let zero = digit.charCodeAt(0);
  while (/\p{Nd}/u.test(String.fromCharCode(zero - 1))) zero -= 1;
  return digit.charCodeAt(0) - zero;
}
