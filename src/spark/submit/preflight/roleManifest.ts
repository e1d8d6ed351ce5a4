import type { JsonObject } from "../../../base/json.ts";
import { serviceAccountOf } from "../../deniedRequest.ts";
import { printYamlDocuments } from "../../printYaml.ts";
import { byResource, type NeededRight } from "./neededRights.ts";

/** The subject of the RoleBinding. */
type RoleSubject =
  | { readonly kind: "ServiceAccount"; readonly name: string }
  /**
   * `name`: the authenticated user name, also of a service account. Undefined: the YAML contains a placeholder for it.
   */
  | { readonly kind: "User"; readonly name: string | undefined };

/** Returns a Role with exactly these permissions and its RoleBinding, as YAML to apply. */
export function roleManifest(
  rights: readonly NeededRight[],
  namespace: string,
  name: string,
  subject: RoleSubject,
): string {
  const apiGroup = "rbac.authorization.k8s.io";
  const role = {
    apiVersion: `${apiGroup}/v1`,
    kind: "Role",
    metadata: { name, namespace },
    rules: [...byResource(rights).values()].map((each) => ({
      apiGroups: [each[0]?.group ?? ""],
      resources: [each[0]?.resource ?? ""],
      verbs: [...new Set(each.map(({ verb }) => verb))],
    })),
  };
  const binding = {
    apiVersion: `${apiGroup}/v1`,
    kind: "RoleBinding",
    metadata: { name, namespace },
    roleRef: { apiGroup, kind: "Role", name },
    subjects: [describeSubject(subject, namespace, apiGroup)],
  };
  return printYamlDocuments([role, binding]);
}

function describeSubject(subject: RoleSubject, namespace: string, apiGroup: string): JsonObject {
  if (subject.kind === "ServiceAccount") {
    return { kind: subject.kind, name: subject.name, namespace };
  }
  const { kind, name = "<your-user-name>" } = subject;
  const account = serviceAccountOf(name);
  return account === undefined
    ? { kind, name, apiGroup }
    : { kind: "ServiceAccount", name: account.name, namespace: account.namespace };
}
