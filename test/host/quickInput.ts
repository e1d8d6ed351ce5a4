import type { Locator, Page } from "playwright-core";
import { attempt } from "./eventually.ts";

/** The box on top: palette, picks and input boxes. */
export class QuickInput {
  readonly root: Locator;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    // The newer version fades the box out; a fading box counts as closed.
    this.root = page.locator(".quick-input-widget:not(.quick-input-widget-closing):visible");
  }

  /** Waits until it is open; with a text, until its title or placeholder has that text. */
  async waitFor(text?: string): Promise<void> {
    await this.root.waitFor();
    if (text === undefined) return;
    const title = this.root.locator(".quick-input-title", { hasText: text });
    await title.or(this.root.getByPlaceholder(text)).first().waitFor();
  }

  /** The visible labels. */
  async labels(): Promise<readonly string[]> {
    return this.#rows.locator(".quick-input-list-rows > :first-child .label-name").allInnerTexts();
  }

  /** The text under the input: the validation message or the prompt. */
  async message(): Promise<string> {
    return this.root.locator(".quick-input-message").innerText();
  }

  /** The text in the input; undefined when the box is closed. */
  async value(): Promise<string | undefined> {
    if (!(await this.root.isVisible())) return undefined;
    // The box may close between the two calls.
    return this.#input.inputValue({ timeout: 2000 }).catch(() => undefined);
  }

  /** Replaces the text in the input. */
  async type(text: string): Promise<void> {
    await this.#input.fill(text);
  }

  /** As `type`, but returns false if the box closes first. */
  isTyped(text: string, timeoutMs: number): Promise<boolean> {
    return attempt(this.#input.fill(text, { timeout: timeoutMs }));
  }

  /** Types the answer of an input box and confirms. */
  async answer(text: string): Promise<void> {
    await this.type(text);
    await this.accept();
  }

  /**
   * Picks the row with this label. If the list is longer than the window, type a part of it first.
   */
  async choose(label: string): Promise<void> {
    await this.row(label).click();
  }

  /** As `choose`, but returns false if the row does not appear or the box closes first. */
  isChosen(label: string, timeoutMs: number): Promise<boolean> {
    return attempt(this.row(label).click({ timeout: timeoutMs }));
  }

  /** Checks the row of a multi-select pick. */
  async tick(label: string): Promise<void> {
    await this.row(label).locator("[role=checkbox], input[type=checkbox]").first().check();
  }

  async untick(label: string): Promise<void> {
    await this.row(label).locator("[role=checkbox], input[type=checkbox]").first().uncheck();
  }

  async accept(): Promise<void> {
    await this.#input.press("Enter");
  }

  /** Closes the box if it is open. */
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
