import { fieldAt, nonEmptyTextAt, parseJson } from "../base/json.ts";
import type { PagedList } from "../base/pagedList.ts";
import { err, ok, type Result } from "../base/result.ts";
import type { ClusterError } from "../engine/clusterError.ts";
import { BodyLost } from "../io/http/body.ts";
import { type AnswerRules, type ApiCall, type ApiClient, headersMs } from "./apiRequest.ts";
import { ItemSplitter } from "./bytes/itemSplitter.ts";
import { parseWithoutManagedFields } from "./bytes/parseWithoutManagedFields.ts";
import { isJson } from "./readRefusal.ts";

/** Size limit of one object or watch event in bytes. etcd rejects objects above 1.5 MB by default. */
export const maxObjectBytes = 8 << 20;

// No limit for the whole answer: a server may ignore the page limit and send all objects at once.
const listRules: AnswerRules = { channel: "api", headersMs, silenceMs: 30_000, wholeMs: undefined };

/** How to read the items of a page. */
interface PageItems<Item> {
  /** The plural name of the objects, for error messages. */
  readonly what: string;
  /**
   * Returns undefined for an object of another kind. With `skipsOthers`, such objects and invalid JSON are skipped;
   * otherwise they make the page invalid.
   */
  readonly decode: (json: unknown) => Item | undefined;
  readonly skipsOthers: boolean;
}

/** A page of a list. */
export interface ReadPage<Item> {
  readonly items: readonly Item[];
  readonly resourceVersion: string;
  readonly continueToken: string | undefined;
}

/**
 * Requests a page of a list and decodes its items as the bytes arrive, so that a large page does not block the event
 * loop for longer than one chunk. `pages` counts the items and bytes of the whole list.
 */
export async function readPage<Item>(
  api: ApiClient,
  call: ApiCall,
  items: PageItems<Item>,
  pages: PagedList,
  signal: AbortSignal,
): Promise<Result<ReadPage<Item>, ClusterError>> {
  const answer = await api.open(call, listRules, signal);
  if (!answer.ok) return answer;
  const { contentType, chunks, close } = answer.value;
  if (!isJson(contentType)) {
    close();
    return err(badResponse(`the list of ${items.what} came as ${contentType}, not JSON`));
  }
  try {
    return await pageIn(chunks, items, pages);
  } catch (error) {
    if (!(error instanceof BodyLost)) throw error;
    return err(api.lossOf(error, call));
  }
}

async function pageIn<Item>(
  chunks: AsyncIterable<Buffer>,
  { what, decode, skipsOthers }: PageItems<Item>,
  pages: PagedList,
): Promise<Result<ReadPage<Item>, ClusterError>> {
  const splitter = new ItemSplitter(maxObjectBytes);
  const items: Item[] = [];
  let invalid = 0;
  for await (const chunk of chunks) {
    let count = 0;
    splitter.push(chunk, (bytes) => {
      count += 1;
      const json = parseWithoutManagedFields(bytes);
      const item = json.ok ? decode(json.value) : undefined;
      if (item !== undefined) items.push(item);
      else if (!skipsOthers) invalid += 1;
    });
    if (splitter.isBroken || invalid > 0) break;
    const refusal = pages.take(count, chunk.length);
    if (refusal !== undefined) return err(badResponse(refusal));
  }
  const envelope = parseJson(splitter.takeEnvelope().toString());
  const metadata = envelope.ok ? fieldAt(envelope.value, "metadata") : undefined;
  const resourceVersion = nonEmptyTextAt(metadata, "resourceVersion");
  if (splitter.isBroken || invalid > 0 || resourceVersion === undefined) {
    return err(badResponse(`the answer is not a list of ${what}`));
  }
  return ok({ items, resourceVersion, continueToken: nonEmptyTextAt(metadata, "continue") });
}

export const badResponse = (detail: string): ClusterError => ({
  kind: "badResponse",
  status: undefined,
  detail,
});
