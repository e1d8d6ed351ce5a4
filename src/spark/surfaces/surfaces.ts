import type { ConfDocument } from "../conf/confDocument.ts";
import { parseProperties } from "../conf/properties.ts";
import { readCode } from "./codeSettings.ts";
import { readCommandSettings } from "./commandSettings.ts";
import { withoutLongLines } from "./longLines.ts";
import { readProfileSettings } from "./profileSettings.ts";
import { readManifestSettings } from "./manifestSettings.ts";

/** Kinds of documents that settings are written in. */
export const surfaces = [
  "properties",
  "manifest",
  "command",
  "python",
  "scala",
  "java",
  "profiles",
] as const;

export type Surface = (typeof surfaces)[number];

/**
 * The settings in a text, one document for each place that is read as a whole: a file, an application, a
 * command, a chain of calls. Takes any text.
 */
export function readSurface(written: string, surface: Surface): readonly ConfDocument[] {
  const text = withoutLongLines(written);
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
    case "profiles":
      return readProfileSettings(text);
  }
}
