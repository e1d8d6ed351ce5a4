// The browser, and the page of a VS Code server in it.
import { join } from "node:path";
import { type BrowserContext, chromium } from "playwright-core";
import { kitFolder } from "./places.ts";

/** `profile`: the browser's folder, deleted with the host's folder. */
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

/** An extension in development and the tests for its host, as parameters of the page's URL. */
export interface Development {
  /** The extension's folder. */
  readonly extension: string;
  /** The bundle whose `run` is called after the start. */
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

/**
 * Removes the gallery from the page's configuration, so that it sends no request outside this
 * machine.
 */
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
