/**
 * Returns a copy of a substring that shares no memory with its source. A slice keeps its whole source string in memory,
 * so a cache of slices would retain all sources.
 */
export const ownCopy = (piece: string): string => (" " + piece).slice(1);
