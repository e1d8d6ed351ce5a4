import { inspect } from "node:util";
import { setTimeout as sleep } from "node:timers/promises";

/** Reads again and again until what is read is right; says what it saw last when that takes too long. */
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

/** Whether what may fail, as a click on what may be gone, did not. */
export const attempt = (action: Promise<void>): Promise<boolean> =>
  action.then(
    () => true,
    () => false,
  );
