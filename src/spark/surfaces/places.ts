// Finds the places that set a key, in one text and across files.
import type { Span } from "../../base/span.ts";
import type { ConfDocument, ConfEntry } from "../conf/parse/confDocument.ts";
import { readSurface, type Surface } from "./surfaces.ts";

/** The key of a setting, and where it is written. */
interface KeyPlace {
  readonly key: string;
  readonly keySpan: Span;
  readonly valueSpan: Span;
  /** True if the key is written literally, and not set by a field or an option. */
  readonly isWritten: boolean;
}

/** Returns the setting whose key or value is at the offset. Undefined if there is none. */
export function settingAt(text: string, surface: Surface, offset: number): KeyPlace | undefined {
  const found = find(readSurface(text, surface), offset);
  return found && placeOf(text, found.entry);
}

/** Returns all places in a text that set the key. */
export function placesOf(text: string, surface: Surface, key: string): readonly KeyPlace[] {
  if (!text.includes(key.slice(key.lastIndexOf(".") + 1)) && surface === "properties") return [];
  return readSurface(text, surface).flatMap(({ entries }) =>
    entries.filter((entry) => entry.key === key).map((entry) => placeOf(text, entry)),
  );
}

/** Returns the setting of the same document that overrides the one at the offset. Undefined if none does. */
export function winnerOver(text: string, surface: Surface, offset: number): KeyPlace | undefined {
  const found = find(readSurface(text, surface), offset);
  if (found === undefined) return undefined;
  const winner = found.document.entries.findLast(({ key }) => key === found.entry.key);
  return winner === undefined || winner === found.entry ? undefined : placeOf(text, winner);
}

/** Returns the paths of the properties files that the document with a setting at the offset names. */
export const filesBelow = (text: string, surface: Surface, offset: number): readonly string[] =>
  find(readSurface(text, surface), offset)?.document.propertiesFiles ?? [];

/**
 * Returns the effective setting of the key in each document that names properties files, with the paths of these files.
 * The setting overrides the same key in them.
 */
export const placesAbove = (
  text: string,
  surface: Surface,
  key: string,
): readonly { readonly place: KeyPlace; readonly files: readonly string[] }[] =>
  readSurface(text, surface).flatMap(({ entries, propertiesFiles = [] }) => {
    const winner = entries.findLast((entry) => entry.key === key);
    return winner === undefined || propertiesFiles.length === 0
      ? []
      : [{ place: placeOf(text, winner), files: propertiesFiles }];
  });

interface Found {
  readonly document: ConfDocument;
  readonly entry: ConfEntry;
}

function find(documents: readonly ConfDocument[], offset: number): Found | undefined {
  const isIn = ({ start, end }: Span): boolean => start <= offset && offset <= end;
  for (const document of documents) {
    const entry = document.entries.find(
      ({ keySpan, valueSpan }) => isIn(keySpan) || isIn(valueSpan),
    );
    if (entry !== undefined) return { document, entry };
  }
  return undefined;
}

const placeOf = (text: string, { key, keySpan, valueSpan }: ConfEntry): KeyPlace => ({
  key,
  keySpan,
  valueSpan,
  isWritten: text.slice(keySpan.start, keySpan.end) === key,
});
