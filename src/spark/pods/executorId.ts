import { executorIdLabel } from "../labels.ts";
import type { PodRecord } from "./podRecord.ts";

/**
 * The number under which Spark knows the executor. Undefined where the label is missing, still holds the
 * placeholder of a pod template, or is nothing that Spark could read as a 64-bit number.
 */
export function executorIdOf(pod: PodRecord): number | undefined {
  const label = pod.labels[executorIdLabel];
  const plain = readPlainId(label);
  if (plain !== undefined) return plain;
  const id = readExecutorId(label);
  return id === undefined ? undefined : Number(id);
}

// What Spark itself writes, and asked of each pod with each of its changes; below 2^53.
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

/** As Java reads a long: a sign, and decimal digits of any script. */
export function readExecutorId(label: string | undefined): bigint | undefined {
  const match = label === undefined ? null : /^([+-]?)(\p{Nd}+)$/u.exec(label);
  if (match === null) return undefined;
  const [, sign = "", digits = ""] = match;
  const each = Array.from(digits);
  // Java looks at UTF-16 units, of which digits beyond the basic plane have two.
  if (each.some((digit) => digit.length > 1)) return undefined;
  const id = BigInt(sign === "-" ? -1 : 1) * BigInt(each.map(digitOf).join(""));
  return BigInt.asIntN(64, id) === id ? id : undefined;
}

// The digits of a script stand in a row, its zero first.
function digitOf(digit: string): number {
  let zero = digit.charCodeAt(0);
  while (/\p{Nd}/u.test(String.fromCharCode(zero - 1))) zero -= 1;
  return digit.charCodeAt(0) - zero;
}
