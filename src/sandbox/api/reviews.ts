import { accessRulesOf, grantingBinding } from "../security/authorizer.ts";
import { type JsonMembers, plainTextOf } from "../kubeObject.ts";
import { asObject } from "../schema/schema.ts";
import type { ApiContext, User } from "./context.ts";
import { invalid } from "./refusal.ts";

/** Returns the response to a review, which is never stored. Returns undefined if the kind is not a review. */
export function review(
  context: ApiContext,
  user: User,
  kind: string,
  body: JsonMembers,
  identify: (token: string) => User | undefined,
): JsonMembers | undefined {
  const spec = asObject(body["spec"]) ?? {};
  const metadata = asObject(body["metadata"]) ?? {};
  const answer = (status: JsonMembers): JsonMembers => ({
    kind,
    apiVersion:
      kind.startsWith("Token") || kind === "SelfSubjectReview"
        ? "authentication.k8s.io/v1"
        : "authorization.k8s.io/v1",
    ...(Object.keys(metadata).length > 0 ? { metadata } : {}),
    ...(kind === "SelfSubjectReview" ? {} : { spec }),
    status,
  });
  switch (kind) {
    case "SelfSubjectAccessReview":
      return answer(access(context, user, spec));
    case "SubjectAccessReview":
    case "LocalSubjectAccessReview": {
      const groups = Array.isArray(spec["groups"]) ? spec["groups"].map(String) : [];
      return answer(access(context, { name: plainTextOf(spec["user"] ?? ""), groups }, spec));
    }
    case "SelfSubjectRulesReview": {
      const rules = accessRulesOf(context.objects, user, plainTextOf(spec["namespace"] ?? ""));
      const pick = (names: readonly string[]) => (rule: JsonMembers) =>
        Object.fromEntries(
          names.flatMap((name) => (rule[name] === undefined ? [] : [[name, rule[name]]])),
        );
      return answer({
        resourceRules: rules
          .filter(({ resources }) => resources !== undefined)
          .map(pick(["verbs", "apiGroups", "resources", "resourceNames"])),
        nonResourceRules: rules
          .filter(({ nonResourceURLs }) => nonResourceURLs !== undefined)
          .map(pick(["verbs", "nonResourceURLs"])),
        incomplete: false,
      });
    }
    case "SelfSubjectReview":
      return answer({ userInfo: userBody(user) });
    case "TokenReview": {
      const found = identify(plainTextOf(spec["token"] ?? ""));
      return answer(
        found === undefined
          ? { user: {}, error: "the token is unknown" }
          : { authenticated: true, user: userBody(found) },
      );
    }
    default:
      return undefined;
  }
}

const userBody = ({ name, uid, groups }: User): JsonMembers => ({
  username: name,
  ...(uid === undefined ? {} : { uid }),
  groups,
});

function access({ objects }: ApiContext, user: User, spec: JsonMembers): JsonMembers {
  const resource = asObject(spec["resourceAttributes"]);
  const path = asObject(spec["nonResourceAttributes"]);
  const text = (json: JsonMembers, name: string): string => plainTextOf(json[name] ?? "");
  if (resource === undefined && path === undefined) {
    // The real API server omits the kind in this message.
    throw invalid({ kind: "", group: "authorization.k8s.io" }, "", [
      {
        reason: "FieldValueInvalid",
        field: "spec.resourceAttributes",
        message:
          "Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes must be specified",
      },
    ]);
  }
  const attempt =
    resource === undefined
      ? {
          verb: text(path ?? {}, "verb"),
          group: "",
          resource: "",
          namespace: "",
          name: "",
          path: text(path ?? {}, "path"),
        }
      : {
          verb: text(resource, "verb"),
          group: text(resource, "group"),
          resource: [text(resource, "resource"), text(resource, "subresource")]
            .filter((one) => one !== "")
            .join("/"),
          namespace: text(resource, "namespace"),
          name: text(resource, "name"),
        };
  const why = grantingBinding(objects, user, attempt);
  return {
    allowed: why !== undefined,
    ...(why === undefined || why === "" ? {} : { reason: why }),
  };
}
