import {
  debug,
  type DebugConfiguration,
  type DebugSessionOptions,
  type WorkspaceFolder,
} from "vscode";
import { textRules } from "./plainText.ts";

/**
 * The only access to `vscode.debug`. Sanitizes the names of sessions, because they contain untrusted text, such as pod
 * names.
 */
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
