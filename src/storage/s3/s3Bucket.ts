import { createHash } from "node:crypto";
import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import type { Disposable } from "../../base/disposable.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Clock, Random } from "../../engine/ports.ts";
import { throwIfAborted } from "../abort.ts";
import { exchange, type Answered } from "./exchange.ts";
import { objectUrl, type S3Query } from "./objectUrl.ts";
import { failureOf, failureOfLoss, type S3Failure } from "./s3Failure.ts";
import type { S3Settings } from "./s3Settings.ts";
import { signedHeaders } from "./sign.ts";
import { textOf } from "./xmlText.ts";

export interface S3Call {
  readonly method: "GET" | "HEAD" | "PUT" | "POST" | "DELETE";
  /** Empty: the bucket itself. */
  readonly key: string;
  readonly query?: S3Query;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  /** Called with the bytes sent so far; again from the beginning when the call is sent again. */
  readonly onSent?: (bytes: number) => void;
  /** `long`: the storage works on it before it says anything. */
  readonly work?: "short" | "long";
  /** `once`: a failure does not matter enough to try again. */
  readonly tries?: "once" | "usual";
}

const silenceMs = { short: 60_000, long: 300_000 } as const;
const retries = { never: 0, few: 2, many: 6 } as const;
const firstDelayMs = 400;
const longestDelayMs = 15_000;

/**
 * One bucket and the connections to it, until it is disposed. A call is sent again, later each time, while
 * what failed may pass; all that are sent here come to the same when they are carried out twice.
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

  async request(call: S3Call, signal: AbortSignal): Promise<Result<Answered, S3Failure>> {
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

  async #send(call: S3Call, url: URL, signal: AbortSignal): ReturnType<typeof exchange> {
    const { method, body, onSent, work = "short" } = call;
    const sha256 = createHash("sha256")
      .update(body ?? "")
      .digest("hex");
    const request = { method, url, headers: call.headers ?? {}, sha256 };
    const { identity } = this.settings;
    const headers = await signedHeaders(request, identity, this.#region, this.#clock.now());
    const wire = { method, url, headers, body, onSent, silenceMs: silenceMs[work] };
    const agent = url.protocol === "https:" ? this.#secure : this.#plain;
    return exchange(agent, wire, this.#clock, signal);
  }

  /** True if the bucket is somewhere else than was thought. */
  #moveTo(region: string | undefined): boolean {
    // Once only: the region was either ours by default or wrong.
    if (region === undefined || this.#region !== this.settings.region) return false;
    this.#region = region;
    return region !== this.settings.region;
  }

  // Between half of it and all, so that many who wait do not come back at once.
  #delay(attempt: number): number {
    const full = Math.min(longestDelayMs, firstDelayMs * 2 ** attempt);
    return full * (0.5 + this.#random() / 2);
  }
}

// Copying and completing begin their answer before they know how it ends.
const isDone = ({ status, text }: Answered): boolean =>
  status >= 200 && status < 300 && !/<Error[\s>]/.test(text);

function regionNamedBy({ status, headers, text }: Answered): string | undefined {
  if (status !== 301 && status !== 400) return undefined;
  const named = headers["x-amz-bucket-region"] ?? textOf(text, "Region");
  return typeof named === "string" && /^[a-z0-9-]+$/.test(named) ? named : undefined;
}
