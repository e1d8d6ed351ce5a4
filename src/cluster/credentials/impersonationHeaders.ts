import { ok, type Result } from "../../base/result.ts";
import type { ClusterError } from "../../engine/clusterError.ts";
import { configurationFailure } from "../failure.ts";
import type { Impersonation } from "../kubeconfig/kubeconfigFile.ts";
import type { CredentialAccess } from "./credentials.ts";

/**
 * Returns the `Impersonate-*` headers, or none without impersonation. Returns an error if other fields are set without
 * `as`, or a value has control characters.
 */
export function impersonationHeaders(
  { user, uid, groups, extra }: Impersonation,
  owner: string,
): Result<CredentialAccess["headers"], ClusterError> {
  if (user === undefined) {
    if (uid === undefined && groups.length === 0 && extra.length === 0) return ok({});
    return configurationFailure(
      "invalidKubeconfig",
      `the user "${owner}" of the kubeconfig sets as-uid, as-groups or as-user-extra without "as"`,
    );
  }
  const values = [user, uid ?? "", ...groups, ...extra.flatMap(([, list]) => list)];
  if (values.some(hasControlCharacter)) {
    return configurationFailure(
      "invalidKubeconfig",
      `the user "${owner}" of the kubeconfig has an impersonation value that cannot be sent in a header`,
    );
  }
  return ok({
    "Impersonate-User": asHeader(user),
    ...(uid !== undefined && { "Impersonate-Uid": asHeader(uid) }),
    ...(groups.length > 0 && { "Impersonate-Group": groups.map(asHeader) }),
    ...Object.fromEntries(
      extra.map(([key, list]) => [`Impersonate-Extra-${escapeKey(key)}`, list.map(asHeader)]),
    ),
  });
}

// kubectl sends UTF-8 bytes. Node sends each character of a header as one Latin-1 byte, so convert each byte to a
// character.
const asHeader = (text: string): string => Buffer.from(text).toString("latin1");

const hasControlCharacter = (text: string): boolean => /[\u0000-\u001f\u007f]/.test(text);

// Percent-encodes characters that a header name cannot contain, and the percent sign.
const escapeKey = (key: string): string =>
  [...Buffer.from(key)]
    .map((byte) => {
      const character = String.fromCharCode(byte);
      return /[\w!#$&'*+.^`|~-]/.test(character)
        ? character
        : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
    })
    .join("");
