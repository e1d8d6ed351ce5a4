interface PagedListLimits {
  readonly pages: number;
  readonly items: number;
  readonly bytes: number;
}

/**
 * Limits far above any real list: 50,000 pods are 200 pages of 250 pods and about 500 MB of JSON. Servers may return
 * smaller pages than requested.
 */
export const largestPagedList: PagedListLimits = {
  pages: 5_000,
  items: 500_000,
  bytes: 4 * 2 ** 30,
};

const maxTokenLength = 16 << 10;

/** Counts the pages, items and bytes of a paged list. Detects a list that exceeds a limit or repeats a token. */
export class PagedList {
  readonly #limits: PagedListLimits;
  readonly #tokens = new Set<string>();
  #items = 0;
  #bytes = 0;

  constructor(limits: PagedListLimits = largestPagedList) {
    this.#limits = limits;
  }

  /** Counts a page. Returns the reason if the list must be rejected, else undefined. */
  take(items: number, bytes = 0): string | undefined {
    const { items: mostItems, bytes: mostBytes } = this.#limits;
    this.#items += items;
    this.#bytes += bytes;
    if (this.#items > mostItems) return `the list has more than ${mostItems} objects`;
    return this.#bytes > mostBytes ? `the list has more than ${mostBytes / 2 ** 20} MB` : undefined;
  }

  /**
   * Records the continue token of the next page. Returns the reason if the page must not be requested, else undefined.
   */
  follow(token: string): string | undefined {
    const { pages } = this.#limits;
    if (token.length > maxTokenLength) return "the token of the next page is too long";
    if (this.#tokens.has(token)) return "the list repeats a page, so it would never end";
    this.#tokens.add(token);
    return this.#tokens.size >= pages ? `the list has more than ${pages} pages` : undefined;
  }
}
