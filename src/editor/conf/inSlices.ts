/** Shorter than a frame of the screen, so that whoever else waits for this thread does not notice. */
const sliceMs = 8;

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
