// The suites for an extension host with Node: on a server, and in the desktop build.
import { confSuite } from "./confSuite.ts";
import { followSuite } from "./followSuite.ts";
import { keptSuite } from "./keptSuite.ts";
import { loadedBundles } from "./loadedBundles.ts";
import { manifestSuite } from "./manifestSuite.ts";
import { matcherSuite } from "./matcherSuite.ts";
import { traceSuite } from "./traceSuite.ts";
import { runSuite, until, type Suite } from "./runSuite.ts";

/** Tests that conf help, a lazy bundle, loads with the first conf file, which `confSuite` opens. */
const doorSuite: Suite = {
  "a conf file opens the door of conf help": async () => {
    await until("conf.cjs", () => loadedBundles().find((name) => name === "conf.cjs"));
  },
};

export const run = (): Promise<void> =>
  runSuite({
    ...manifestSuite,
    ...confSuite,
    ...doorSuite,
    ...matcherSuite,
    ...traceSuite,
    ...followSuite,
    ...keptSuite,
  });
