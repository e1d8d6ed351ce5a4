import {
  DebugAdapterInlineImplementation,
  DebugConfigurationProviderTriggerKind,
  l10n,
  workspace,
  type DebugConfiguration,
} from "vscode";
import { DisposableStore, type Disposable } from "../../base/disposable.ts";
import { debugType } from "../ids.ts";
import { debugging } from "../ui/debugging.ts";
import { window } from "../ui/window.ts";
import type { DebugContext } from "./debugContext.ts";
import type * as debugDoor from "./door.ts";

export interface DebugOptions extends DebugContext {
  readonly loadDebug: () => Promise<typeof debugDoor>;
}

/** Registers the debug type. Loads the adapter with the first session. */
export function registerDebug({ loadDebug, ...context }: DebugOptions): Disposable {
  const owned = new DisposableStore();
  const resolve = (given: DebugConfiguration): DebugConfiguration | undefined => {
    if (!workspace.isTrusted) {
      void window.showErrorMessage(
        l10n.t("Applications can be debugged only in a trusted workspace."),
      );
      return undefined;
    }
    // Complete the configuration for F5 without a launch.json.
    return withDefaults(given);
  };
  const provider = {
    resolveDebugConfiguration: (_: unknown, given: DebugConfiguration) => resolve(given),
  };
  owned.add(debugging.registerProvider(debugType, provider));
  owned.add(
    debugging.registerProvider(
      debugType,
      { provideDebugConfigurations: () => [ofFile()] },
      DebugConfigurationProviderTriggerKind.Dynamic,
    ),
  );
  owned.add(
    debugging.registerAdapterFactory(debugType, {
      createDebugAdapterDescriptor: async (session) => {
        const { openAdapter } = await loadDebug();
        return new DebugAdapterInlineImplementation(openAdapter(session, context));
      },
    }),
  );
  return owned;
}

/** Adds defaults. Without a launch.json VS Code passes no type, request or name, only members such as `noDebug`. */
const withDefaults = (given: Partial<DebugConfiguration>): DebugConfiguration => {
  const { type, request, name } = given;
  return type || request || name ? (given as DebugConfiguration) : { ...given, ...ofFile() };
};

const ofFile = (): DebugConfiguration => ({
  type: debugType,
  request: "launch",
  name: l10n.t("Debug on Cluster"),
  program: "${file}",
  target: "driver",
});
