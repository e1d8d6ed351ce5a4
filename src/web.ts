import type { ExtensionContext } from "vscode";
import { DisposableStore } from "./base/disposable.ts";
import * as conf from "./editor/conf/door.ts";
import { registerConf } from "./editor/conf/registerConf.ts";
import { ReadOnlyDocuments } from "./editor/readOnlyDocuments.ts";
import { lazyLog } from "./editor/log.ts";
import { registerCommands } from "./editor/registerCommands.ts";

/** Registers help for conf documents. The web extension has no access to a cluster. */
export function activate(context: ExtensionContext): void {
  const root = new DisposableStore();
  context.subscriptions.push(root);
  const log = root.add(lazyLog());
  const documents = root.add(new ReadOnlyDocuments());
  const none = (): Promise<undefined> => Promise.resolve(undefined);
  const { handlers } = root.add(
    registerConf(
      () => Promise.resolve(conf),
      {
        documents,
        readDefaults: none,
        namesInCluster: none,
        canSubmit: false,
        memory: context.workspaceState,
      },
      log,
    ),
  );
  root.add(registerCommands(handlers, log));
}
