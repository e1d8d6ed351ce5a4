import {
  LanguageModelTextPart,
  LanguageModelToolResult,
  lm,
  type CancellationToken,
  type Disposable,
} from "vscode";
import { textRules } from "./plainText.ts";

/**
 * Registers a tool for language models. `invoke`: returns the result as text for the model. `message`: shown while the
 * tool runs.
 */
export const registerLanguageTool = (
  name: string,
  message: string,
  invoke: (input: object, token: CancellationToken) => Promise<string>,
): Disposable =>
  lm.registerTool<object>(name, {
    prepareInvocation: () => ({ invocationMessage: textRules.name(message) }),
    invoke: async ({ input }, token) =>
      new LanguageModelToolResult([new LanguageModelTextPart(await invoke(input, token))]),
  });
