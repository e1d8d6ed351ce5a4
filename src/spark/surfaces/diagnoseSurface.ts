import type { ConfDiagnostic, Diagnoser } from "../conf/diagnoseConf.ts";
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
  { diagnoser, reader }: Judge,
  text: string,
  surface: Surface,
  version: SparkVersion,
  choices: SeverityChoices,
  files: ReadonlyMap<string, string> = new Map(),
): readonly ConfDiagnostic[] {
  const directives = directivesIn(text);
  return reader.read(text, surface).flatMap(({ at, document }) => {
    const placed = { at, document: withOwnFiles(document, files) };
    return diagnoser.diagnose(placed, versionOfDocument(document) ?? version, choices, directives);
  });
}

/** What is kept from one time to the next. */
export interface Judge {
  readonly diagnoser: Diagnoser;
  readonly reader: SurfaceReader;
}

/**
 * What takes long the first time that a text is judged, a little of it at each step: after the last one,
 * judging takes no longer than after a keystroke.
 */
export function* judgingSteps(
  { diagnoser, reader }: Judge,
  text: string,
  surface: Surface,
  version: SparkVersion,
): Generator<void, void> {
  yield* reader.steps(text, surface);
  const documents = reader.read(text, surface);
  yield;
  for (const { document } of documents) {
    yield* diagnoser.steps(document, versionOfDocument(document) ?? version);
    yield;
  }
}
