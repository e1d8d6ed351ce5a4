/**
 * Returns a flat copy of a substring. A slice keeps its whole source text in memory, so a cache of slices would retain
 * all sources.
 */
export const ownCopy = (piece: string): string => (" " + piece).slice(1);
