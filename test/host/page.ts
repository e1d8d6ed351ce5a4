// Starts the browser, and creates the URL of the page of a VS Code server.
import { join } from "node:path";
import { type BrowserContext, chromium } from "playwright-core";
import { kitFolder } from "./places.ts";

/** Starts headless Chromium. `profile`: its user data folder, which is deleted with the host's folder. */
export async function startBrowser(profile: string): Promise<BrowserContext> {
  const folder = join(kitFolder, "browser");
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: join(folder, ".chromium/chromium"),
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: profile,
      LD_LIBRARY_PATH: join(folder, ".chromium/lib"),
      FONTCONFIG_FILE: join(folder, "fonts.conf"),
    },
    permissions: ["clipboard-read", "clipboard-write"],
    viewport: { width: 1280, height: 800 },
  });
  context.setDefaultTimeout(20_000);
  await context.addInitScript({ content: withoutGallery });
  return context;
}

/** An extension in development and its tests, which become parameters of the page's URL. */
export interface Development {
  /** The extension's folder. */
  readonly extension: string;
  /** The path of the bundle whose `run` VS Code calls after its start. */
  readonly tests: string;
}

export function addressOf(origin: string, folder: string, development?: Development): string {
  const remote = (path: string): string => `vscode-remote://${new URL(origin).host}${path}`;
  const payload = development && [
    ["extensionDevelopmentPath", remote(development.extension)],
    ["extensionTestsPath", remote(development.tests)],
  ];
  const query = new URLSearchParams({
    folder,
    ...(payload === undefined ? {} : { payload: JSON.stringify(payload) }),
  });
  return `${origin}/?${query.toString()}`;
}

/** Script for the page: removes the extension gallery from its configuration, so all requests stay on this machine. */
const withoutGallery = `if (location.pathname === "/") {
  new MutationObserver((changes, observer) => {
    const settings = document.querySelector("#vscode-workbench-web-configuration")?.dataset;
    if (settings === undefined) return;
    observer.disconnect();
    const configuration = JSON.parse(settings.settings);
    delete configuration.productConfiguration.extensionsGallery;
    settings.settings = JSON.stringify(configuration);
  }).observe(document, { childList: true, subtree: true });
}`;
