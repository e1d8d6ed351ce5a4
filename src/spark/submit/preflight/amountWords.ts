import { parseQuantity } from "../../quantity.ts";

/** Quantities by the names that Kubernetes gives them: `cpu`, `memory`, `nvidia.com/gpu`. */
export type Quantities = Readonly<Record<string, string>>;

/** Zero for what is not there or no quantity. */
export const amountIn = (quantities: Quantities, name: string): number =>
  parseQuantity(quantities[name] ?? "") ?? 0;

/** An amount as a person reads it. */
export function describeAmount(resource: string, amount: number): string {
  if (/memory|storage/.test(resource)) return `${Math.floor(amount / 2 ** 20)}Mi`;
  return `${Number(amount.toFixed(3))}`;
}
