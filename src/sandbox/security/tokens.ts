import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { User } from "../api/context.ts";
import type { Objects } from "../api/objects.ts";

/** Bearer tokens: one for the user of the sandbox, and one for each service account. */
export interface Tokens {
  readonly admin: string;
  /** Returns the token of a service account. It is valid while this account exists, and invalid after a recreation. */
  readonly tokenFor: (namespace: string, serviceAccount: string) => string;
  /** Returns the user of a token; undefined if the token is unknown. */
  readonly identify: (token: string) => User | undefined;
}

const adminName = "sandbox-admin";
const prefix = "sandbox-sa";

export function makeTokens(objects: Objects): Tokens {
  const admin = randomBytes(32).toString("base64url");
  const secret = randomBytes(32);
  const sign = (account: string): string =>
    createHmac("sha256", secret).update(account).digest("base64url");

  const uidOf = (namespace: string, name: string): string | undefined =>
    objects.get({ resource: "serviceaccounts", namespace, name })?.metadata.uid;

  const identifyAccount = (token: string): User | undefined => {
    const [start, account = "", signature = ""] = token.split(".");
    if (start !== prefix) return undefined;
    const subject = Buffer.from(account, "base64url").toString();
    if (!isEqual(signature, sign(subject))) return undefined;
    const [namespace = "", name = "", uid] = subject.split("/");
    if (uid === undefined || uidOf(namespace, name) !== uid) return undefined;
    return {
      name: `system:serviceaccount:${namespace}:${name}`,
      uid,
      groups: [
        "system:serviceaccounts",
        `system:serviceaccounts:${namespace}`,
        "system:authenticated",
      ],
    };
  };

  return {
    admin,
    tokenFor: (namespace, serviceAccount) => {
      const account = `${namespace}/${serviceAccount}/${uidOf(namespace, serviceAccount) ?? ""}`;
      return `${prefix}.${Buffer.from(account).toString("base64url")}.${sign(account)}`;
    },
    identify: (token) =>
      isEqual(token, admin)
        ? { name: adminName, groups: ["system:masters", "system:authenticated"] }
        : identifyAccount(token),
  };
}

// Compares strings in constant time, to prevent timing attacks.
function isEqual(a: string, b: string): boolean {
  const [one, other] = [Buffer.from(a), Buffer.from(b)];
  return one.length === other.length && timingSafeEqual(one, other);
}
