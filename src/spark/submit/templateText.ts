import { absolutePath } from "./localPath.ts";
import type { Surroundings } from "./surroundings.ts";
import { decodeUriPart, parseUri } from "./uri.ts";

export type TemplateText =
  | { readonly kind: "text"; readonly text: string }
  /** No URI by Java's rules, so Spark does not find the file either. */
  | { readonly kind: "notUri" }
  | { readonly kind: "missing" }
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
      const text = surroundings.files.text(path)?.text;
      return text === undefined ? { kind: "missing" } : { kind: "text", text };
    }
    case "http":
    case "https": {
      const text = surroundings.fetched.get(uri);
      return text === undefined ? { kind: "missing" } : { kind: "text", text };
    }
    default:
      return { kind: "unsupportedScheme" };
  }
}
