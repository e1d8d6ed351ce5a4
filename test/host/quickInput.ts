import type { Locator, Page } from "playwright-core";
import { attempt } from "./eventually.ts";

/** Page object of the quick input: command palette, quick picks and input boxes. */
export class QuickInput {
  readonly root: Locator;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    // The newest version fades the quick input out; a fading one counts as closed.
    this.root = page.locator(".quick-input-widget:not(.quick-input-widget-closing):visible");
  }

  /** Waits until the quick input is open and, if a text is given, its title or placeholder contains the text. */
  async waitFor(text?: string): Promise<void> {
    await this.root.waitFor();
    if (text === undefined) return;
    const title = this.root.locator(".quick-input-title", { hasText: text });
    await title.or(this.root.getByPlaceholder(text)).first().waitFor();
  }

  /** Returns the labels of the visible rows. */
  async labels(): Promise<readonly string[]> {
    return this.#rows.locator(".quick-input-list-rows > :first-child .label-name").allInnerTexts();
  }

  /** Returns the text under the input: the validation message or the prompt. */
  async message(): Promise<string> {
    return this.root.locator(".quick-input-message").innerText();
  }

  /** Returns the text in the input; undefined if the quick input is closed. */
  async value(): Promise<string | undefined> {
    if (!(await this.root.isVisible())) return undefined;
    // The quick input may close between the two calls.
    return this.#input.inputValue({ timeout: 2000 }).catch(() => undefined);
  }

  /** Replaces the text in the input. */
  async type(text: string): Promise<void> {
    await this.#input.fill(text);
  }

  /** Like `type`, but returns false if the quick input closes first or the time is up. */
  isTyped(text: string, timeoutMs: number): Promise<boolean> {
    return attempt(this.#input.fill(text, { timeout: timeoutMs }));
  }

  /** Types a value into the input box and presses Enter. */
  async answer(text: string): Promise<void> {
    await this.type(text);
    await this.accept();
  }

  /** Picks the row with this label. Filter a long list with `type` first: only visible rows are in the DOM. */
  async choose(label: string): Promise<void> {
    await this.row(label).click();
  }

  /** Like `choose`, but returns false if the row does not appear in time or the quick input closes first. */
  isChosen(label: string, timeoutMs: number): Promise<boolean> {
    return attempt(this.row(label).click({ timeout: timeoutMs }));
  }

  /** Checks the row in a multi-select quick pick. */
  async tick(label: string): Promise<void> {
    await this.row(label).locator("[role=checkbox], input[type=checkbox]").first().check();
  }

  async untick(label: string): Promise<void> {
    await this.row(label).locator("[role=checkbox], input[type=checkbox]").first().uncheck();
  }

  async accept(): Promise<void> {
    await this.#input.press("Enter");
  }

  /** Closes the quick input if it is open. */
  async cancel(): Promise<void> {
    await attempt(this.#input.press("Escape", { timeout: 2000 }));
    await this.root.waitFor({ state: "hidden" });
  }

  row(label: string): Locator {
    return this.#rows.filter({ has: this.#page.getByText(label, { exact: true }) }).first();
  }

  get #rows(): Locator {
    return this.root.locator(".quick-input-list .monaco-list-row");
  }

  get #input(): Locator {
    return this.root
      .locator(".quick-input-filter input[type=text], .quick-input-filter input")
      .first();
  }
}
