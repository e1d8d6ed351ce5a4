// A window of its own, for a test of who may write.
import { takeWriterLock } from "../../../src/storage/logs/writerLock.ts";
import { systemClock } from "../../../src/engine/systemClock.ts";

interface Order {
  readonly folder: string;
  /** When to try, so that several do at once. */
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
