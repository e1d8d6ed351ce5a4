import { l10n } from "vscode";
import { DisposableStore, type Disposable } from "../../base/disposable.ts";
import { registerLanguageTool } from "../ui/languageTools.ts";
import { withSignal } from "../withSignal.ts";
import { invokeTool, type AssistantOptions } from "./invokeTool.ts";
import { toolNames } from "./toolNames.ts";

/** Registers the tools for language models. A tool that changes a cluster always asks for confirmation in a dialog. */
export function registerAssistant(options: AssistantOptions): Disposable {
  const owned = new DisposableStore();
  const message = l10n.t("Asking Spark on Kubernetes");
  for (const name of toolNames) {
    owned.add(
      registerLanguageTool(name, message, (input, token) =>
        withSignal(token, (signal) => invokeTool(name, input, options, signal)),
      ),
    );
  }
  return owned;
}
