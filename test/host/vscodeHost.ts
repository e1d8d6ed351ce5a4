// Runs a real VS Code server, and opens its page in a real browser.
import { cp, mkdir, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { BrowserContext, Page } from "playwright-core";
import { readInsideReport, type InsideReport } from "./insideReport.ts";
import { packageExtension } from "./packageExtension.ts";
import { addressOf, startBrowser, type Development } from "./page.ts";
import { outFolder, projectRoot, type VersionName } from "./places.ts";
import { installVsix, startServer, type Server } from "./server.ts";
import { setUpHost } from "./setUp.ts";
import { Workbench } from "./workbench.ts";

export interface HostOptions {
  readonly version: VersionName;
  /** `installed`, the default: from the .vsix. `development`: from its folder, for tests inside the extension host. */
  readonly extension?: "installed" | "development";
  /** `trusted`, the default: no prompt. `untrusted`: restricted mode, no prompt. */
  readonly trust?: "trusted" | "untrusted";
  readonly settings?: Settings;
  /** The paths of the .vsix files of other extensions to install. */
  readonly extensions?: readonly string[];
  /** Writes files into the host's folder before VS Code starts, because VS Code creates some of them at startup. */
  readonly prepare?: (folder: string) => Promise<void>;
  /** Environment variables of the server and the extension, besides PATH, LANG, SHELL and HOME. */
  readonly env?: Readonly<Record<string, string>>;
}

export type Settings = Readonly<Record<string, unknown>>;

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface InsideOptions {
  readonly folder: string;
  /** The path of the bundle whose `run` VS Code calls in the extension host. */
  readonly tests: string;
  /** The extension's folder; by default the project's own. */
  readonly extension?: string;
  readonly timeoutMs?: number;
}

/** User settings that disable tips, prompts and background work, which would disturb a test or a picture. */
export const quietSettings: Settings = {
  "chat.disableAIFeatures": true,
  "extensions.autoCheckUpdates": false,
  "extensions.autoUpdate": false,
  "extensions.ignoreRecommendations": true,
  "git.enabled": false,
  "security.workspace.trust.banner": "never",
  "security.workspace.trust.startupPrompt": "never",
  "terminal.integrated.gpuAcceleration": "off",
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "workbench.startupEditor": "none",
  "workbench.tips.enabled": false,
};

export class VscodeHost {
  readonly version: VersionName;
  /** The folder that contains all files of this host; deleted when it stops. */
  readonly folder: string;
  readonly #server: Server;
  #browser: Promise<BrowserContext> | undefined;

  private constructor(version: VersionName, folder: string, server: Server) {
    this.version = version;
    this.folder = folder;
    this.#server = server;
  }

  static async start(options: HostOptions): Promise<VscodeHost> {
    await setUpHost(console.log);
    const { version } = options;
    const development = options.extension === "development";
    const vsix = development ? undefined : await packageExtension();
    const folder = await mkdtemp(join(tmpdir(), "spark-k8s-host-"));
    const home = join(folder, "home");
    await mkdir(home);
    await writeSettings(folder, { ...quietSettings, ...options.settings });
    if (vsix !== undefined) await installVsix(version, folder, vsix);
    for (const other of options.extensions ?? []) await installVsix(version, folder, other);
    await options.prepare?.(folder);
    const env = {
      PATH: process.env["PATH"] ?? "",
      LANG: process.env["LANG"] ?? "C.UTF-8",
      SHELL: "/bin/sh",
      HOME: home,
      ...options.env,
    };
    const trust = options.trust === "untrusted" ? "ask" : "off";
    const place = { version, folder, port: undefined };
    const server = await startServer({ ...place, trust, development, env });
    return new VscodeHost(version, folder, server);
  }

  /** The origin of the server's URL, for a browser on this machine. */
  get origin(): string {
    return `http://127.0.0.1:${this.#server.port}`;
  }

  /** Returns the output of the server so far. */
  log(): string {
    return this.#server.log();
  }

  /** Opens a folder in a new browser tab, and waits for the workbench. `size` is in pixels. */
  async open(folder: string, size?: Size): Promise<Workbench> {
    const page = await this.#newPage();
    if (size !== undefined) await page.setViewportSize(size);
    await page.goto(addressOf(this.origin, folder));
    return Workbench.on(page, this.version);
  }

  /** Runs tests inside the extension host; needs a `development` host. `exitCode` 124 means a timeout. */
  async runInside(options: InsideOptions): Promise<InsideReport> {
    const { folder, tests, extension = projectRoot, timeoutMs = 90_000 } = options;
    const page = await this.#newPage();
    const lines: string[] = [];
    await page.exposeFunction("codeAutomationLog", (_level: string, words: readonly unknown[]) => {
      lines.push(words.map(String).join(" "));
    });
    const exit = new Promise<number>((resolve) => {
      void page.exposeFunction("codeAutomationExit", resolve);
    });
    const development: Development = { extension, tests };
    const alarm = new AbortController();
    try {
      await page.goto(addressOf(this.origin, folder, development));
      const tooLong = sleep(timeoutMs, 124, { signal: alarm.signal });
      const report = readInsideReport(lines, await Promise.race([exit, tooLong]));
      if (report.exitCode !== 0) await this.#keepTraces(page, lines);
      return report;
    } finally {
      alarm.abort();
      await page.close();
    }
  }

  /** Creates a workspace folder from another folder, or from texts by file name. Deleted when the host stops. */
  async makeWorkspace(source: string | Readonly<Record<string, string>>): Promise<string> {
    const workspace = await mkdtemp(join(this.folder, "workspace-"));
    if (typeof source === "string") {
      await cp(source, workspace, { recursive: true });
      return workspace;
    }
    for (const [name, text] of Object.entries(source)) {
      await mkdir(dirname(join(workspace, name)), { recursive: true });
      await writeFile(join(workspace, name), text);
    }
    return workspace;
  }

  /** Changes the user settings for windows that open or reload later. */
  async changeSettings(settings: Settings): Promise<void> {
    const before: unknown = JSON.parse(await readFile(settingsFile(this.folder), "utf8"));
    if (typeof before !== "object") throw new Error("the settings are no object");
    await writeSettings(this.folder, { ...before, ...settings });
  }

  async stop(): Promise<void> {
    try {
      const browser = await this.#browser;
      await browser?.close();
    } finally {
      await this.#server.stop();
    }
  }

  async #newPage(): Promise<Page> {
    this.#browser ??= startBrowser(join(this.folder, "browser"));
    const browser = await this.#browser;
    return browser.newPage();
  }

  async #keepTraces(page: Page, lines: readonly string[]): Promise<void> {
    const name = join(outFolder, `inside-${this.version}`);
    await mkdir(outFolder, { recursive: true });
    await page.screenshot({ path: `${name}.png` });
    await writeFile(`${name}.log`, `${lines.join("\n")}\n\n${this.#server.log()}`);
  }
}

const settingsFile = (folder: string): string => join(folder, "data/User/settings.json");

async function writeSettings(folder: string, settings: Settings): Promise<void> {
  const file = settingsFile(folder);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, JSON.stringify(settings, undefined, 2));
}
