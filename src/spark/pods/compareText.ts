/** Orders names and API timestamps, which all have one format. */
export const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
