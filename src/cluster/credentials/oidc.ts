import { err, ok, type Result } from "../../base/result.ts";
import { withoutEnd } from "../../base/withoutEnd.ts";
import type { ClusterError } from "../../engine/clusterError.ts";
import type { Clock } from "../../engine/ports/clock.ts";
import { configurationFailure } from "../failure.ts";
import { listAt, nonEmptyTextAt, numberAt, parseJson } from "../../base/json.ts";
import type { Redactor } from "../redactor.ts";
import type { Grant } from "./renewedCredentials.ts";

/** The `oidc` auth provider of a kubeconfig user (`users[].user.auth-provider`), without its tokens. */
interface OidcEntry {
  readonly issuer: URL;
  readonly clientId: string;
  readonly clientSecret: string | undefined;
}

export interface OidcTokens {
  readonly idToken: string | undefined;
  readonly refreshToken: string | undefined;
}

/** Persistent storage of the tokens. */
export interface OidcTokenStore {
  read(): Promise<OidcTokens>;
  /** Replaces the stored tokens if they still equal `old`. */
  replace(old: OidcTokens, next: OidcTokens): Promise<void>;
}

/** Sends a request to the issuer. The error text describes a network failure. */
export type AskIssuer = (
  request: {
    readonly url: URL;
    readonly form: string | undefined;
    readonly authorization: string | undefined;
  },
  signal: AbortSignal,
) => Promise<Result<{ readonly status: number; readonly body: string }, string>>;

interface OidcOptions {
  readonly ask: AskIssuer;
  readonly store: OidcTokenStore;
  readonly clock: Clock;
  readonly redactor: Redactor;
}

const marginMs = 60_000;

/** Provides a valid ID token: the stored one, or a new one from the refresh token. */
export class OidcSource {
  readonly #entry: OidcEntry;
  readonly #around: OidcOptions;
  /** The latest tokens of this connection. They may be missing from the store. */
  #tokens: OidcTokens | undefined;
  #given: string | undefined;

  constructor(entry: OidcEntry, around: OidcOptions) {
    this.#entry = entry;
    this.#around = around;
  }

  async obtain(signal: AbortSignal): Promise<Result<Grant, ClusterError>> {
    const { store, clock, redactor } = this.#around;
    // Another program, such as kubectl, may have refreshed the token meanwhile.
    const kept = await store.read();
    const tokens = this.#newer(kept);
    redactor.learn(tokens.idToken, tokens.refreshToken, this.#entry.clientSecret);
    const expiresAt = tokens.idToken === undefined ? 0 : expiryOf(tokens.idToken);
    // The caller received this token before, so the server has rejected it: refresh it.
    if (
      tokens.idToken !== undefined &&
      tokens.idToken !== this.#given &&
      (expiresAt === undefined || expiresAt - marginMs > clock.now())
    ) {
      return ok(this.#grant(tokens, expiresAt));
    }
    if (tokens.refreshToken === undefined) {
      return this.#refuse(
        "the ID token is missing, expired or rejected, and there is no refresh token",
      );
    }
    const refreshed = await this.#refresh(tokens.refreshToken, signal);
    if (!refreshed.ok) return refreshed;
    const next = { refreshToken: tokens.refreshToken, ...refreshed.value };
    redactor.learn(next.idToken, next.refreshToken);
    this.#tokens = next;
    // Store the tokens only if the issuer rotated the refresh token, because the stored one is then invalid.
    if (next.refreshToken !== tokens.refreshToken) await store.replace(kept, next);
    return ok(this.#grant(next, expiryOf(next.idToken)));
  }

  #newer(kept: OidcTokens): OidcTokens {
    const own = this.#tokens;
    if (!own) return kept;
    const life = (tokens: OidcTokens): number =>
      tokens.idToken === undefined ? 0 : (expiryOf(tokens.idToken) ?? 0);
    return life(kept) > life(own) ? kept : own;
  }

  #grant(tokens: OidcTokens, expiresAt: number | undefined): Grant {
    this.#given = tokens.idToken;
    return { token: tokens.idToken, certificate: undefined, expiresAt };
  }

  async #refresh(
    refreshToken: string,
    signal: AbortSignal,
  ): Promise<Result<{ idToken: string; refreshToken?: string }, ClusterError>> {
    const { issuer, clientId, clientSecret } = this.#entry;
    const discovered = await this.#discover(signal);
    if (!discovered.ok) return discovered;
    const { tokenUrl, secretInForm } = discovered.value;
    const form = new URLSearchParams({ grant_type: "refresh_token", refresh_token: refreshToken });
    let authorization: string | undefined;
    if (clientSecret === undefined || secretInForm) {
      form.set("client_id", clientId);
      if (clientSecret !== undefined) form.set("client_secret", clientSecret);
    } else {
      const pair = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`;
      authorization = `Basic ${Buffer.from(pair).toString("base64")}`;
    }
    const request = { url: tokenUrl, form: form.toString(), authorization };
    const answer = await this.#around.ask(request, signal);
    if (!answer.ok) return this.#refuse(answer.error);
    const json = parseJson(answer.value.body);
    const body = json.ok ? json.value : undefined;
    if (answer.value.status !== 200) {
      const why = [nonEmptyTextAt(body, "error"), nonEmptyTextAt(body, "error_description")]
        .filter(Boolean)
        .join(": ");
      return this.#refuse(
        `${issuer.host} rejected the token refresh (status ${answer.value.status}${why === "" ? "" : `, ${why}`})`,
      );
    }
    const idToken = nonEmptyTextAt(body, "id_token");
    if (idToken === undefined)
      return this.#refuse(`${issuer.host} returned no id_token for the token refresh`);
    const rotated = nonEmptyTextAt(body, "refresh_token");
    return ok({ idToken, ...(rotated !== undefined && { refreshToken: rotated }) });
  }

  async #discover(
    signal: AbortSignal,
  ): Promise<Result<{ tokenUrl: URL; secretInForm: boolean }, ClusterError>> {
    const { issuer } = this.#entry;
    const base = withoutEnd(issuer.href, "/");
    const url = new URL(`${base}/.well-known/openid-configuration`);
    const answer = await this.#around.ask(
      { url, form: undefined, authorization: undefined },
      signal,
    );
    if (!answer.ok) return this.#refuse(answer.error);
    const json = parseJson(answer.value.body);
    if (answer.value.status !== 200 || !json.ok) {
      return this.#refuse(
        `${url.href} returned no OpenID configuration (status ${answer.value.status})`,
      );
    }
    if (withoutEnd(nonEmptyTextAt(json.value, "issuer") ?? "", "/") !== base) {
      return this.#refuse(`${url.href} describes another issuer`);
    }
    const tokenUrl = URL.parse(nonEmptyTextAt(json.value, "token_endpoint") ?? "");
    // The refresh token is sent to this URL, so require HTTPS.
    if (tokenUrl?.protocol !== "https:")
      return this.#refuse(`${url.href} has no https token endpoint`);
    const methods = listAt(json.value, "token_endpoint_auth_methods_supported");
    const secretInForm = methods.length > 0 && !methods.includes("client_secret_basic");
    return ok({ tokenUrl, secretInForm });
  }

  #refuse(why: string): Result<never, ClusterError> {
    const refusal = configurationFailure(
      "credentials",
      `${why}. Sign in again the way you do for kubectl`,
    );
    return err({ ...refusal.error, detail: this.#around.redactor.redact(refusal.error.detail) });
  }
}

/** Returns `exp` of a JSON Web Token in epoch ms, or undefined if there is none. */
function expiryOf(token: string): number | undefined {
  const payload = parseJson(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
  const seconds = payload.ok ? numberAt(payload.value, "exp") : undefined;
  return seconds === undefined ? undefined : seconds * 1000;
}
