import { err, ok, type Result } from "../base/result.ts";
import type { ClusterError } from "../engine/clusterError.ts";
import type { AgreeToTrust, TrustQuestion } from "../engine/ports/connection.ts";
import type { Clock } from "../engine/ports/clock.ts";
import { throwIfAborted } from "../io/abort.ts";
import { configurationFailure } from "./failure.ts";
import type { KubeconfigTarget } from "./kubeconfig/target.ts";
import { authorityFingerprint } from "./kubeconfig/trustQuestion.ts";
import { endpointText } from "../io/http/endpoint.ts";
import { describeLoss } from "./transport/lossWords.ts";
import { presentedCertificate } from "./transport/presentedCertificate.ts";
import { defaultConnectMs } from "./transport/transport.ts";

interface Asking {
  /** The trust prompt to show. Undefined if none is needed. */
  readonly question: Omit<TrustQuestion, "fingerprint"> | undefined;
  readonly agree: AgreeToTrust;
  /** Connection timeout in ms. Undefined means the default. */
  readonly connectMs: number | undefined;
}

/**
 * Shows the trust prompt if there is one, and returns the target after the user agreed. If TLS verification is off,
 * connections accept only the certificate that the user agreed to.
 */
export async function agreedTarget(
  target: KubeconfigTarget,
  { question, agree, connectMs = defaultConnectMs }: Asking,
  clock: Clock,
  signal: AbortSignal,
): Promise<Result<KubeconfigTarget, ClusterError>> {
  if (question === undefined) return ok(target);
  const { endpoint } = target;
  let { trust } = endpoint;
  if (trust.skipVerify) {
    const presented = await presentedCertificate(endpoint, connectMs, clock, signal);
    if (!presented.ok) {
      const loss = { cause: presented.error, certificate: undefined };
      const detail = describeLoss(loss, endpoint.url);
      const server = endpointText(endpoint.url);
      return err({ kind: "unreachable", server, detail, requestSent: false });
    }
    trust = { ...trust, pinned: presented.value };
  }
  const fingerprint = trust.pinned ?? authorityFingerprint(endpoint);
  const isAgreed = await agree({ ...question, fingerprint }, signal);
  throwIfAborted(signal);
  if (isAgreed) return ok({ ...target, endpoint: { ...endpoint, trust } });
  return configurationFailure(
    "declined",
    `you did not agree to send credentials to ${question.server}`,
  );
}
