import type { SparkVersion } from "../conf/catalogue/sparkVersions.ts";
import type { ConfDiagnostic, Diagnoser } from "../conf/lint/diagnoseConf.ts";
import { directivesIn, type SeverityChoices } from "../conf/parse/directives.ts";
import { withOwnFiles } from "./namedFiles.ts";
import { readSurface, type Surface } from "./surfaces.ts";
import { versionOfDocument } from "./versionOfDocument.ts";

type Arguments = readonly [
  diagnose: Diagnoser,
  text: string,
  surface: Surface,
  version: SparkVersion,
  choices: SeverityChoices,
  files?: ReadonlyMap<string, string>,
];

/**
 * Diagnoses all settings of a text. `version` applies to documents that name no Spark version. `files`: the contents of
 * the files that the text names, by path.
 */
export function diagnoseSurface(...input: Arguments): readonly ConfDiagnostic[] {
  const steps = diagnosing(...input);
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}

/** The number of documents between two pauses. A long program has thousands; this many take a few milliseconds. */
const documentsPerStep = 500;

/** As `diagnoseSurface`, with pauses in which the caller can yield to the event loop. */
export function* diagnosing(
  ...[diagnose, text, surface, version, choices, files = new Map()]: Arguments
): Generator<undefined, readonly ConfDiagnostic[]> {
  const documents = readSurface(text, surface);
  const directives = directivesIn(text);
  const found: ConfDiagnostic[] = [];
  for (const [index, document] of documents.entries()) {
    if (index % documentsPerStep === 0) yield;
    const own = versionOfDocument(document) ?? version;
    for (const one of diagnose(withOwnFiles(document, files), own, choices, directives))
      found.push(one);
  }
  return found;
}
