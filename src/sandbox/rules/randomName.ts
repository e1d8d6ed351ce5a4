import { randomBytes } from "node:crypto";

// The alphabet of Kubernetes for generated names: no vowels and no look-alike characters.
const letters = "bcdfghjklmnpqrstvwxz2456789";

/** Returns a random suffix of `length` characters for `generateName`. */
export const randomName = (length: number): string =>
  [...randomBytes(length)].map((byte) => letters.charAt(byte % letters.length)).join("");
