import { err, ok, type Result } from "../base/result.ts";
import type { ClusterError } from "../engine/clusterError.ts";
import type { AccessAttributes, AccessReviews } from "../engine/ports/accessReviews.ts";
import type { ApiClient } from "./apiRequest.ts";
import { fieldAt } from "../base/json.ts";
import { isDnsLabel } from "../spark/kubernetesNames.ts";
import { badName } from "./resources.ts";

const apiVersion = "authorization.k8s.io/v1";
const identityVersion = "authentication.k8s.io/v1";

/**
 * Queries the user's permissions and identity with review requests. The API server returns the result and stores no
 * object.
 */
export class ApiAccessReviews implements AccessReviews {
  readonly #api: ApiClient;

  constructor(api: ApiClient) {
    this.#api = api;
  }

  async can(
    { verb, group, resource, namespace, subject }: AccessAttributes,
    signal: AbortSignal,
  ): Promise<Result<boolean, ClusterError>> {
    if (namespace !== undefined && !isDnsLabel(namespace)) {
      return err(badName("namespace", namespace));
    }
    const [kind, plural] = kindOf(namespace, subject);
    const within = subject !== undefined && namespace !== undefined ? namespace : undefined;
    const [asked, subresource] = resource.split("/");
    const resourceAttributes = { verb, group, resource: asked, subresource, namespace };
    const review = { apiVersion, kind, spec: { resourceAttributes, ...subject } };
    const answer = await this.#post(apiVersion, plural, review, within, signal);
    if (!answer.ok) return answer;
    const allowed = fieldAt(fieldAt(answer.value, "status"), "allowed");
    return typeof allowed === "boolean" ? ok(allowed) : noReview;
  }

  async user(signal: AbortSignal): Promise<Result<string, ClusterError>> {
    const review = { apiVersion: identityVersion, kind: "SelfSubjectReview" };
    const answer = await this.#post(
      identityVersion,
      "selfsubjectreviews",
      review,
      undefined,
      signal,
    );
    if (!answer.ok) return answer;
    const name = fieldAt(fieldAt(fieldAt(answer.value, "status"), "userInfo"), "username");
    return typeof name === "string" ? ok(name) : noReview;
  }

  #post(
    version: string,
    plural: string,
    review: object,
    namespace: string | undefined,
    signal: AbortSignal,
  ): Promise<Result<unknown, ClusterError>> {
    const [group = ""] = version.split("/");
    const within = namespace === undefined ? "" : `/namespaces/${encodeURIComponent(namespace)}`;
    return this.#api.request(
      {
        method: "POST",
        path: `/apis/${version}${within}/${plural}`,
        subject: { verb: "create", resource: `${plural}.${group}`, namespace, name: "" },
        accept: "application/json",
        body: { contentType: "application/json", text: JSON.stringify(review) },
      },
      signal,
    );
  }
}

const noReview = err({
  kind: "badResponse",
  status: undefined,
  detail: "the response is not a valid review",
} as const);

function kindOf(
  namespace: string | undefined,
  subject: AccessAttributes["subject"],
): readonly [kind: string, plural: string] {
  if (subject === undefined) return ["SelfSubjectAccessReview", "selfsubjectaccessreviews"];
  return namespace === undefined
    ? ["SubjectAccessReview", "subjectaccessreviews"]
    : ["LocalSubjectAccessReview", "localsubjectaccessreviews"];
}
