import { visiblePath } from "../ui/plainText.ts";

/** The object's position: context, namespace, name. */
type DocumentPlace = readonly string[];

/** The path of a document with the tab title `title`. Different objects have different paths, despite equal titles. */
export const documentPath = (place: DocumentPlace, title: string): string =>
  [...place, title]
    .filter((part) => part !== "")
    .map((part) => `/${visiblePath(part.replaceAll(/[%/]/g, encodeURIComponent))}`)
    .join("");
