/** For times, which the API writes all alike so that they sort as text, and for names. */
export const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
