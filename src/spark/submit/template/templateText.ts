import { msg, verbatim, type Message } from "../../../base/message.ts";
import { absolutePath } from "../arguments/localPath.ts";
import type { SubmissionEnvironment, SubmissionParts } from "../conf/environment.ts";
import { decodeUriPart, parseUri } from "../arguments/uri.ts";

type TemplateText =
  | {
      readonly kind: "text";
      readonly text: string;
      readonly isUtf8: boolean;
      /** The path of a local file; undefined for a fetched template. */
      readonly path: string | undefined;
    }
  /** Java cannot parse the address as a URI, so Spark does not find the file. */
  | { readonly kind: "notUri" }
  | { readonly kind: "missing" }
  | { readonly kind: "notFetched"; readonly reason: Message }
  | { readonly kind: "unsupportedScheme" };

interface TemplateReading {
  readonly submissionEnvironment: Pick<SubmissionEnvironment, "files" | "workingDirectory">;
  readonly parts: Pick<SubmissionParts, "fetched">;
}

/** Returns the text of a pod template: a local file, or the fetched text of an http address. */
export function readTemplateText(
  uri: string,
  { submissionEnvironment, parts }: TemplateReading,
): TemplateText {
  const parsed = parseUri(uri);
  if (parsed === undefined) return { kind: "notUri" };
  switch (parsed.scheme) {
    case undefined:
    case "file":
    case "local": {
      const path = absolutePath(
        decodeUriPart(parsed.path ?? ""),
        submissionEnvironment.workingDirectory,
      );
      const file = submissionEnvironment.files.text(path);
      if (file === undefined) return { kind: "missing" };
      return { kind: "text", text: file.text, isUtf8: file.isUtf8, path };
    }
    case "http":
    case "https": {
      const fetched = parts.fetched?.get(uri);
      if (fetched?.ok) return { kind: "text", text: fetched.value, isUtf8: true, path: undefined };
      return {
        kind: "notFetched",
        reason: fetched === undefined ? msg("it was not requested") : verbatim(fetched.error),
      };
    }
    default:
      return { kind: "unsupportedScheme" };
  }
}
