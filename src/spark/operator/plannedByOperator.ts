// Plans the submission that an operator makes for an object, for the pre-flight check.
import type { Result } from "../../base/result.ts";
import type { SubmissionEnvironment } from "../submit/conf/environment.ts";
import type { LocalFiles } from "../submit/conf/localFiles.ts";
import { newestMinor } from "../submit/conf/sparkVersion.ts";
import { parseSubmission } from "../submit/plan/parsedSubmission.ts";
import { prepareSubmission } from "../submit/plan/prepareSubmission.ts";
import type { SubmissionFinding } from "../submit/plan/submissionFinding.ts";
import type { SubmissionPlan } from "../submit/plan/submissionPlan.ts";
import type { NeededRight } from "../submit/preflight/neededRights.ts";
import { inTokens } from "./convert.ts";
import { lineOfRequest, withMaster } from "./lineRequest.ts";
import { kubeflowVersion, type OperatorManifest } from "./operatorManifest.ts";
import { requestOfManifest } from "./requestOfManifest.ts";
import { deployModeKey, namespaceKey } from "./submissionRequest.ts";

/** The cluster, the time and the randomness of a plan. `namespace` is the default for an object that has none. */
export interface OperatorPlace extends Pick<SubmissionEnvironment, "now" | "randomBytes"> {
  readonly server: string;
  readonly namespace: string;
}

/**
 * Plans the application that the operator starts. The planned pods have the same service account, image, object
 * references and resource requests as the operator's; only generated names differ. Files in the operator's own pod are
 * unknown, so a manifest that refers to them gives findings.
 */
export function plannedByOperator(
  manifest: OperatorManifest,
  { server, namespace, now, randomBytes }: OperatorPlace,
): Result<SubmissionPlan, readonly SubmissionFinding[]> {
  const request = requestOfManifest(manifest);
  const conf = new Map([
    [deployModeKey, "cluster"],
    [namespaceKey, manifest.metadata.namespace ?? namespace],
    ...request.conf,
  ]);
  const { value, files } = inTokens(withMaster({ ...request, conf }, server));
  const texts = new Map(files.map(({ name, text }) => [`${directory}/${name}`, text]));
  return prepareSubmission(
    parseSubmission(lineOfRequest(value, request.sparkVersion ?? `${newestMinor}.0`)),
    {
      environment: {},
      workingDirectory: directory,
      userName: "spark",
      now,
      randomBytes,
      files: filesOf(texts),
    },
  );
}

/** Returns the permissions that a user needs to create the object and to follow its state. */
export const operatorRights = ({ apiVersion, kind }: OperatorManifest): readonly NeededRight[] =>
  ["create", "get"].map((verb) => ({
    group: apiVersion === kubeflowVersion ? "sparkoperator.k8s.io" : "spark.apache.org",
    resource: `${kind.toLowerCase()}s`,
    verb,
    purpose: "work",
  }));

const directory = "/operator";

const filesOf = (texts: ReadonlyMap<string, string>): LocalFiles => ({
  kind: (path) => (texts.has(path) ? "file" : path === directory ? "directory" : undefined),
  text: (path) => {
    const text = texts.get(path);
    return text === undefined ? undefined : { text, isUtf8: true, byteLength: text.length };
  },
  base64: () => undefined,
  names: () => [],
  canonical: (path) => path,
  zipText: () => undefined,
});
