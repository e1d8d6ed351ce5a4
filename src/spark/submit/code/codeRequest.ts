import { listParts } from "../../conf/values/javaText.ts";
import { decodeUriPart, parseUri } from "../arguments/uri.ts";
import { valueOf } from "../conf/conf.ts";
import { dependencyKeys, isLocalFile } from "../conf/dependencies.ts";
import { readConfText, type ConfReading } from "../conf/readConf.ts";
import type { SubmittedApplication } from "../driver/submittedApplication.ts";
import { relativePathsIn } from "./relativePath.ts";
import type { CodeRequest } from "./sentCode.ts";

export const uploadPathKey = "spark.kubernetes.file.upload.path";

interface RequestReading extends ConfReading {
  readonly application: SubmittedApplication;
}

/**
 * Returns the local files that an application needs, for collecting them into `SubmissionParts.code`. Undefined if
 * there are none, or if the conf has an upload path.
 */
export function codeRequest(reading: RequestReading): CodeRequest | undefined {
  if (readConfText(reading, uploadPathKey) !== undefined) return undefined;
  const { conf, kind, resource } = reading.application;
  const main =
    kind !== "r" && resource !== undefined && isLocalFile(resource.value)
      ? localPathOf(resource.value)
      : undefined;
  const listed = dependencyKeys
    .flatMap((key) => listParts(valueOf(conf, key) ?? ""))
    .filter(isLocalFile)
    .map(localPathOf)
    .filter((path) => path !== main);
  if (main === undefined && listed.length === 0) return undefined;
  const named = relativePathsIn(reading.application.arguments);
  return {
    main,
    isPython: kind === "python",
    dependencies: [...new Set(listed)],
    ...(named.length === 0 ? {} : { named }),
  };
}

/** Returns the path of a `file:` URI, decoded and without the fragment. Decodes text that is not a URI as a path. */
export const localPathOf = (uri: string): string => decodeUriPart(parseUri(uri)?.path ?? uri);
