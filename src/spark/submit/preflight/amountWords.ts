import { parseQuantity } from "../../quantity.ts";

/** Quantities by resource name: `cpu`, `memory`, `nvidia.com/gpu`. */
export type Quantities = Readonly<Record<string, string>>;

/** Zero for a missing or invalid quantity. */
export const amountIn = (quantities: Quantities, name: string): number =>
  parseQuantity(quantities[name] ?? "") ?? 0;

/** An amount with its unit, for messages. */
export function describeAmount(resource: string, amount: number): string {
  if (/memory|storage/.test(resource)) return `${Math.floor(amount / 2 ** 20)}Mi`;
  return `${Number(amount.toFixed(3))}`;
}
