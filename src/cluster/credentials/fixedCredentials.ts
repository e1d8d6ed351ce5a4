import { ok } from "../../base/result.ts";
import type { CredentialAccess, Credentials } from "./credentials.ts";

/** Returns credentials that cannot be renewed: a token, password or client certificate of the kubeconfig, or none. */
export function fixedCredentials(access: CredentialAccess): Credentials {
  return {
    access: () => Promise.resolve(ok(access)),
    renew: () => Promise.resolve(ok(undefined)),
    dispose: () => undefined,
  };
}
