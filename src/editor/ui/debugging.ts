import {
  debug,
  type DebugConfiguration,
  type DebugSessionOptions,
  type WorkspaceFolder,
} from "vscode";
import { textRules } from "./plainText.ts";

/** As `vscode.debug`; the names of sessions are data. */
export const debugging = {
  registerProvider: debug.registerDebugConfigurationProvider.bind(debug),
  registerAdapterFactory: debug.registerDebugAdapterDescriptorFactory.bind(debug),
  onDidStart: debug.onDidStartDebugSession,
  onDidTerminate: debug.onDidTerminateDebugSession,
  start: (
    folder: WorkspaceFolder | undefined,
    configuration: DebugConfiguration,
    options: DebugSessionOptions = {},
  ): Thenable<boolean> =>
    debug.startDebugging(
      folder,
      { ...configuration, name: textRules.name(configuration.name) },
      options,
    ),
};
