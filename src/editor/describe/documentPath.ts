import { visiblePath } from "../ui/plainText.ts";

/** The context, namespace and name of an object, in this order. */
type DocumentPlace = readonly string[];

/** Returns the path of a document with this tab title. Documents of different objects have different paths. */
export const documentPath = (place: DocumentPlace, title: string): string =>
  [...place, title]
    .filter((part) => part !== "")
    .map((part) => `/${visiblePath(part.replaceAll(/[%/]/g, encodeURIComponent))}`)
    .join("");
