import type { JsonObject } from "../manifest.ts";
import { printYaml } from "../preview/printYaml.ts";
import { byResource, type NeededRight } from "./neededRights.ts";

/** Who gets the rights. */
export type RoleSubject =
  | { readonly kind: "ServiceAccount"; readonly name: string }
  /** Undefined: known to the server alone, so a placeholder stands for it. */
  | { readonly kind: "User"; readonly name: string | undefined };

/** A Role with exactly these rights and the RoleBinding that gives it, as YAML to apply. */
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
  return `${printYaml(role)}---\n${printYaml(binding)}`;
}

function describeSubject(subject: RoleSubject, namespace: string, apiGroup: string): JsonObject {
  return subject.kind === "ServiceAccount"
    ? { kind: subject.kind, name: subject.name, namespace }
    : { kind: subject.kind, name: subject.name ?? "<your-user-name>", apiGroup };
}
