import { ok } from "../../base/result.ts";
import type { Access, Credentials } from "./credentials.ts";

/** A token, a password, a client certificate, or nothing: what stands in the kubeconfig is all there is. */
export function fixedCredentials(access: Access): Credentials {
  return {
    access: () => Promise.resolve(ok(access)),
    renew: () => Promise.resolve(ok(undefined)),
    dispose: () => undefined,
  };
}
