import type { ConfDiagnostic, Diagnose } from "../conf/diagnoseConf.ts";
import { directivesIn, type SeverityChoices } from "../conf/directives.ts";
import type { SparkVersion } from "../conf/sparkVersions.ts";
import { readSurface, type Surface } from "./surfaces.ts";
import { versionOfDocument } from "./versionOfDocument.ts";

/** What is wrong with the settings in a text. The version is that of a document which names none itself. */
export function diagnoseSurface(
  diagnose: Diagnose,
  text: string,
  surface: Surface,
  version: SparkVersion,
  choices: SeverityChoices,
): readonly ConfDiagnostic[] {
  const directives = directivesIn(text);
  return readSurface(text, surface).flatMap((document) =>
    diagnose({ ...document, directives }, versionOfDocument(document) ?? version, choices),
  );
}
