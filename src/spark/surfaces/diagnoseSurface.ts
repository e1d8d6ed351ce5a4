import type { ConfDiagnostic, Diagnose } from "../conf/diagnoseConf.ts";
import { directivesIn, type SeverityChoices } from "../conf/directives.ts";
import type { SparkVersion } from "../conf/sparkVersions.ts";
import { withOwnFiles } from "./namedFiles.ts";
import type { Surface, SurfaceReader } from "./surfaces.ts";
import { versionOfDocument } from "./versionOfDocument.ts";

/**
 * What is wrong with the settings in a text. The version is that of a document which names none itself;
 * `files` are the texts of properties files by the paths that it names.
 */
export function diagnoseSurface(
  { diagnose, reader }: Judge,
  text: string,
  surface: Surface,
  version: SparkVersion,
  choices: SeverityChoices,
  files: ReadonlyMap<string, string> = new Map(),
): readonly ConfDiagnostic[] {
  const directives = directivesIn(text);
  return reader.read(text, surface).flatMap(({ at, document }) => {
    const placed = { at, document: withOwnFiles(document, files) };
    return diagnose(placed, versionOfDocument(document) ?? version, choices, directives);
  });
}

/** What is kept from one time to the next. */
export interface Judge {
  readonly diagnose: Diagnose;
  readonly reader: SurfaceReader;
}

/** As many settings as are judged in a moment. */
const fewEntries = 500;

/**
 * What takes long the first time that a text is judged, a little of it at each step: after the last one,
 * judging takes no longer than after a keystroke.
 */
export function* judgingSteps(
  { diagnose, reader }: Judge,
  text: string,
  surface: Surface,
  version: SparkVersion,
): Generator<void, void> {
  yield* reader.steps(text, surface);
  reader.read(text, surface);
  yield;
  // What the version's catalogue is made ready for takes a moment of its own.
  diagnose({ at: 0, document: { entries: [], findings: [] } }, version, new Map());
  yield;
  for (const { at, document } of reader.read(text, surface)) {
    const { entries } = document;
    const own = versionOfDocument(document) ?? version;
    if (entries.length <= fewEntries) diagnose({ at, document }, own, new Map());
    else {
      for (let first = 0; first < entries.length; first += fewEntries) {
        const part = { ...document, entries: entries.slice(first, first + fewEntries) };
        diagnose({ at, document: part }, own, new Map());
        yield;
      }
    }
    yield;
  }
}
