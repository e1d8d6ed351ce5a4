import type { TestContext } from "node:test";

/** Sets the local time zone until the end of a test. */
export function inZone(t: TestContext, zone: string): void {
  const { TZ: before } = process.env;
  process.env["TZ"] = zone;
  t.after(() => {
    if (before === undefined) delete process.env["TZ"];
    else process.env["TZ"] = before;
  });
}
