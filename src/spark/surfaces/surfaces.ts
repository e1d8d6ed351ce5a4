import { moveSpan, type Span } from "../../base/span.ts";
import { moveDocument, type ConfDocument, type PlacedDocument } from "../conf/confDocument.ts";
import { propertiesReader } from "../conf/properties.ts";
import { codeReader } from "./codeSettings.ts";
import { commandReader } from "./commandSettings.ts";
import { withoutLongLines } from "./longLines.ts";
import { profileReader } from "./profileSettings.ts";
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
  /** Where commands stand that can be read whole. */
  readonly wholeCommands: (text: string) => readonly Span[];
}

export function surfaceReader(): SurfaceReader {
  const properties = propertiesReader();
  const manifests = manifestReader();
  const commands = commandReader();
  const profiles = profileReader();
  const code = codeReader((text) => commands.read(text).map(moveDocument));
  const read = (written: string, surface: Surface): readonly PlacedDocument[] => {
    const text = withoutLongLines(written);
    switch (surface) {
      case "properties":
        return [atStart(properties.read(text))];
      case "manifest":
        return [...manifests.read(text), ...commands.read(text)];
      case "command":
        return commands.read(text);
      case "python":
      case "scala":
      case "java":
        return code[surface].read(text);
      case "profiles":
        return profiles(text);
    }
  };
  return {
    read: lastRemembered(read),
    wholeCommands: (text) =>
      commands.wholes(withoutLongLines(text)).map(({ at, whole }) => moveSpan(whole.span, at)),
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

// One change of a text makes several things ask what stands in it.
function lastRemembered(read: SurfaceReader["read"]): SurfaceReader["read"] {
  const last = new Map<
    Surface,
    { readonly text: string; readonly read: ReturnType<typeof read> }
  >();
  return (text, surface) => {
    const before = last.get(surface);
    if (before?.text === text) return before.read;
    const found = read(text, surface);
    last.set(surface, { text, read: found });
    return found;
  };
}

const atStart = (document: ConfDocument): PlacedDocument => ({ at: 0, document });

/** The settings in a text, with their places in it. */
export type ReadSurface = (text: string, surface: Surface) => readonly ConfDocument[];

export const settingsReader =
  (reader: SurfaceReader): ReadSurface =>
  (text, surface) =>
    reader.read(text, surface).map(moveDocument);
