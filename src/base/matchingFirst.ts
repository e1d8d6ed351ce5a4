/** Returns all items, with the matching ones first. Keeps the order within both groups. */
export const matchingFirst = <T>(
  items: readonly T[],
  matches: (item: T) => boolean,
): readonly T[] => [...items.filter(matches), ...items.filter((item) => !matches(item))];
