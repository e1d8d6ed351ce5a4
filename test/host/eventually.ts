import { inspect } from "node:util";
import { setTimeout as sleep } from "node:timers/promises";

/** Polls every 100 ms until `isRight` accepts the value. Throws after the timeout, with the last value. */
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

/** Resolves to false if the action fails, for example a click on an element that has disappeared. */
export const attempt = (action: Promise<void>): Promise<boolean> =>
  action.then(
    () => true,
    () => false,
  );
