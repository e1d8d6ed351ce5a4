import { inspect } from "node:util";
import { setTimeout as sleep } from "node:timers/promises";

/** Polls until the value is right; the error of a timeout shows the last value. */
export async function eventually<T>(
  what: string,
  read: () => Promise<T>,
  isRight: (seen: T) => boolean,
  timeoutMs = 20_000,
): Promise<T> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    const seen = await read();
    if (isRight(seen)) return seen;
    if (performance.now() > end) {
      throw new Error(`${what} did not come in ${timeoutMs} ms; last seen: ${inspect(seen)}`);
    }
    await sleep(100);
  }
}

/** False if the action failed, such as a click on an element that has disappeared. */
export const attempt = (action: Promise<void>): Promise<boolean> =>
  action.then(
    () => true,
    () => false,
  );
