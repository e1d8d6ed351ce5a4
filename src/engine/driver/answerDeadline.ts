// Short, because a user waits. If a network policy drops the packets to a driver, the error arrives late or never.
const answerMs = 5_000;

/** Returns the result of `ask`; undefined without an answer within `ms`, by default 5 s. Throws if `signal` aborts. */
export async function withinAnswerDeadline<T>(
  ask: (soon: AbortSignal) => Promise<T>,
  signal: AbortSignal,
  ms = answerMs,
): Promise<T | undefined> {
  const soon = AbortSignal.any([signal, AbortSignal.timeout(ms)]);
  try {
    return await ask(soon);
  } catch (error) {
    if (signal.aborted || !soon.aborted) throw error;
    return undefined;
  }
}
