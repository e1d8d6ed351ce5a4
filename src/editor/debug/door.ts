import {
  Disposable,
  type DebugAdapter,
  type DebugProtocolMessage,
  type DebugSession,
} from "vscode";
import { refusalIn } from "../guard.ts";
import { explainClusterError } from "../showError.ts";
import { debugging } from "../ui/debugging.ts";
import { translated } from "../ui/translated.ts";
import { hasDebugExtension, pythonDebugger } from "./chooseDebugger.ts";
import type { DebugContext, DebugScreen } from "./debugContext.ts";
import { SparkDebugAdapter } from "./sparkDebugAdapter.ts";

export function openAdapter(session: DebugSession, context: DebugContext): DebugAdapter {
  const screen: DebugScreen = {
    show: translated,
    explain: explainClusterError,
    refusalIn,
    hasExtension: hasDebugExtension,
    pythonDebugger: (definition) => pythonDebugger(definition, context),
    sessions: {
      onDidStart: debugging.onDidStart,
      onDidTerminate: debugging.onDidTerminate,
      start: (parent, configuration) =>
        debugging.start(parent.workspaceFolder, configuration, {
          parentSession: parent,
          compact: true,
          lifecycleManagedByParent: true,
        }),
    },
  };
  const adapter = new SparkDebugAdapter(session, context, screen);
  const disposable = new Disposable(() => {
    adapter.dispose();
  });
  return Object.assign(disposable, {
    onDidSendMessage: adapter.onDidSendMessage,
    handleMessage: (message: DebugProtocolMessage) => {
      adapter.handleMessage(message);
    },
  });
}
