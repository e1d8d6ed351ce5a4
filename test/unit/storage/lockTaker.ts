// A child process that acts as a VS Code window in tests of the writer lock.
import { takeWriterLock } from "../../../src/storage/logs/writerLock.ts";
import { systemClock } from "../../../src/engine/systemClock.ts";

interface Order {
  readonly folder: string;
  /** Epoch ms at which each child process tries to take the lock. */
  readonly at: number;
}

process.on("message", (order: Order) => {
  take(order).then(
    (isTaken) => process.send?.(isTaken),
    (error: unknown) => process.send?.(String(error)),
  );
});
process.send?.("ready");

async function take({ folder, at }: Order): Promise<boolean> {
  while (Date.now() < at);
  return (await takeWriterLock(folder, systemClock)) !== undefined;
}
