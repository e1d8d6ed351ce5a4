import { err, ok, type Result } from "../../base/result.ts";
import type { ClusterError } from "../../engine/clusterError.ts";
import type { Clock } from "../../engine/ports/clock.ts";
import { ignoreAbort, waitFor } from "../../io/abort.ts";
import type { ClientCertificate } from "../../io/http/endpoint.ts";
import type { CredentialAccess, Credentials } from "./credentials.ts";

/** Credentials from an exec plug-in, an OIDC issuer or a token file. */
export interface Grant {
  readonly token: string | undefined;
  readonly certificate: ClientCertificate | undefined;
  /** Epoch ms. Undefined means valid until a server rejects them. */
  readonly expiresAt: number | undefined;
}

interface RenewalRules {
  /** Requests credentials. `signal` aborts when the connection is disposed. */
  readonly obtain: (signal: AbortSignal) => Promise<Result<Grant, ClusterError>>;
  /** Sent with each request in addition to the token. */
  readonly headers: CredentialAccess["headers"];
  /** Client certificate for TLS, unless the grant contains one. */
  readonly certificate: ClientCertificate | undefined;
  /** Credentials are renewed this long before they expire. */
  readonly marginMs: number;
  /** Minimum time between two requests for credentials. */
  readonly pauseMs: number;
}

type Obtained = Result<CredentialAccess, ClusterError>;

/**
 * Credentials that expire. Concurrent requests share one renewal. Aborting one of them does not cancel the renewal for
 * the others.
 */
export class RenewedCredentials implements Credentials {
  readonly #rules: RenewalRules;
  readonly #clock: Clock;
  readonly #life = new AbortController();
  #access: CredentialAccess | undefined;
  #expiresAt = 0;
  #failure: ClusterError | undefined;
  #askedAt = -Infinity;
  #underWay: Promise<Obtained> | undefined;

  constructor(rules: RenewalRules, clock: Clock) {
    this.#rules = rules;
    this.#clock = clock;
  }

  async access(signal: AbortSignal): Promise<Obtained> {
    if (!this.#underWay) {
      if (this.#access && this.#lifeLeft() > this.#rules.marginMs) return ok(this.#access);
      if (this.#isTooEarly()) {
        if (this.#failure && this.#lifeLeft() <= 0) return err(this.#failure);
        if (this.#access) return ok(this.#access);
      }
    }
    const obtained = await this.#obtain(signal);
    // If the renewal fails before the old credentials expire, keep using the old ones.
    return !obtained.ok && this.#access && this.#lifeLeft() > 0 ? ok(this.#access) : obtained;
  }

  async renew(
    refused: CredentialAccess,
    signal: AbortSignal,
  ): Promise<Result<CredentialAccess | undefined, ClusterError>> {
    if (!this.#underWay) {
      // Another request renewed the credentials after the refused request was sent.
      if (this.#access && this.#access !== refused) return ok(this.#access);
      if (this.#isTooEarly()) return ok(undefined);
      this.#access = undefined;
    }
    const obtained = await this.#obtain(signal);
    return obtained.ok && isSame(obtained.value, refused) ? ok(undefined) : obtained;
  }

  dispose(): void {
    this.#life.abort();
  }

  #obtain(signal: AbortSignal): Promise<Obtained> {
    if (!this.#underWay) {
      this.#underWay = this.#ask().finally(() => {
        this.#underWay = undefined;
      });
      // Without this handler, the abort on dispose would be an unhandled rejection if all callers have stopped waiting.
      this.#underWay.catch(ignoreAbort);
    }
    return waitFor(this.#underWay, signal);
  }

  async #ask(): Promise<Obtained> {
    const grant = await this.#rules.obtain(this.#life.signal);
    this.#askedAt = this.#clock.now();
    if (!grant.ok) {
      this.#failure = grant.error;
      return grant;
    }
    const { token, certificate, expiresAt } = grant.value;
    const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
    this.#failure = undefined;
    this.#expiresAt = expiresAt ?? Infinity;
    this.#access = {
      headers: { ...this.#rules.headers, ...authorization },
      certificate: certificate ?? this.#rules.certificate,
    };
    return ok(this.#access);
  }

  #lifeLeft(): number {
    return this.#access ? this.#expiresAt - this.#clock.now() : 0;
  }

  #isTooEarly(): boolean {
    return this.#clock.now() - this.#askedAt < this.#rules.pauseMs;
  }
}

const isSame = (one: CredentialAccess, other: CredentialAccess): boolean =>
  one.headers["authorization"] === other.headers["authorization"] &&
  one.certificate?.cert === other.certificate?.cert;
