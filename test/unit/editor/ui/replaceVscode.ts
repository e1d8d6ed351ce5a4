import { registerHooks } from "node:module";

/** Gives later imports the recorder of `stubVscode.ts` for the module "vscode", which exists only in VS Code. */
export const replaceVscode = (): void => {
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === "vscode"
        ? { url: new URL("stubVscode.ts", import.meta.url).href, shortCircuit: true }
        : next(specifier, context),
  });
};
