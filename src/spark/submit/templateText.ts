import { absolutePath } from "./localPath.ts";
import type { Surroundings } from "./surroundings.ts";
import { decodeUriPart, parseUri } from "./uri.ts";

export type TemplateText =
  | {
      readonly kind: "text";
      readonly text: string;
      readonly isUtf8: boolean;
      /** Of the file that it stands in, if it is one of this machine. */
      readonly path: string | undefined;
    }
  /** No URI by Java's rules, so Spark does not find the file either. */
  | { readonly kind: "notUri" }
  | { readonly kind: "missing" }
  | { readonly kind: "notFetched"; readonly reason: string }
  | { readonly kind: "unsupportedScheme" };

/** The text of a pod template: a file of this machine, or what was fetched from an http address. */
export function readTemplateText(uri: string, surroundings: Surroundings): TemplateText {
  const parsed = parseUri(uri);
  if (parsed === undefined) return { kind: "notUri" };
  switch (parsed.scheme) {
    case undefined:
    case "file":
    case "local": {
      const path = absolutePath(decodeUriPart(parsed.path ?? ""), surroundings.workingDirectory);
      const file = surroundings.files.text(path);
      if (file === undefined) return { kind: "missing" };
      return { kind: "text", text: file.text, isUtf8: file.isUtf8, path };
    }
    case "http":
    case "https": {
      const fetched = surroundings.fetched.get(uri);
      if (fetched?.ok) return { kind: "text", text: fetched.value, isUtf8: true, path: undefined };
      return { kind: "notFetched", reason: fetched?.error ?? "nobody asked for it" };
    }
    default:
      return { kind: "unsupportedScheme" };
  }
}
