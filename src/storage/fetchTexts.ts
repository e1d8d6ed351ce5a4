import { lookup as systemLookup, type LookupAddress } from "node:dns";
import http from "node:http";
import https from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { err, ok, type Result } from "../base/result.ts";
import type { SpecialPlace } from "../engine/ports/connection.ts";
import type { FetchedTexts } from "../spark/submit/conf/environment.ts";
import { isAbort } from "../base/isAbort.ts";
import { isSpecialAddress } from "./specialAddress.ts";

// Size limit of a ConfigMap: a larger pod template could not be submitted.
const maxBytes = 1024 * 1024;
const deadlineMs = 10_000;
const maxAddresses = 16;
const maxRedirects = 5;
// Limits the number of prompts, because each special address shows one.
const maxSpecialAddresses = 4;

interface FetchOptions {
  /** Prompts the user if needed. Resolves to true if requests to this special address are allowed. */
  readonly mayReach: (place: SpecialPlace) => Promise<boolean>;
  /** Resolves a host name to all its addresses. */
  readonly lookup?: (host: string) => Promise<readonly LookupAddress[]>;
}

/**
 * Fetches small text files over HTTP, without credentials. Each request has a timeout of 10 s and a limit of 1 MiB.
 * Checks the IP addresses of each host, also of redirect targets, when it connects. Returns failures as results;
 * rejects with an AbortError when aborted.
 */
export async function fetchTexts(
  addresses: readonly string[],
  options: FetchOptions,
  signal: AbortSignal,
): Promise<FetchedTexts> {
  const texts = new Map<string, Result<string, string>>();
  // Sequential, because each request may prompt the user.
  for (const address of new Set(addresses)) {
    const isTooMany = texts.size >= maxAddresses;
    texts.set(
      address,
      isTooMany
        ? err(`more than ${maxAddresses} addresses are specified`)
        : await fetchOne(address, options, signal),
    );
  }
  return texts;
}

/**
 * Finds out if text files exist, with the limits per request and the address checks of `fetchTexts`. The value is true
 * if the file exists, false after 404 or 410, and undefined after another failure. After such a failure, later
 * addresses of that server are not requested and are absent from the result.
 */
export async function probeTexts(
  addresses: readonly string[],
  options: FetchOptions,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, boolean | undefined>> {
  const found = new Map<string, boolean | undefined>();
  const silent = new Set<string>();
  for (const address of new Set(addresses)) {
    const origin = URL.parse(address)?.origin ?? "";
    if (silent.has(origin)) continue;
    const answer = await fetchAnswer(address, options, signal);
    const isMissing = !answer.ok && answer.error instanceof NoSuchText;
    found.set(address, answer.ok ? true : isMissing ? false : undefined);
    if (!answer.ok && !isMissing) silent.add(origin);
  }
  return found;
}

async function fetchOne(
  address: string,
  options: FetchOptions,
  signal: AbortSignal,
): Promise<Result<string, string>> {
  const answer = await fetchAnswer(address, options, signal);
  return answer.ok ? answer : err(answer.error.message);
}

async function fetchAnswer(
  address: string,
  options: FetchOptions,
  signal: AbortSignal,
): Promise<Result<string, Error>> {
  let url = URL.parse(address);
  for (let redirects = 0; ; redirects += 1) {
    const refusal = refusalOf(url);
    if (url === null || refusal !== undefined) return err(new Error(refusal ?? notWeb));
    const answer = await reach(url, options, signal);
    if (!answer.ok) return answer;
    if (answer.value.kind === "text") return ok(answer.value.text);
    const next = followed(url, answer.value.location);
    if (!next.ok) return err(new Error(next.error));
    if (redirects >= maxRedirects) {
      return err(new Error(`the server redirects more than ${maxRedirects} times`));
    }
    url = next.value;
  }
}

/** Returns the redirect target; null if it is not a valid URL. Returns an error if it downgrades from HTTPS to HTTP. */
export function followed(from: URL, location: string): Result<URL | null, string> {
  const next = URL.parse(location, from.href);
  return from.protocol === "https:" && next?.protocol === "http:"
    ? err("the server redirects from https to http")
    : ok(next);
}

const notWeb = "it is not an http or https address";

function refusalOf(url: URL | null): string | undefined {
  if (url === null || !/^https?:$/.test(url.protocol)) return notWeb;
  return url.username + url.password === ""
    ? undefined
    : "the address must not contain credentials";
}

/** Sends the request. Before it connects to a special address, checks that the user allows this. */
async function reach(
  url: URL,
  { mayReach, lookup = findAddresses }: FetchOptions,
  signal: AbortSignal,
): Promise<Result<Answer, Error>> {
  const agreed = new Set<string>();
  for (;;) {
    const answer = await request(url, agreed, lookup, signal);
    if (answer.ok || !(answer.error instanceof SpecialAddress)) return answer;
    const { address } = answer.error;
    const isAgreed =
      agreed.size < maxSpecialAddresses && (await mayReach({ origin: url.origin, address }));
    signal.throwIfAborted();
    if (!isAgreed) {
      return err(new Error(`requests to ${url.host} at ${address} were not allowed`));
    }
    agreed.add(address);
  }
}

type Answer =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "redirect"; readonly location: string };

/** The server responded with 404 or 410. */
class NoSuchText extends Error {}

class SpecialAddress extends Error {
  readonly address: string;

  constructor(address: string) {
    super(`${address} is not a public address`);
    this.address = address;
  }
}

const findAddresses = (host: string): Promise<readonly LookupAddress[]> =>
  new Promise((resolve, reject) => {
    systemLookup(host, { all: true }, (error, found) => {
      if (error) reject(error);
      else resolve(found);
    });
  });

async function request(
  url: URL,
  agreed: ReadonlySet<string>,
  find: NonNullable<FetchOptions["lookup"]>,
  signal: AbortSignal,
): Promise<Result<Answer, Error>> {
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  const isRefused = (address: string): boolean => isSpecialAddress(address) && !agreed.has(address);
  // Node does not call `lookup` for an IP address literal, so check it here.
  if (isIP(host) !== 0 && isRefused(host)) return err(new SpecialAddress(host));
  // Check inside `lookup`, so that Node connects to exactly the checked addresses (DNS rebinding).
  const lookup: LookupFunction = (name, { all }, callback) => {
    find(name).then(
      (found) => {
        const [first] = found;
        const special = found.find(({ address }) => isRefused(address));
        if (special !== undefined) callback(new SpecialAddress(special.address), []);
        else if (first === undefined) callback(new Error(`${name} has no IP address`), []);
        else if (all === true) callback(null, [...found]);
        else callback(null, first.address, first.family);
      },
      (error: unknown) => {
        callback(error instanceof Error ? error : new Error(String(error)), []);
      },
    );
  };
  const deadline = AbortSignal.timeout(deadlineMs);
  try {
    const options = { lookup, agent: false, signal: AbortSignal.any([signal, deadline]) };
    return await read(await answerOf(url, options));
  } catch (error) {
    signal.throwIfAborted();
    if (deadline.aborted)
      return err(new Error(`no complete response arrived within ${deadlineMs / 1000} s`));
    if (isAbort(error) || !(error instanceof Error)) throw error;
    return err(error);
  }
}

const answerOf = (url: URL, options: https.RequestOptions): Promise<http.IncomingMessage> =>
  new Promise((resolve, reject) => {
    const sent = (url.protocol === "https:" ? https : http).get(url, options, resolve);
    // Keep this listener after the response: an unhandled "error" event would end the extension host.
    sent.on("error", reject);
  });

async function read(response: http.IncomingMessage): Promise<Result<Answer, Error>> {
  const { statusCode = 0, statusMessage = "", headers } = response;
  const isRedirect = [301, 302, 303, 307, 308].includes(statusCode);
  if (isRedirect && headers.location !== undefined) {
    response.destroy();
    return ok({ kind: "redirect", location: headers.location });
  }
  if (statusCode < 200 || statusCode > 299) {
    response.destroy();
    const answered = `the server responded with ${statusCode} ${statusMessage}`.trimEnd();
    return err([404, 410].includes(statusCode) ? new NoSuchText(answered) : new Error(answered));
  }
  const body: AsyncIterable<Uint8Array> = response;
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > maxBytes) return err(new Error("it is larger than 1 MiB"));
    chunks.push(chunk);
  }
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
    return ok({ kind: "text", text });
  } catch (error) {
    if (error instanceof TypeError) return err(new Error("it is not UTF-8 text"));
    throw error;
  }
}
