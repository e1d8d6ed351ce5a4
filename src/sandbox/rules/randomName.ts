import { randomBytes } from "node:crypto";

// The alphabet of Kubernetes: without vowels and look-alikes.
const letters = "bcdfghjklmnpqrstvwxz2456789";

/** Returns the random suffix for `generateName`. */
export const randomName = (length: number): string =>
  [...randomBytes(length)].map((byte) => letters.charAt(byte % letters.length)).join("");
