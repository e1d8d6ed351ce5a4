import type { Locator, Page } from "playwright-core";
import { attempt, eventually } from "./eventually.ts";
import type { PageElement } from "./pageElement.ts";

/** Page object of the active text editor. */
export class EditorPage {
  readonly root: Locator;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    this.root = page
      .locator(".editor-group-container.active .editor-instance .monaco-editor")
      .first();
  }

  /** Returns the visible lines from top to bottom. */
  async text(): Promise<string> {
    // One call in the page, because a line may disappear between two calls.
    const lines = await this.root.locator(".view-line").evaluateAll(readLines);
    return lines.join("\n").replaceAll("\u00a0", " ");
  }

  /** Polls until `isRight` accepts the visible lines, because code lenses above them may load late. */
  textThat(isRight: (text: string) => boolean): Promise<string> {
    return eventually("the text", () => this.text(), isRight);
  }

  async waitForText(text: string): Promise<void> {
    await this.#line(text).waitFor();
  }

  squiggles(severity: "error" | "warning" | "info" | "hint"): Locator {
    return this.root.locator(`.squiggly-${severity}`);
  }

  /** Moves the cursor to the end of the line with the text. */
  async goTo(text: string): Promise<void> {
    await this.#line(text).click();
    await this.#page.keyboard.press("End");
  }

  /** Hovers over a word or key and returns the hover text. */
  async hoverOver(text: string): Promise<string> {
    const place = this.root.locator(".view-line span span", { hasText: text }).first();
    // Move twice: the editor treats the first move only as the mouse entering.
    await place.hover({ position: { x: 4, y: 6 } });
    await place.hover({ position: { x: 6, y: 8 } });
    const hover = this.#page.locator(".monaco-hover:not(.hidden) .hover-contents").first();
    await hover.waitFor();
    return this.#page.locator(".monaco-hover:not(.hidden)").first().innerText();
  }

  /** Types key by key, so that the suggestions open as for a user. */
  async typeKeys(text: string): Promise<void> {
    await this.#page.keyboard.type(text);
  }

  async suggestions(): Promise<readonly string[]> {
    await this.#page.keyboard.press("Control+Space");
    const rows = this.#page.locator(".suggest-widget.visible .monaco-list-row");
    await rows.first().waitFor();
    return rows.locator(".label-name").allInnerTexts();
  }

  /** Returns the titles of the quick fixes at the cursor. */
  async quickFixes(): Promise<readonly string[]> {
    const rows = await this.#openQuickFixes();
    const labels = await rows.locator(".title").allInnerTexts();
    await this.#page.keyboard.press("Escape");
    await rows.first().waitFor({ state: "hidden" });
    return labels;
  }

  async quickFix(label: string): Promise<void> {
    const rows = await this.#openQuickFixes();
    const wanted = rows.filter({ hasText: label }).first();
    await wanted.waitFor();
    // Choose by keyboard: in the oldest version, a pane above the list intercepts the mouse.
    for (let left = await rows.count(); left > 0; left -= 1) {
      if (/\bfocused\b/.test((await wanted.getAttribute("class")) ?? "")) break;
      await this.#page.keyboard.press("ArrowDown");
    }
    await this.#page.keyboard.press("Enter");
  }

  async #openQuickFixes(): Promise<Locator> {
    const rows = this.#page.locator(".action-widget .monaco-list-row.action");
    await eventually(
      "the fixes",
      async () => {
        // Retry, because a list that is still closing consumes the key.
        await this.#page.keyboard.press("Control+.");
        return attempt(rows.first().waitFor({ timeout: 5000 }));
      },
      (open) => open,
    );
    return rows;
  }

  #line(text: string): Locator {
    // The editor renders spaces as no-break spaces.
    const drawn = text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll(" ", "[ \u00a0]");
    return this.root.locator(".view-line", { hasText: new RegExp(drawn) }).first();
  }
}

/** Runs in the page. The DOM has lines in creation order, not from top to bottom. */
const readLines = (lines: readonly PageElement[]): readonly string[] =>
  lines
    .map((line) => ({ text: line.textContent ?? "", top: line.getBoundingClientRect().top }))
    .sort((a, b) => a.top - b.top)
    .map(({ text }) => text);
