import type { Connection } from "../../engine/ports/connection.ts";
import { start } from "../../engine/running.ts";
import type { DescribeContext } from "./subjects.ts";

interface UpdatedDocuments {
  /** The application's key. */
  readonly key: string;
  readonly paths: readonly string[];
  readonly everyMs: number;
  /** Resolves when the next read must start at once; otherwise stays pending. Stops listening when `signal` aborts. */
  readonly sooner?: (signal: AbortSignal) => Promise<void>;
}

/**
 * Calls `read` every `everyMs` while one of the documents is visible. Ends when all are closed, or when `read` resolves
 * with "ended". `read` may resolve with a longer pause before the next read, in ms.
 */
export function updateWhileVisible(
  { session, documents, updates, clock, log }: DescribeContext,
  { key, paths, everyMs, sooner }: UpdatedDocuments,
  read: (connection: Connection, signal: AbortSignal) => Promise<number | "ended" | undefined>,
): void {
  const running = updates.add(
    start(async (signal) => {
      let pauseMs = everyMs;
      for (;;) {
        const waits = new AbortController();
        const within = AbortSignal.any([signal, waits.signal]);
        const wait = [
          clock.sleep(pauseMs, within),
          ...(sooner === undefined ? [] : [sooner(within)]),
        ];
        await Promise.race(wait).finally(() => {
          waits.abort();
        });
        if (!paths.some((path) => documents.isOpen(path))) break;
        const connection = session.connectionOf(key);
        const isVisible = paths.some((path) => documents.isVisible(path));
        if (connection === undefined || !isVisible) continue;
        const next = await read(connection, signal);
        if (next === "ended") break;
        pauseMs = Math.max(everyMs, next ?? 0);
      }
    }),
  );
  running.done
    .finally(() => {
      updates.remove(running);
    })
    .catch(log.error);
}
