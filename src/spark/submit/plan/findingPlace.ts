import { entrySpan } from "../../conf/parse/properties.ts";
import type { LocalFiles } from "../conf/localFiles.ts";
import type { SubmissionFinding } from "./submissionFinding.ts";

/**
 * Returns the place of a finding in a local file, in the form that terminals link: `/path:line:column`. Without a known
 * position returns the path alone. Undefined if the finding has no file.
 */
export function findingPlace(
  { origin, key }: Pick<SubmissionFinding, "origin" | "key">,
  files: Pick<LocalFiles, "text">,
): string | undefined {
  if (origin?.kind !== "file") return undefined;
  const { path } = origin;
  const text = files.text(path)?.text ?? "";
  const span = (key === undefined ? undefined : entrySpan(text, key)) ?? origin.span;
  if (span === undefined) return path;
  const before = text.slice(0, span.start).split(/\r\n|\r|\n/);
  return `${path}:${before.length}:${(before.at(-1)?.length ?? 0) + 1}`;
}
