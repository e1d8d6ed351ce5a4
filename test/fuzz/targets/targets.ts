import type { FuzzTarget } from "../target.ts";
import { confTargets } from "./confTargets.ts";
import { logTargets } from "./logTargets.ts";
import { submitTargets } from "./submitTargets.ts";
import { wireTargets } from "./wireTargets.ts";

const targets: readonly FuzzTarget[] = [
  ...confTargets,
  ...submitTargets,
  ...logTargets,
  ...wireTargets,
];

export const targetNames: readonly string[] = targets.map(({ name }) => name);

export function targetNamed(name: string): FuzzTarget {
  const target = targets.find((one) => one.name === name);
  if (target === undefined) {
    throw new Error(`There is no fuzz target "${name}". There are: ${targetNames.join(", ")}.`);
  }
  return target;
}
