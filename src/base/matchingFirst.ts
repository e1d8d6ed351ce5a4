/** Returns all items, first the items that match. Keeps the order within both parts. */
export const matchingFirst = <T>(
  items: readonly T[],
  matches: (item: T) => boolean,
): readonly T[] => [...items.filter(matches), ...items.filter((item) => !matches(item))];
