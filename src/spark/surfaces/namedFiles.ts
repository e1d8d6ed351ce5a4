import type { ConfDocument } from "../conf/confDocument.ts";
import { parseProperties } from "../conf/properties.ts";

/** The documents with the settings of the properties files that they name, as far as those are given. */
export const withFiles = (
  documents: readonly ConfDocument[],
  files: ReadonlyMap<string, string>,
): readonly ConfDocument[] => documents.map((document) => withOwnFiles(document, files));

/** The document with the settings of the properties files that it names. */
export function withOwnFiles(
  document: ConfDocument,
  files: ReadonlyMap<string, string>,
): ConfDocument {
  const { propertiesFiles = [], application = {}, elsewhere = [] } = document;
  if (propertiesFiles.length === 0) return document;
  const texts = propertiesFiles.flatMap((path) => files.get(path) ?? []);
  const isWhole = texts.length === propertiesFiles.length && application.readsDefaults !== true;
  return {
    ...document,
    application: { ...application, isWhole },
    elsewhere: [...elsewhere, ...texts.flatMap((text) => parseProperties(text).entries)],
  };
}

/** The properties files that the documents name. */
export const filesNamedIn = (documents: readonly ConfDocument[]): readonly string[] => [
  ...new Set(documents.flatMap(({ propertiesFiles = [] }) => propertiesFiles)),
];
