// The suites for the browser's extension host, in which only conf help is active.
import { confSuite } from "./confSuite.ts";
import { runSuite, type Suite } from "./runSuite.ts";

const placeSuite: Suite = {
  "it runs in a worker of the browser": () =>
    "WorkerGlobalScope" in globalThis
      ? Promise.resolve()
      : Promise.reject(new Error("it runs somewhere else")),
};

export const run = (): Promise<void> => runSuite({ ...placeSuite, ...confSuite });
