// Fixes for run profiles: rename a member, replace a value, or remove a member.
import type { Span } from "../../../base/span.ts";
import { commaFrom, judgeProfile, partOf, profilesIn, type WrittenMember } from "./profilesText.ts";

export interface ProfileFix {
  /** Code and span of the finding that the fix resolves. */
  readonly code: string;
  readonly span: Span;
  /** `replace`: puts `text` in place of the span. `remove`: removes the member named `text`. */
  readonly kind: "replace" | "remove";
  readonly text: string;
  /** The edits, from the last to the first in the text. */
  readonly edits: readonly { readonly span: Span; readonly text: string }[];
}

/** Codes of findings that removing the member fixes: the member is unknown or has no effect. */
const superfluous: ReadonlySet<string> = new Set(["E-81", "W-80", "W-81"]);

/**
 * Returns the fixes for findings in the profiles of a tasks.json. The fixes of one finding are sorted, most likely
 * first.
 */
export function profileFixes(text: string): readonly ProfileFix[] {
  return profilesIn(text).flatMap((profile) =>
    judgeProfile(profile).flatMap((finding): ProfileFix[] => {
      if (finding.origin?.kind !== "member") return [];
      const { code, suggestions = [] } = finding;
      const { path } = finding.origin;
      const span = profile.spanOf(path, partOf(finding));
      const replacing = suggestions.map((word) => ({
        code,
        span,
        kind: "replace" as const,
        text: word,
        edits: [{ span, text: JSON.stringify(word) }],
      }));
      const member = profile.nodeOf(path)?.parent;
      if (member?.type !== "property" || !superfluous.has(code)) return replacing;
      const edits = spansOf(text, member).map((gone) => ({ span: gone, text: "" }));
      return [...replacing, { code, span, kind: "remove", text: path.at(-1) ?? "", edits }];
    }),
  );
}

/** Returns the spans to remove with a member, from last to first: its comma, and its line if nothing else is on it. */
function spansOf(text: string, member: WrittenMember): readonly Span[] {
  const siblings = member.parent?.children ?? [];
  const before = siblings[siblings.indexOf(member) - 1];
  const end = member.offset + member.length;
  const after = commaFrom(text, end);
  const own = wholeLine(text, { start: member.offset, end: after === end ? end + 1 : end });
  const comma = after ?? (before && commaFrom(text, before.offset + before.length));
  if (comma === undefined || comma === end) return [own];
  const other = { start: comma, end: comma + 1 };
  return after === undefined ? [own, other] : [other, own];
}

function wholeLine(text: string, { start, end }: Span): Span {
  const isBlank = (char: string | undefined): boolean => char === " " || char === "\t";
  let [line, next] = [start, end];
  while (isBlank(text[line - 1])) line--;
  while (isBlank(text[next])) next++;
  const rest = /\r?\n|$/y;
  rest.lastIndex = next;
  if ((line > 0 && text[line - 1] !== "\n") || !rest.test(text)) return { start, end: next };
  return { start: line, end: rest.lastIndex };
}
