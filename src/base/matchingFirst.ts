/** All items: those that match first, and both parts in their order. */
export const matchingFirst = <T>(
  items: readonly T[],
  matches: (item: T) => boolean,
): readonly T[] => [...items.filter(matches), ...items.filter((item) => !matches(item))];
