import { fieldAt, nonEmptyTextAt, parseJson } from "../base/json.ts";
import type { PagedList } from "../base/pagedList.ts";
import { err, ok, type Result } from "../base/result.ts";
import type { ClusterError } from "../engine/clusterError.ts";
import { BodyLost } from "../io/http/body.ts";
import {
  type AnswerRules,
  type ApiAnswer,
  type ApiCall,
  type ApiClient,
  headersMs,
} from "./apiRequest.ts";
import { ItemSplitter } from "./bytes/itemSplitter.ts";
import { parseWithoutManagedFields } from "./bytes/parseWithoutManagedFields.ts";
import { isJson } from "./readRefusal.ts";

/** Size limit of one object or watch event in bytes. etcd rejects objects above 1.5 MB by default. */
export const maxObjectBytes = 8 << 20;

// No limit for the whole response: a server may ignore the page limit and send all objects at once.
const listRules: AnswerRules = { channel: "api", headersMs, silenceMs: 30_000, wholeMs: undefined };

/** The decoder of a page's items. */
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

/** A page of a list. Some lists have no resource version, such as those of metrics. */
interface ListedPage<Item, Version = string | undefined> {
  readonly items: readonly Item[];
  readonly resourceVersion: Version;
  readonly continueToken: string | undefined;
}

/** Requests all pages of a list with their continue tokens. Returns their items as one page. */
export async function readPages<Item, Version>(
  pages: PagedList,
  request: (
    continueToken: string | undefined,
  ) => Promise<Result<ListedPage<Item, Version>, ClusterError>>,
): Promise<Result<ListedPage<Item, Version>, ClusterError>> {
  let items: readonly Item[] = [];
  let token: string | undefined;
  for (;;) {
    const page = await request(token);
    if (!page.ok) return page;
    // Do not spread: a server may ignore the page limit, and spreading 100,000 items overflows the stack.
    items = items.concat(page.value.items);
    token = page.value.continueToken;
    if (token === undefined) return ok({ ...page.value, items });
    const refusal = pages.follow(token);
    if (refusal !== undefined) return err(badResponse(refusal));
  }
}

/** Requests a page of a list that can be watched. `pages` counts the items and bytes of the whole list. */
export async function readPage<Item>(
  api: ApiClient,
  call: ApiCall,
  items: PageItems<Item>,
  pages: PagedList,
  signal: AbortSignal,
): Promise<Result<ListedPage<Item, string>, ClusterError>> {
  const answer = await api.open(call, listRules, signal);
  if (!answer.ok) return answer;
  try {
    const page = await pageIn(answer.value, items, pages);
    if (!page.ok) return page;
    const { resourceVersion, ...rest } = page.value;
    return resourceVersion === undefined ? err(noList(items)) : ok({ ...rest, resourceVersion });
  } catch (error) {
    if (!(error instanceof BodyLost)) throw error;
    return err(api.lossOf(error, call));
  }
}

/**
 * Reads a response as a page of a list. Decodes its items as the bytes arrive, so that a large page does not block the
 * event loop for longer than one chunk.
 */
export async function pageIn<Item>(
  { contentType, chunks, close }: ApiAnswer,
  kind: PageItems<Item>,
  pages: PagedList,
): Promise<Result<ListedPage<Item>, ClusterError>> {
  if (!isJson(contentType)) {
    close();
    return err(
      badResponse(`the list of ${kind.what} has the content type ${contentType}, not JSON`),
    );
  }
  const splitter = new ItemSplitter(maxObjectBytes);
  const items: Item[] = [];
  let invalid = 0;
  for await (const chunk of chunks) {
    let count = 0;
    splitter.push(chunk, (bytes) => {
      count += 1;
      const json = parseWithoutManagedFields(bytes);
      const item = json.ok ? kind.decode(json.value) : undefined;
      if (item !== undefined) items.push(item);
      else if (!kind.skipsOthers) invalid += 1;
    });
    if (splitter.isBroken || invalid > 0) return err(noList(kind));
    const refusal = pages.take(count, chunk.length);
    if (refusal !== undefined) return err(badResponse(refusal));
  }
  const json = parseJson(splitter.takeEnvelope().toString());
  const envelope = json.ok ? json.value : undefined;
  const listed = fieldAt(envelope, "items");
  // Accept null items: Go encodes a nil slice as null.
  const isList = listed === null || Array.isArray(listed);
  if (splitter.isBroken || !isList) return err(noList(kind));
  const metadata = fieldAt(envelope, "metadata");
  return ok({
    items,
    resourceVersion: nonEmptyTextAt(metadata, "resourceVersion"),
    continueToken: nonEmptyTextAt(metadata, "continue"),
  });
}

const noList = ({ what }: Pick<PageItems<unknown>, "what">): ClusterError =>
  badResponse(`the response is not a list of ${what}`);

const badResponse = (detail: string): ClusterError => ({
  kind: "badResponse",
  status: undefined,
  detail,
});
