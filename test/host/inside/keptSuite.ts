import assert from "node:assert/strict";
import * as vscode from "vscode";
import { windowScreen } from "../../../src/editor/windowScreen.ts";
import { keptDocument } from "../../../src/editor/logs/openDocuments.ts";
import type { LogsContext } from "../../../src/editor/logs/logsContext.ts";
import type { KeptLog, KeptLogs } from "../../../src/engine/ports/logs.ts";
import { until, type Suite } from "./runSuite.ts";

const log: KeptLog = {
  ...({} as KeptLog),
  ...{ uid: "0a1b2c3d", application: "orders", source: "driver" },
};

export const keptSuite: Suite = {
  "whoever opens a kept log sees that it is read, and can give it up": async () => {
    let given: AbortSignal | undefined;
    // Yields one batch and then waits until the read is aborted.
    const kept: KeptLogs = {
      ...({} as KeptLogs),
      read: async function* (_log, signal) {
        given = signal;
        yield [{ timestamp: "", text: "one" }];
        await new Promise<void>((resolve) => {
          signal.addEventListener("abort", () => {
            resolve();
          });
        });
        signal.throwIfAborted();
      },
    };
    const disk = { kept, save: () => Promise.resolve() };
    const context = {
      ...({} as LogsContext),
      screen: windowScreen,
      loadLogDisk: () => Promise.resolve(disk),
    };
    const opened = keptDocument(context, log);
    const refused = assert.rejects(Promise.resolve(opened), { name: "AbortError" });
    const signal = await until("a reader", () => given);
    await until("an end of the reading", () => {
      // The only button of a progress notification is Cancel.
      void vscode.commands.executeCommand("notification.acceptPrimaryAction");
      return signal.aborted || undefined;
    });
    await refused;
  },
};
