import { textOf } from "../../base/json.ts";

const folderVariable = /^\$\{workspaceFolder(?::[^}]{1,200})?\}\//;

/** True if the definition of a run names the file as its program or as its properties file. */
export const namesFile = (
  definition: Readonly<Record<string, unknown>>,
  { path }: { readonly path: string },
): boolean =>
  ["application", "propertiesFile"].some((member) => {
    const named = textOf(definition[member])?.replace(folderVariable, "").replace(/^\.\//, "");
    return (
      named !== undefined &&
      named !== "" &&
      (named.startsWith("/") ? path === named : path.endsWith(`/${named}`))
    );
  });
