import { msg } from "../../../base/message.ts";
import { localPathOf, uploadPathKey } from "../code/codeRequest.ts";
import { driverUri } from "../code/plannedCode.ts";
import { valueOf } from "../conf/conf.ts";
import { dependencyKeys, isLocalFile } from "../conf/dependencies.ts";
import { addProperties, type DriverContext, type DriverSpec } from "../driver/driverSpec.ts";
import { addFindings } from "../driver/podSpec.ts";
import { listParts } from "../../conf/values/javaText.ts";
import { absolutePath, lastSegment } from "../arguments/localPath.ts";
import { problems } from "./problems.ts";
import { readConfText } from "../conf/readConf.ts";
import type { FindingOrigin } from "./submissionFinding.ts";
import { parseUri } from "../arguments/uri.ts";

/**
 * Plans uploads of local files. In the conf lists, the upload URIs replace the local files and precede the other
 * entries.
 */
export function uploadDependencies(spec: DriverSpec, context: DriverContext): DriverSpec {
  const { conf } = context.application;
  return dependencyKeys.reduce((before, key) => {
    const entries = listParts(valueOf(conf, key) ?? "");
    const local = entries.filter(isLocalFile);
    if (local.length === 0) return before;
    const keepsFragment = key === "spark.archives";
    const { spec: after, targets } = local.reduce<{ spec: DriverSpec; targets: string[] }>(
      (state, uri) => {
        const fragment = (keepsFragment && parseUri(uri)?.fragment) || undefined;
        const next = uploadFile(state.spec, context, uri, conf.get(key)?.origin);
        const target = fragment === undefined ? next.target : `${next.target}#${fragment}`;
        return { spec: next.spec, targets: [...state.targets, target] };
      },
      { spec: before, targets: [] },
    );
    const rest = entries.filter((uri) => !isLocalFile(uri));
    return addProperties(after, { [key]: [...targets, ...rest].join(",") });
  }, spec);
}

/**
 * Plans the upload of one file into its own directory. A file that is sent with the submission needs no upload.
 * `target`: the URI of the file for the driver. The uploader checks the scheme.
 */
export function uploadFile(
  spec: DriverSpec,
  context: DriverContext,
  uri: string,
  origin: FindingOrigin | undefined,
): { readonly spec: DriverSpec; readonly target: string } {
  const uploadPath = readConfText(context, uploadPathKey);
  if (uploadPath === undefined) {
    const sent = sentTo(context, localPathOf(uri));
    if (sent !== undefined) return { spec, target: sent };
    return { spec: addFindings(spec, [problems.noUploadPath(uri, origin)]), target: uri };
  }
  const path = localPathOf(uri);
  const id = context.identity.uploadIds[spec.uploads.length] ?? "";
  const target = `${uploadPath}/spark-upload-${id}/${lastSegment(path)}`;
  const isPath = !/^[A-Za-z][A-Za-z0-9+.-]*:/.test(uploadPath);
  if (context.submissionEnvironment.files.kind(path) !== "file") {
    return {
      spec: addFindings(spec, [problems.cannotUpload(path, msg("it is not a file"), origin)]),
      target,
    };
  }
  const place = isPath
    ? absolutePath(target, context.submissionEnvironment.workingDirectory)
    : target;
  return { spec: { ...spec, uploads: [...spec.uploads, { path, target: place }] }, target };
}

/** Returns the URI in the driver of a file that is sent with the submission. Undefined for other files. */
function sentTo({ parts }: DriverContext, path: string): string | undefined {
  const file = parts.code?.sent.files.find(
    ({ role }) => role.kind === "requested" && role.path === path,
  );
  return file && driverUri(file);
}
