import { moveDocument, type ConfDocument, type PlacedDocument } from "../conf/confDocument.ts";
import { propertiesReader } from "../conf/properties.ts";
import { codeReader } from "./codeSettings.ts";
import { commandReader } from "./commandSettings.ts";
import { withoutLongLines } from "./longLines.ts";
import { readProfileSettings } from "./profileSettings.ts";
import { manifestReader } from "./manifestSettings.ts";

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
 * Reads settings: one document for each place of a text that is read as a whole, such as a file, an application,
 * a chain of calls. Takes any text. Who reads the same texts as they change keeps what it is.
 */
export interface SurfaceReader {
  readonly read: (text: string, surface: Surface) => readonly PlacedDocument[];
  /** What takes long the first time, a little of it at each step. */
  readonly steps: (text: string, surface: Surface) => Iterable<void>;
}

export function surfaceReader(): SurfaceReader {
  const properties = propertiesReader();
  const manifests = manifestReader();
  const commands = commandReader();
  const code = codeReader(commands.read);
  return {
    read: (written, surface) => {
      const text = withoutLongLines(written);
      switch (surface) {
        case "properties":
          return [atStart(properties.read(text))];
        case "manifest":
          return [...manifests.read(text), ...commands.read(text)].map(atStart);
        case "command":
          return commands.read(text).map(atStart);
        case "python":
        case "scala":
        case "java":
          return code[surface].read(text);
        case "profiles":
          return readProfileSettings(text).map(atStart);
      }
    },
    steps: (written, surface) => {
      const text = withoutLongLines(written);
      switch (surface) {
        case "properties":
          return properties.steps(text);
        case "manifest":
          return manifests.steps(text);
        case "command":
          return commands.steps(text);
        case "python":
        case "scala":
        case "java":
          return code[surface].steps(text);
        case "profiles":
          return [];
      }
    },
  };
}

const atStart = (document: ConfDocument): PlacedDocument => ({ at: 0, document });

/** The settings in a text, with their places in it. */
export const readSurface = (text: string, surface: Surface): readonly ConfDocument[] =>
  surfaceReader().read(text, surface).map(moveDocument);
