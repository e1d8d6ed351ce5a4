import type { ConfDocument } from "../conf/confDocument.ts";
import { parseProperties } from "../conf/properties.ts";
import { readCode } from "./codeSettings.ts";
import { readCommandSettings } from "./commandSettings.ts";
import { readManifestSettings } from "./manifestSettings.ts";

/** Kinds of documents that settings are written in. */
export const surfaces = ["properties", "manifest", "command", "python", "scala", "java"] as const;

export type Surface = (typeof surfaces)[number];

/**
 * The settings in a text, one document for each place that is read as a whole: a file, an application, a
 * command, a chain of calls. Takes any text.
 */
export function readSurface(text: string, surface: Surface): readonly ConfDocument[] {
  switch (surface) {
    case "properties":
      return [parseProperties(text)];
    case "manifest":
      return [...readManifestSettings(text), ...readCommandSettings(text)];
    case "command":
      return readCommandSettings(text);
    case "python":
    case "scala":
    case "java":
      return readCode(text, surface, readCommandSettings);
  }
}

/** The surface of a file by its name; undefined where settings are not looked for. */
export function surfaceOfFile(path: string): Surface | undefined {
  const name = path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
  return surfaceNames.find(([pattern]) => pattern.test(name))?.[1];
}

const surfaceNames: readonly (readonly [RegExp, Surface])[] = [
  [/^spark-defaults.*\.(?:conf|properties|template)$|^spark\.properties$/, "properties"],
  [/\.spark\.(?:conf|properties)$/, "properties"],
  [/\.ya?ml$/i, "manifest"],
  [/\.(?:sh|bash|zsh|bat|cmd|ps1|md|mk)$|^(?:GNUm|M|m)akefile$/, "command"],
  [/^(?:Docker|Container)file|\.(?:docker|container)file$/i, "command"],
  [/\.pyi?$/, "python"],
  [/\.(?:scala|sc|sbt)$/, "scala"],
  [/\.java$/, "java"],
];
