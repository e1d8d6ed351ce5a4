import { err, ok, type Result } from "../base/result.ts";
import type { FetchedTexts } from "../spark/submit/surroundings.ts";
import { isAbort } from "./abort.ts";

// What a ConfigMap can hold; a pod template that is larger could not be sent on.
const longestBytes = 1024 * 1024;
const deadlineMs = 10_000;

/** Fetches small texts from the web, each within ten seconds and up to 1 MiB. Rejects only when aborted. */
export async function fetchTexts(
  addresses: readonly string[],
  signal: AbortSignal,
): Promise<FetchedTexts> {
  const entries = [...new Set(addresses)].map(
    async (address) => [address, await fetchOne(address, signal)] as const,
  );
  return new Map(await Promise.all(entries));
}

async function fetchOne(address: string, signal: AbortSignal): Promise<Result<string, string>> {
  const deadline = AbortSignal.timeout(deadlineMs);
  try {
    const response = await fetch(address, { signal: AbortSignal.any([signal, deadline]) });
    if (!response.ok) {
      await response.body?.cancel();
      return err(`the server answered ${response.status} ${response.statusText}`.trimEnd());
    }
    if (/^https:/i.test(address) && !response.url.startsWith("https:")) {
      await response.body?.cancel();
      return err("the server sends on to an address that is not encrypted");
    }
    return await readText(response);
  } catch (error) {
    signal.throwIfAborted();
    if (deadline.aborted) return err(`there was no whole answer in ${deadlineMs / 1000} s`);
    if (isAbort(error) || !(error instanceof Error)) throw error;
    return err(causeOf(error).message);
  }
}

async function readText(response: Response): Promise<Result<string, string>> {
  const body: AsyncIterable<Uint8Array> | null = response.body;
  if (body === null) return ok("");
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > longestBytes) return err("it is larger than 1 MiB");
    chunks.push(chunk);
  }
  try {
    return ok(new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks)));
  } catch (error) {
    if (error instanceof TypeError) return err("it is not UTF-8 text");
    throw error;
  }
}

// What `fetch` says itself is only that it failed.
const causeOf = ({ message, cause }: Error): { readonly message: string } =>
  cause instanceof Error && cause.message !== "" ? cause : { message };
