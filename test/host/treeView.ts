import type { Locator, Page } from "playwright-core";
import { attempt, eventually } from "./eventually.ts";
import type { PageElement } from "./pageElement.ts";

export interface TreeRowText {
  readonly label: string;
  readonly description: string;
  /** The depth in the tree; 1 for top-level rows. */
  readonly level: number;
  readonly expanded: boolean | undefined;
}

/** Page object of the tree view with this name. Only visible rows are in the DOM: scroll, or collapse other rows. */
export class TreeView {
  readonly root: Locator;
  readonly #page: Page;

  constructor(page: Page, name: string) {
    this.#page = page;
    this.root = page.getByRole("tree", { name, exact: true });
  }

  async rows(): Promise<readonly TreeRowText[]> {
    // One call in the page, because a row may disappear between two calls.
    return this.root.getByRole("treeitem").evaluateAll(readRows);
  }

  /** Returns the first row whose label equals the string or matches the pattern. */
  row(label: string | RegExp): TreeRow {
    return new TreeRow(this.#page, this.#rowsWith(label).first());
  }

  lastRow(label: string | RegExp): TreeRow {
    return new TreeRow(this.#page, this.#rowsWith(label).last());
  }

  #rowsWith(label: string | RegExp): Locator {
    const name = this.#page.locator(".label-name").getByText(label, { exact: true });
    return this.root.getByRole("treeitem").filter({ has: name });
  }
}

export class TreeRow {
  readonly root: Locator;
  readonly #page: Page;

  constructor(page: Page, root: Locator) {
    this.#page = page;
    this.root = root;
  }

  async waitFor(): Promise<void> {
    await this.root.waitFor();
  }

  /** Waits until the row's description matches the pattern. */
  async describes(what: RegExp): Promise<void> {
    const description = this.root.locator(".label-description");
    await eventually(
      `${String(what)} behind the label`,
      async () => (await description.allInnerTexts()).join(""),
      (text) => what.test(text),
    );
  }

  async click(): Promise<void> {
    await this.root.click();
  }

  /** Adds the row to the selection (Ctrl+click). */
  async clickToo(): Promise<void> {
    await this.root.click({ modifiers: ["Control"] });
  }

  /** Selects all rows from the one clicked before to this one (Shift+click). */
  async clickUpTo(): Promise<void> {
    await this.root.click({ modifiers: ["Shift"] });
  }

  /**
   * Drags this row, and all selected rows if it is one of them, to the middle of an element. With Shift, an editor
   * inserts the dropped text instead of opening it.
   */
  async dragTo(place: Locator, key?: "Shift"): Promise<void> {
    const { mouse, keyboard } = this.#page;
    const from = await middleOf(this.root);
    const to = await middleOf(place);
    await mouse.move(from.x, from.y);
    await mouse.down();
    // A drag begins only after the mouse has moved some distance. Before that, the modifier key changes the selection.
    await mouse.move(from.x + 20, from.y, { steps: 4 });
    if (key !== undefined) await keyboard.down(key);
    await mouse.move(to.x, to.y, { steps: 10 });
    await mouse.up();
    if (key !== undefined) await keyboard.up(key);
  }

  async expand(): Promise<void> {
    await this.#turn("false");
  }

  async collapse(): Promise<void> {
    await this.#turn("true");
  }

  /** Clicks an inline button of the row, which is visible only while the mouse is over the row. */
  async inlineAction(label: string): Promise<void> {
    await this.root.hover();
    await this.root.locator(labelled(label)).click();
  }

  async contextMenu(label: string): Promise<void> {
    const { keyboard } = this.#page;
    const items = this.#page.locator(".monaco-menu .action-item:not(.disabled)");
    const item = items.getByText(label, { exact: true }).first();
    await eventually(
      `"${label}" in the row's menu`,
      async () => {
        await this.root.click({ button: "right" });
        if (await attempt(item.hover({ timeout: 2000 }))) return true;
        // A new window does not know yet that its folder is trusted, and disables all items of this menu until then.
        await keyboard.press("Escape");
        return false;
      },
      (isThere) => isThere,
    );
    // A menu that has just opened ignores clicks for a moment, but accepts keys.
    await keyboard.press("Enter");
    await this.#leaveRows();
  }

  async menuLabels(): Promise<readonly string[]> {
    await this.root.click({ button: "right" });
    const labels = this.#page.locator(".monaco-menu .action-item .action-label:not(.separator)");
    await labels.first().waitFor();
    const texts = await labels.allInnerTexts();
    await this.#page.keyboard.press("Escape");
    await this.#leaveRows();
    return texts;
  }

  /** Hovers over the row, and returns the text of its tooltip. */
  async tooltip(): Promise<string> {
    const hovers = this.#page.locator(".monaco-hover:not(.hidden)");
    return eventually(
      "a tooltip",
      async () => {
        // Move the mouse away first: no tooltip appears if it is already over the row, or if the row was redrawn.
        await this.#page.mouse.move(0, 0);
        // A button's tooltip may stay visible until another tooltip replaces it, so ignore existing tooltips.
        await attempt(hovers.first().waitFor({ state: "hidden", timeout: 1000 }));
        const others = await hovers.allInnerTexts();
        const top = (await this.root.boundingBox())?.y;
        await this.root.locator(".label-name").hover();
        const text = await eventually(
          "the row's own",
          async () => (await hovers.allInnerTexts()).find((text) => !others.includes(text)) ?? "",
          // VS Code shows "Loading..." until the tooltip is resolved.
          (text) => text !== "" && text !== "Loading...",
          3000,
        ).catch(() => "");
        // If a new row above has moved this one, the tooltip may belong to another row.
        return (await this.root.boundingBox())?.y === top ? text : "";
      },
      (text) => text !== "",
    );
  }

  /** Moves the mouse away until no tooltip is visible, as it could cover other rows and intercept their clicks. */
  async closeTooltip(): Promise<void> {
    const tooltip = this.#page.locator(".monaco-hover:not(.hidden)").first();
    await eventually(
      "no tooltip",
      async () => {
        await this.#page.mouse.move(0, 0);
        if (await attempt(tooltip.waitFor({ state: "hidden", timeout: 1000 }))) return true;
        // If a tooltip was resolved while the mouse was leaving, VS Code shows it until another one replaces it.
        await this.tooltip();
        return false;
      },
      (isClosed) => isClosed,
    );
  }

  /** Moves the mouse away after a menu has closed, before the row below it shows a tooltip. */
  async #leaveRows(): Promise<void> {
    await this.#page.mouse.move(0, 0);
  }

  async #turn(from: "true" | "false"): Promise<void> {
    if ((await this.root.getAttribute("aria-expanded")) !== from) return;
    await this.root.locator(".monaco-tl-twistie").click();
  }
}

async function middleOf(place: Locator): Promise<{ readonly x: number; readonly y: number }> {
  const box = await place.boundingBox();
  if (box === null) throw new Error("cannot be seen");
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** Returns the CSS selector of the button with this label, with or without its keyboard shortcut. */
export const labelled = (label: string): string =>
  `.action-label[aria-label="${label}"], .action-label[aria-label^="${label} ("]`;

/** Runs in the page. The DOM has rows in creation order, not from top to bottom. */
function readRows(rows: readonly PageElement[]): readonly TreeRowText[] {
  const textOf = (row: PageElement, selector: string): string =>
    row.querySelector(selector)?.textContent ?? "";
  return rows
    .map((row) => ({ row, top: row.getBoundingClientRect().top }))
    .sort((a, b) => a.top - b.top)
    .map(({ row }) => {
      const expanded = row.getAttribute("aria-expanded");
      return {
        label: textOf(row, ".label-name"),
        description: textOf(row, ".label-description"),
        level: Number(row.getAttribute("aria-level")),
        expanded: expanded === null ? undefined : expanded === "true",
      };
    });
}
