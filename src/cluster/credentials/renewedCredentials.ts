import { err, ok, type Result } from "../../base/result.ts";
import type { ClusterError } from "../../engine/clusterError.ts";
import type { Clock } from "../../engine/ports.ts";
import { ignoreAbort, waitFor } from "../abort.ts";
import type { ClientCertificate } from "../transport/endpoint.ts";
import type { Access, Credentials } from "./credentials.ts";

/** Credentials that a plug-in, an issuer or a file gave. */
export interface Grant {
  readonly token: string | undefined;
  readonly certificate: ClientCertificate | undefined;
  /** Milliseconds since the epoch; undefined: good until a server refuses them. */
  readonly expiresAt: number | undefined;
}

export interface RenewalRules {
  /** Asks for credentials; `signal` ends with the connection. */
  readonly obtain: (signal: AbortSignal) => Promise<Result<Grant, ClusterError>>;
  /** Added to each request besides the token. */
  readonly headers: Access["headers"];
  /** Used for the handshake unless the grant brings one. */
  readonly certificate: ClientCertificate | undefined;
  /** So long before the end of their life, credentials are renewed. */
  readonly marginMs: number;
  /** They are asked for no more often than this, whatever comes. */
  readonly pauseMs: number;
}

type Obtained = Result<Access, ClusterError>;

/**
 * Credentials with an end. However many requests need new ones, they are asked for once, and all wait for
 * that; a request that is given up meanwhile does not take the credentials from the others.
 */
export class RenewedCredentials implements Credentials {
  readonly #rules: RenewalRules;
  readonly #clock: Clock;
  readonly #life = new AbortController();
  #access: Access | undefined;
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
    // A failure just before the end of their life leaves the old ones to use.
    return !obtained.ok && this.#access && this.#lifeLeft() > 0 ? ok(this.#access) : obtained;
  }

  async renew(
    refused: Access,
    signal: AbortSignal,
  ): Promise<Result<Access | undefined, ClusterError>> {
    if (!this.#underWay) {
      // Somebody else has renewed them since that request was sent.
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
      // If all who wait give up before the connection ends, its end has no other listener.
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

const isSame = (one: Access, other: Access): boolean =>
  one.headers["authorization"] === other.headers["authorization"] &&
  one.certificate?.cert === other.certificate?.cert;
