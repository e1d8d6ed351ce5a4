import { extensions, type Uri } from "vscode";
import { fieldAt, textAt } from "../../base/json.ts";
import { sessionPython } from "../settings.ts";

const pythonExtension = "ms-python.python";

/**
 * Returns the Python interpreter in this extension's setting, else the one selected in the Python extension, else
 * `otherwise`.
 */
export async function choosePython(document: Uri, otherwise: string): Promise<string> {
  return sessionPython() ?? (await chosenInterpreter(document)) ?? otherwise;
}

/**
 * Returns the interpreter that is selected in the Python extension. Undefined without the extension, and if a result of
 * its API differs from the documentation.
 */
async function chosenInterpreter(document: Uri): Promise<string | undefined> {
  const extension = extensions.getExtension<unknown>(pythonExtension);
  if (extension === undefined) return undefined;
  try {
    const environments = fieldAt(await extension.activate(), "environments");
    const chosen = await call(environments, "getActiveEnvironmentPath", document);
    const resolved = await call(environments, "resolveEnvironment", chosen);
    return textAt(fieldAt(fieldAt(resolved, "executable"), "uri"), "fsPath");
  } catch {
    return undefined;
  }
}

/** Calls a method of another extension's API. In practice, the result is a promise. */
function call(owner: unknown, name: string, argument: unknown): unknown {
  if (typeof owner !== "object" || owner === null) return undefined;
  const method: unknown = Reflect.get(owner, name);
  return isFunction(method) ? Reflect.apply(method, owner, [argument]) : undefined;
}

const isFunction = (value: unknown): value is (argument: unknown) => unknown =>
  typeof value === "function";
