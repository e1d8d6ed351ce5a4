/**
 * The members of an element that functions in the page use. The tests are compiled without the
 * types of the DOM.
 */
export interface PageElement {
  readonly textContent: string | null;
  querySelector(selector: string): PageElement | null;
  getAttribute(name: string): string | null;
  getBoundingClientRect(): { readonly top: number };
}
