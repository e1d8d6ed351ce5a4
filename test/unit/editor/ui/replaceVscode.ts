import { registerHooks } from "node:module";

/** Resolves later imports of `vscode`, which exists only inside VS Code, to `stubVscode.ts`. */
export const replaceVscode = (): void => {
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === "vscode"
        ? { url: new URL("stubVscode.ts", import.meta.url).href, shortCircuit: true }
        : next(specifier, context),
  });
};
