import { parseQuantity } from "../../quantity.ts";

/** Quantities by resource name: `cpu`, `memory`, `nvidia.com/gpu`. */
export type Quantities = Readonly<Record<string, string>>;

/** Returns the amount of a resource. Zero if the quantity is missing or invalid. */
export const amountIn = (quantities: Quantities, name: string): number =>
  parseQuantity(quantities[name] ?? "") ?? 0;

/** Formats an amount for messages. `amount`: in bytes for memory and storage, which are printed in Mi. */
export function describeAmount(resource: string, amount: number): string {
  if (/memory|storage/.test(resource)) return `${Math.floor(amount / 2 ** 20)}Mi`;
  return `${Number(amount.toFixed(3))}`;
}
