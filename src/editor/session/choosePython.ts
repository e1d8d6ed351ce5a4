import { extensions, type Uri } from "vscode";
import { fieldAt, textAt } from "../../base/json.ts";
import { sessionPython } from "../settings.ts";

const pythonExtension = "ms-python.python";

/** The user's interpreter: by our setting, else as chosen in the Python extension, else `otherwise`. */
export async function choosePython(document: Uri, otherwise: string): Promise<string> {
  return sessionPython() ?? (await chosenInterpreter(document)) ?? otherwise;
}

/** Another extension's API is untrusted: undefined if it is not as documented. */
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

/** A promise, in practice. */
function call(owner: unknown, name: string, argument: unknown): unknown {
  if (typeof owner !== "object" || owner === null) return undefined;
  const method: unknown = Reflect.get(owner, name);
  return isFunction(method) ? Reflect.apply(method, owner, [argument]) : undefined;
}

const isFunction = (value: unknown): value is (argument: unknown) => unknown =>
  typeof value === "function";
