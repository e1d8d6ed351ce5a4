import { createHash } from "node:crypto";
import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import type { Disposable } from "../../base/disposable.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Clock, Random } from "../../engine/ports/clock.ts";
import { throwIfAborted } from "../../io/abort.ts";
import { objectUrl, type S3Query } from "./objectUrl.ts";
import { failureOf, failureOfLoss, type S3Failure } from "./s3Failure.ts";
import type { S3Settings } from "./s3Settings.ts";
import { signedHeaders } from "./sign.ts";
import { askStorage, type StorageAnswer } from "./storageAnswer.ts";
import { xmlTextOf } from "./xmlText.ts";

interface S3Call {
  readonly method: "GET" | "HEAD" | "PUT" | "POST" | "DELETE";
  /** Empty for the bucket itself. */
  readonly key: string;
  readonly query?: S3Query;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  /** Called with the number of body bytes sent so far. Restarts near 0 on a retry. */
  readonly onSent?: (bytes: number) => void;
  /** `long`: the storage may process the request for minutes before it responds. */
  readonly work?: "short" | "long";
  /** `once`: no retries, for optional calls. */
  readonly tries?: "once" | "usual";
}

const silenceMs = { short: 60_000, long: 300_000 } as const;
const retries = { never: 0, few: 2, many: 6 } as const;
const firstDelayMs = 400;
const maxDelayMs = 15_000;

/**
 * A client for one bucket; owns the connections until disposed. Retries transient failures with exponential back-off,
 * so every call must be safe to repeat.
 */
export class S3Bucket implements Disposable {
  readonly settings: S3Settings;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #secure: HttpsAgent;
  readonly #plain: HttpAgent;
  #region: string;

  constructor(settings: S3Settings, clock: Clock, random: Random) {
    const { authorities } = settings;
    this.settings = settings;
    this.#clock = clock;
    this.#random = random;
    this.#region = settings.region;
    this.#plain = new HttpAgent({ keepAlive: true });
    this.#secure = new HttpsAgent({
      keepAlive: true,
      ...(authorities !== undefined && { ca: authorities }),
    });
  }

  async request(call: S3Call, signal: AbortSignal): Promise<Result<StorageAnswer, S3Failure>> {
    for (let attempt = 0; ; attempt++) {
      throwIfAborted(signal);
      const url = objectUrl(this.settings, this.#region, call.key, call.query ?? {});
      const came = await this.#send(call, url, signal);
      if (came.kind === "answered" && isDone(came)) return ok(came);
      if (came.kind === "answered" && this.#moveTo(regionNamedBy(came))) continue;
      const failure =
        came.kind === "answered" ? failureOf(came, url, this.settings) : failureOfLoss(came, url);
      if (call.tries === "once" || attempt >= retries[failure.retry]) return err(failure);
      await this.#clock.sleep(Math.max(failure.leastWaitMs, this.#delay(attempt)), signal);
    }
  }

  dispose(): void {
    this.#plain.destroy();
    this.#secure.destroy();
  }

  async #send(call: S3Call, url: URL, signal: AbortSignal): ReturnType<typeof askStorage> {
    const { method, body, onSent, work = "short" } = call;
    const sha256 = createHash("sha256")
      .update(body ?? "")
      .digest("hex");
    const request = { method, url, headers: call.headers ?? {}, sha256 };
    const { identity } = this.settings;
    const headers = await signedHeaders(request, identity, this.#region, this.#clock.now());
    const agent = url.protocol === "https:" ? this.#secure : this.#plain;
    const wire = { agent, method, url, headers, body, onSent, silenceMs: silenceMs[work] };
    return askStorage(wire, this.#clock, signal);
  }

  /** Switches to the region that a response names. Returns true if it differs from the current one. */
  #moveTo(region: string | undefined): boolean {
    // Switch at most once, to avoid a redirect loop.
    if (region === undefined || this.#region !== this.settings.region) return false;
    this.#region = region;
    return region !== this.settings.region;
  }

  // Jitter between 50 % and 100 %, so that waiting clients do not retry at the same time.
  #delay(attempt: number): number {
    const full = Math.min(maxDelayMs, firstDelayMs * 2 ** attempt);
    return full * (0.5 + this.#random() / 2);
  }
}

// CopyObject and CompleteMultipartUpload may send status 200 first and an <Error> in the body later.
const isDone = ({ status, text }: StorageAnswer): boolean =>
  status >= 200 && status < 300 && !/<Error[\s>]/.test(text);

function regionNamedBy({ status, headers, text }: StorageAnswer): string | undefined {
  if (status !== 301 && status !== 400) return undefined;
  const named = headers["x-amz-bucket-region"] ?? xmlTextOf(text, "Region");
  return typeof named === "string" && /^[a-z0-9-]+$/.test(named) ? named : undefined;
}
