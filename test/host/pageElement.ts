/** What functions that run in the page need of an element of its; the tests are compiled without the DOM's types. */
export interface PageElement {
  readonly textContent: string | null;
  querySelector(selector: string): PageElement | null;
  getAttribute(name: string): string | null;
  getBoundingClientRect(): { readonly top: number };
}
