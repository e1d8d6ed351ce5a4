// Somebody waits. A network policy may swallow what is sent to a driver.
const answerMs = 5_000;

/** Undefined if the answer takes too long; an abort of `signal` is thrown on. */
export async function inTime<T>(
  ask: (soon: AbortSignal) => Promise<T>,
  signal: AbortSignal,
): Promise<T | undefined> {
  const soon = AbortSignal.any([signal, AbortSignal.timeout(answerMs)]);
  try {
    return await ask(soon);
  } catch (error) {
    if (signal.aborted || !soon.aborted) throw error;
    return undefined;
  }
}
