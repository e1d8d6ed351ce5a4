/** Lets everybody else have a turn, also who waits for a time or for bytes. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

/** Gives one item after the other, and between two of them lets everybody else have a turn. */
export async function* inTurns<T>(items: Iterable<T>): AsyncGenerator<T, void, undefined> {
  let isFirst = true;
  for (const item of items) {
    if (!isFirst) await new Promise((resolve) => setImmediate(resolve));
    isFirst = false;
    yield item;
  }
}
