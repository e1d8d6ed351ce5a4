/** Much shorter than a frame of the screen, as a step may take as long, and whoever else waits shall not notice. */
const sliceMs = 4;

/** Goes through the steps with breaks in between, unless nobody wants the rest any more. */
export async function inSlices(steps: Iterable<void>, isOver: () => boolean): Promise<void> {
  const iterator = steps[Symbol.iterator]();
  let since = performance.now();
  while (iterator.next().done !== true) {
    if (performance.now() - since < sliceMs) continue;
    await new Promise((resolve) => setTimeout(resolve, 0));
    if (isOver()) return;
    since = performance.now();
  }
}
