/** Compares names or API timestamps by code unit. API timestamps all have the same format. */
export const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
