import { isSparkConf } from "../conf/parse/isSparkConf.ts";
import { fileName } from "../fileName.ts";
import type { Surface } from "./surfaces.ts";

/** Returns the surface of a file by its name; undefined for files without settings. */
export function surfaceOfFile(path: string): Surface | undefined {
  const name = fileName(path);
  return surfaceNames.find(([pattern]) => pattern.test(name))?.[1];
}

/** As `surfaceOfFile`, but recognizes properties files with another name, such as `team.conf`, by their settings. */
export const surfaceOfText = (path: string, text: string): Surface | undefined =>
  surfaceOfFile(path) ?? (isPlain(path) && isSparkConf(text) ? "properties" : undefined);

const isPlain = (path: string): boolean => /\.(?:conf|properties|ini|cfg|txt)$/i.test(path);

const surfaceNames: readonly (readonly [RegExp, Surface])[] = [
  [/^spark-defaults.*\.(?:conf|properties|template)$|^spark\.properties$/, "properties"],
  [/\.spark\.(?:conf|properties)$/, "properties"],
  [/\.ya?ml$/i, "manifest"],
  [/\.(?:sh|bash|zsh|bat|cmd|ps1|md|mk)$|^(?:GNUm|M|m)akefile$/, "command"],
  [/^(?:Docker|Container)file|\.(?:docker|container)file$/i, "command"],
  [/\.pyi?$/, "python"],
  [/\.(?:scala|sc|sbt)$/, "scala"],
  [/\.java$/, "java"],
  [/^tasks\.json$|\.code-workspace$/, "profiles"],
];
