/**
 * The same characters, for keeping. A piece that is cut from a text keeps the whole of it in memory, so a cache
 * of pieces would hold each text that they ever came from.
 */
export const ownCopy = (piece: string): string => (" " + piece).slice(1);
