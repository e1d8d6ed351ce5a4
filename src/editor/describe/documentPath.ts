/** Where in the clusters that of which a document tells lies, from the context inwards; the last is the innermost. */
export type DocumentPlace = readonly string[];

/**
 * The path of a document whose tab is named `title`: two that tell of different things have different paths, however
 * alike their titles.
 */
export const documentPath = (place: DocumentPlace, title: string): string =>
  [...place, title]
    .filter((part) => part !== "")
    .map((part) => `/${part.replaceAll(/[%/]/g, encodeURIComponent)}`)
    .join("");
