import type { ConfDiagnostic, Diagnose } from "../conf/diagnoseConf.ts";
import { directivesIn, type SeverityChoices } from "../conf/directives.ts";
import type { SparkVersion } from "../conf/sparkVersions.ts";
import { withFiles } from "./namedFiles.ts";
import { readSurface, type Surface } from "./surfaces.ts";
import { versionOfDocument } from "./versionOfDocument.ts";

/**
 * What is wrong with the settings in a text. The version is that of a document which names none itself;
 * `files` are the texts of properties files by the paths that it names.
 */
export function diagnoseSurface(
  diagnose: Diagnose,
  text: string,
  surface: Surface,
  version: SparkVersion,
  choices: SeverityChoices,
  files: ReadonlyMap<string, string> = new Map(),
): readonly ConfDiagnostic[] {
  const directives = directivesIn(text);
  return withFiles(readSurface(text, surface), files).flatMap((document) =>
    diagnose({ ...document, directives }, versionOfDocument(document) ?? version, choices),
  );
}
