import { randomBytes } from "node:crypto";

// Without vowels and look-alikes, as Kubernetes makes them.
const letters = "bcdfghjklmnpqrstvwxz2456789";

/** What is put behind `generateName`. */
export const randomName = (length: number): string =>
  [...randomBytes(length)].map((byte) => letters.charAt(byte % letters.length)).join("");
