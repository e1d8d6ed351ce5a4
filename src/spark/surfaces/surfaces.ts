import type { ConfDocument } from "../conf/parse/confDocument.ts";
import { parseProperties } from "../conf/parse/properties.ts";
import { readCode } from "./codeSettings.ts";
import { readCommandSettings } from "./commandSettings.ts";
import { withoutLongLines } from "./longLines.ts";
import { readManifest } from "./manifestSettings.ts";
import { readProfiles } from "./profileSettings.ts";

/** Kinds of documents that contain Spark settings. */
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
 * Reads the settings in a text: one document for each unit that Spark reads as a whole, such as a file, an application
 * or a chain of calls. Accepts any text.
 */
export function readSurface(written: string, surface: Surface): readonly ConfDocument[] {
  const text = withoutLongLines(written);
  switch (surface) {
    case "properties":
      return [parseProperties(text)];
    case "manifest":
      return [...readManifest(text), ...readCommandSettings(text)];
    case "command":
      return readCommandSettings(text);
    case "python":
    case "scala":
    case "java":
      return readCode(text, surface, readCommandSettings);
    case "profiles":
      return readProfiles(text);
  }
}
