import { entrySpan } from "../conf/properties.ts";
import type { LocalFiles } from "./localFiles.ts";
import type { SubmissionFinding } from "./submissionFinding.ts";

/**
 * Where a finding stands in a file of this machine, as terminals make a link of it: `/path:line:column`, or
 * the file alone where the place in it is not known. Undefined if it stands in no file.
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
