import type { Locator, Page } from "playwright-core";
import { attempt, eventually } from "./eventually.ts";
import type { PageElement } from "./pageElement.ts";

export interface TreeRowText {
  readonly label: string;
  readonly description: string;
  /** 1 for the outermost. */
  readonly level: number;
  readonly expanded: boolean | undefined;
}

/** A tree view, by its name. Rows outside the window are not in the DOM: scroll or collapse. */
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

  /** The first row with this label, or whose label matches. */
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

  /** Polls the row's description until it is right. */
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

  /** Selects it, too. */
  async clickToo(): Promise<void> {
    await this.root.click({ modifiers: ["Control"] });
  }

  /** Also selects it, with all rows up to the one clicked before. */
  async clickUpTo(): Promise<void> {
    await this.root.click({ modifiers: ["Shift"] });
  }

  /**
   * Drags the selected rows to the middle of an element. With Shift, an editor inserts a drop that
   * it would otherwise open.
   */
  async dragTo(place: Locator, key?: "Shift"): Promise<void> {
    const { mouse, keyboard } = this.#page;
    const from = await middleOf(this.root);
    const to = await middleOf(place);
    await mouse.move(from.x, from.y);
    await mouse.down();
    // A drag begins only after the mouse has moved some distance; before that, the modifier key
    // selects.
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

  /** Clicks an inline button of the row, which is visible during a hover. */
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
        // A new window does not know yet that its folder is trusted, so all items of this menu are
        // disabled.
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

  /** The tooltip of the row. */
  async tooltip(): Promise<string> {
    const hovers = this.#page.locator(".monaco-hover:not(.hidden)");
    return eventually(
      "a tooltip",
      async () => {
        // A mouse that is already there triggers no tooltip, and a redrawn row forgets the mouse.
        await this.#page.mouse.move(0, 0);
        // The tooltip of a button may stay until another tooltip replaces it.
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
        // A row that arrives above moves this one, and the tooltip is that of its old place.
        return (await this.root.boundingBox())?.y === top ? text : "";
      },
      (text) => text !== "",
    );
  }

  /**
   * Moves the mouse away until no tooltip covers the rows below, where it would intercept their
   * clicks.
   */
  async closeTooltip(): Promise<void> {
    const tooltip = this.#page.locator(".monaco-hover:not(.hidden)").first();
    await eventually(
      "no tooltip",
      async () => {
        await this.#page.mouse.move(0, 0);
        if (await attempt(tooltip.waitFor({ state: "hidden", timeout: 1000 }))) return true;
        // VS Code keeps a tooltip that is resolved while the mouse leaves, until another one
        // replaces it.
        await this.tooltip();
        return false;
      },
      (isClosed) => isClosed,
    );
  }

  /** Moves the mouse away from the row that a closed menu had covered, before it has a tooltip. */
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

/** A button by its label, with or without its keyboard shortcut. */
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
