/** Gives one item after the other, and between two of them lets everybody else have a turn. */
export async function* inTurns<T>(items: Iterable<T>): AsyncGenerator<T, void, undefined> {
  let isFirst = true;
  for (const item of items) {
    if (!isFirst) await new Promise((resolve) => setImmediate(resolve));
    isFirst = false;
    yield item;
  }
}
