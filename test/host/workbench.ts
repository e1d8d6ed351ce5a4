// Page object of the workbench. Every call waits for the elements that it needs; none sleeps for a fixed time.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { FrameLocator, Locator, Page } from "playwright-core";
import { EditorPage } from "./editorPage.ts";
import { attempt, eventually } from "./eventually.ts";
import { outFolder, type VersionName } from "./places.ts";
import { QuickInput } from "./quickInput.ts";
import { labelled, TreeView } from "./treeView.ts";

export type Theme = "light" | "dark" | "highContrast" | "highContrastLight";

export class Workbench {
  readonly page: Page;
  readonly quickInput: QuickInput;
  readonly editor: EditorPage;
  readonly #version: VersionName;

  private constructor(page: Page, version: VersionName) {
    this.page = page;
    this.#version = version;
    this.quickInput = new QuickInput(page);
    this.editor = new EditorPage(page);
  }

  static async on(page: Page, version: VersionName): Promise<Workbench> {
    await page.locator(".monaco-workbench .statusbar-item").first().waitFor();
    return new Workbench(page, version);
  }

  // ---- Palette -------------------------------------------------------------------------------

  /** Runs a command by its complete title, including the category: `Spark: Submit Application…`. */
  async command(title: string): Promise<void> {
    await this.#chooseFrom("F1", `>${title}`, title);
    // The command may open another quick input, so wait for another text instead of a closed palette.
    await eventually(
      "the palette's end",
      () => this.quickInput.value(),
      (text) => text !== `>${title}`,
    );
  }

  /** Returns the titles of the commands that the palette lists for a search text. */
  async commandTitles(text: string): Promise<readonly string[]> {
    await this.#openWith("F1", `>${text}`);
    // The list is filled in steps. If no command matches, it finally has one row that says so.
    await this.quickInput.root.locator(".quick-input-list .monaco-list-row").first().waitFor();
    const labels = await this.quickInput.labels();
    await this.quickInput.cancel();
    return labels;
  }

  /**
   * Opens the quick input and chooses a row; repeats this until it succeeds. The quick input lists only rows that exist
   * when it opens, and closes when an editor gets the focus.
   */
  async #chooseFrom(key: string, text: string, label: string): Promise<void> {
    await eventually(
      `"${label}" in the list`,
      async () => {
        await this.#openWith(key, text);
        return this.quickInput.isChosen(label, 2000);
      },
      (taken) => taken,
    );
  }

  async #openWith(key: string, text: string): Promise<void> {
    await eventually(
      "the box on top",
      async () => {
        // The key is lost if the window does not listen yet, and does something else in an open quick input.
        if ((await this.quickInput.value()) !== undefined) await this.quickInput.cancel();
        await this.page.keyboard.press(key);
        // An editor that gets the focus closes the quick input.
        return (
          (await attempt(this.quickInput.root.waitFor({ timeout: 2000 }))) &&
          this.quickInput.isTyped(text, 2000)
        );
      },
      (open) => open,
    );
  }

  // ---- Views ---------------------------------------------------------------------------------

  /** Opens a view container by its icon in the activity bar, unless it is open. */
  async openContainer(title: string): Promise<void> {
    const item = this.page.locator(".activitybar .action-item", {
      has: this.page.locator(`a.action-label[aria-label^="${title}"]`),
    });
    await item.waitFor();
    if ((await item.getAttribute("aria-selected")) === "true") return;
    await item.locator("a.action-label").click();
    await this.#containerTitle.filter({ hasText: new RegExp(`^${title}`, "i") }).waitFor();
  }

  /** Returns the title of the open container: `Spark: Applications` if it has one view, else its own. */
  async containerTitle(): Promise<string> {
    return (await this.#containerTitle.getAttribute("title")) ?? this.#containerTitle.innerText();
  }

  get #containerTitle(): Locator {
    return this.page.locator(".part.sidebar .composite.title .title-label h2");
  }

  tree(view: string): TreeView {
    return new TreeView(this.page, view);
  }

  /** Returns the welcome content of a view without rows: its text and buttons. */
  welcome(): Locator {
    return this.page.locator(".part.sidebar .welcome-view-content");
  }

  viewHeader(view: string): Locator {
    return this.page.locator(`.part.sidebar .pane-header[aria-label^="${view}"]`);
  }

  /** Clicks a button in the view's title, or in the container's title if the container has only that view. */
  async viewAction(view: string, label: string): Promise<void> {
    const header = this.viewHeader(view);
    const title = this.page.locator(".part.sidebar .title-actions");
    // The button is visible only while the mouse is over the view.
    if (await header.isVisible()) await header.hover();
    await header.or(title).locator(labelled(label)).first().click();
  }

  // ---- Editors and panel ---------------------------------------------------------------------

  /** Opens a file in the workspace by its name, and waits for its text. */
  async openFile(name: string): Promise<void> {
    await this.#chooseFrom("Control+P", name, name);
    await this.tab(name).waitFor();
    await this.editor.root.locator(".view-line").first().waitFor();
  }

  tab(title: string): Locator {
    return this.page.locator(".tabs-container .tab", { hasText: title });
  }

  /** The document inside the webview panel that is visible. */
  get panelPage(): FrameLocator {
    return this.page.frameLocator("iframe.webview.ready").frameLocator("iframe#active-frame");
  }

  async tabTitles(): Promise<readonly string[]> {
    return this.page.locator(".tabs-container .tab .label-name").allInnerTexts();
  }

  /** Opens the Problems panel unless it is visible, and returns its rows. */
  async problems(): Promise<Locator> {
    const panel = this.page.locator(".markers-panel");
    if (!(await panel.isVisible())) await this.page.keyboard.press("Control+Shift+M");
    await panel.waitFor();
    return this.problemsShown;
  }

  /** The rows of the Problems panel. Does not open it: while it is still opening, the shortcut would hide it again. */
  get problemsShown(): Locator {
    return this.page.locator(".markers-panel .monaco-list-row");
  }

  /** Returns all text of the active terminal, including the scrollback. */
  async terminalText(): Promise<string> {
    await this.page.locator(".terminal-wrapper.active .xterm-rows").waitFor();
    const lines: unknown = await this.page.evaluate(readTerminal);
    return Array.isArray(lines) ? lines.join("\n").trimEnd() : "";
  }

  async waitForTerminal(text: string | RegExp, timeoutMs?: number): Promise<void> {
    await eventually(
      `"${String(text)}" in the terminal`,
      () => this.terminalText(),
      (seen) => (typeof text === "string" ? seen.includes(text) : text.test(seen)),
      timeoutMs,
    );
  }

  async typeInTerminal(text: string): Promise<void> {
    await this.page.locator(".terminal-wrapper.active textarea.xterm-helper-textarea").focus();
    await this.page.keyboard.type(text);
  }

  async pressInTerminal(key: string): Promise<void> {
    await this.page.locator(".terminal-wrapper.active textarea.xterm-helper-textarea").focus();
    await this.page.keyboard.press(key);
  }

  // ---- Messages and dialogs ------------------------------------------------------------------

  notification(text: string | RegExp): Locator {
    return this.page.locator(".notification-toast", { hasText: text }).first();
  }

  async answerNotification(text: string | RegExp, button: string): Promise<void> {
    await this.notification(text).getByRole("button", { name: button }).click();
  }

  async dismissNotifications(): Promise<void> {
    await this.command("Notifications: Clear All Notifications");
  }

  /** Returns the modal dialog that contains this text. */
  dialog(text: string | RegExp): Locator {
    return this.page.locator(".monaco-dialog-box", { hasText: text });
  }

  async answerDialog(text: string | RegExp, button: string): Promise<void> {
    await this.dialog(text).getByRole("button", { name: button, exact: true }).click();
    await this.dialog(text).waitFor({ state: "hidden" });
  }

  statusBarItem(text: string | RegExp): Locator {
    return this.page.locator(".statusbar-item", { hasText: text }).first();
  }

  // ---- Appearance ----------------------------------------------------------------------------

  async useTheme(theme: Theme): Promise<void> {
    const { label, base } = themes[theme];
    await this.command("Preferences: Color Theme");
    await this.quickInput.type(label);
    await this.quickInput.choose(label);
    await this.page.locator(`.monaco-workbench.${base}`).waitFor();
  }

  /** Calls `look` in the light theme, the dark high contrast theme and, last, the dark theme. */
  async inThemes(look: (theme: Theme) => Promise<void>): Promise<void> {
    for (const theme of ["light", "highContrast", "dark"] as const) {
      await this.useTheme(theme);
      await look(theme);
    }
  }

  async pictures(name: string): Promise<void> {
    await this.inThemes(async (theme) => {
      await this.picture(`${name}-${theme}`);
    });
  }

  /** Reloads the page, as F5 in a browser does. */
  async reload(): Promise<void> {
    await this.page.reload();
    await this.page.locator(".monaco-workbench .statusbar-item").first().waitFor();
  }

  /** Saves a picture of the window, or of a part of it, under `out/host/pictures`; returns its path. */
  async picture(name: string, clip?: Clip): Promise<string> {
    const file = join(outFolder, "pictures", `${name}-${this.#version}.png`);
    await mkdir(join(outFolder, "pictures"), { recursive: true });
    const part = clip === undefined ? {} : { clip };
    await this.page.screenshot({ path: file, animations: "disabled", ...part });
    return file;
  }
}

/** A part of the window, in pixels from its upper left corner. */
export interface Clip {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Script that returns the lines of the active terminal from the xterm.js object at its DOM element, unwrapped. */
const readTerminal = `(() => {
  const buffer = document.querySelector(".terminal-wrapper.active")?.xterm?.buffer.active;
  const lines = [];
  for (let row = 0; row < (buffer?.length ?? 0); row++) {
    const line = buffer.getLine(row);
    if (line.isWrapped && lines.length > 0) lines.push(lines.pop() + line.translateToString(true));
    else lines.push(line.translateToString(true));
  }
  return lines;
})()`;

/** The label of each theme in the theme picker, and the CSS class that the workbench then has. */
const themes: Readonly<Record<Theme, { readonly label: string; readonly base: string }>> = {
  light: { label: "Light Modern", base: "vs" },
  dark: { label: "Dark Modern", base: "vs-dark" },
  highContrast: { label: "Dark High Contrast", base: "hc-black" },
  highContrastLight: { label: "Light High Contrast", base: "hc-light" },
};
