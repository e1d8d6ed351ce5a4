/** The part of the DOM's `Element` that page functions use, because the tests are compiled without the DOM types. */
export interface PageElement {
  readonly textContent: string | null;
  querySelector(selector: string): PageElement | null;
  getAttribute(name: string): string | null;
  getBoundingClientRect(): { readonly top: number };
}
