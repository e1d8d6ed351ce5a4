// Bundles the extension: `node src/build/bundle.ts [--watch]`. The main bundle loads each lazy bundle at first use.
// Also writes the licenses and the bill of materials of the bundled packages. Fails if a license text is missing.
import { build, context, type BuildOptions, type Plugin } from "esbuild";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { readFileSync, writeFileSync } from "node:fs";
import { bundledPackages } from "./package/bundledPackages.ts";
import { printNotices } from "./package/notices.ts";
import { printSbom, type Product } from "./package/sbom.ts";
import { slimClient } from "./slimClient.ts";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");

/** Maps the folder of each lazy bundle to its file name in `dist/`, without extension. */
const doors: Readonly<Record<string, string>> = {
  "src/cli/mcp": "mcp",
  "src/cluster": "cluster",
  "src/editor/apps": "apps",
  "src/editor/conf": "conf",
  "src/editor/debug": "debug",
  "src/editor/describe": "describe",
  "src/editor/forward": "forward",
  "src/editor/lifecycle": "lifecycle",
  "src/editor/logs": "logs",
  "src/editor/profiles": "profiles",
  "src/editor/runs": "runs",
  "src/editor/session": "session",
  "src/editor/submit": "submit",
  "src/engine/assistant": "assistant",
  "src/editor/timeline": "timelineDoor",
  "src/sandbox": "sandboxDoor",
  "src/storage": "storage",
};

// Replaces `import("./cluster/door.ts")` by `require("./cluster.cjs")`: the source is type-checked, and the lazy bundle
// stays a separate file.
const lazyDoors: Plugin = {
  name: "lazy-doors",
  setup(bundler) {
    bundler.onResolve({ filter: /\/door\.ts$/ }, ({ path, kind, resolveDir }) => {
      if (kind === "entry-point") return undefined;
      const folder = relative(root, dirname(resolve(resolveDir, path))).replaceAll("\\", "/");
      const name = doors[folder];
      if (kind !== "dynamic-import" || name === undefined) {
        return { errors: [{ text: `a door is opened by import(): ${path}` }] };
      }
      return { path: `./${name}.cjs`, external: true };
    });
  },
};

// Keeps RE2, the engine for untrusted patterns, in one file for all desktop bundles. The first pattern loads this file.
const sharedEngine: Plugin = {
  name: "shared-engine",
  setup(bundler) {
    bundler.onResolve({ filter: /^re2js$/ }, () => ({ path: "re2js", namespace: "shared" }));
    bundler.onResolve({ filter: /^\.\/re2js\.cjs$/ }, ({ path }) => ({ path, external: true }));
    bundler.onLoad({ filter: /^re2js$/, namespace: "shared" }, () => ({
      contents: ["RE2JS", "RE2JSException"]
        .map(
          (name) =>
            `Object.defineProperty(exports,"${name}",{get:()=>require("./re2js.cjs").${name}});`,
        )
        .join(""),
    }));
  },
};

// Keeps the table of conf keys in one file for all bundles that check or explain conf.
const sharedCatalogue: Plugin = {
  name: "shared-catalogue",
  setup(bundler) {
    bundler.onResolve({ filter: /\/catalogue\.json$/ }, () => ({
      path: "./catalogue.cjs",
      external: true,
    }));
  },
};

// If the entry point is JSON, esbuild creates a bundle without exports, so this entry point exports the JSON.
const catalogueEntry: Plugin = {
  name: "catalogue-entry",
  setup(bundler) {
    bundler.onResolve({ filter: /^catalogue$/ }, ({ path }) => ({ path, namespace: "entry" }));
    bundler.onLoad({ filter: /^catalogue$/, namespace: "entry" }, () => ({
      contents: 'module.exports = require("./catalogue.json");',
      resolveDir: join(root, "src/spark/conf/catalogue"),
    }));
  },
};

const common: BuildOptions = {
  absWorkingDir: root,
  bundle: true,
  format: "cjs",
  target: "node22",
  minify: true,
  sourcemap: false,
  // Keep license notices, which must be distributed.
  legalComments: "eof",
  external: ["vscode"],
  // The UMD build of jsonc-parser requires its parts at run time, when they do not exist, so use the ESM build.
  alias: { "jsonc-parser": "jsonc-parser/lib/esm/main.js" },
  // The bundles are CommonJS, which has no `import.meta`.
  define: { "import.meta.dirname": "__dirname" },
  outdir: "dist",
  outExtension: { ".js": ".cjs" },
  logLevel: "warning",
  metafile: true,
};

const bundles: readonly BuildOptions[] = [
  {
    ...common,
    platform: "node",
    entryPoints: { extension: "src/extension.ts" },
    plugins: [lazyDoors, sharedEngine],
  },
  {
    ...common,
    platform: "node",
    entryPoints: Object.fromEntries(
      Object.entries(doors).map(([folder, name]) => [name, join(folder, "door.ts")]),
    ),
    plugins: [lazyDoors, slimClient, sharedEngine, sharedCatalogue],
  },
  {
    ...common,
    platform: "node",
    entryPoints: { cli: "src/cli.ts" },
    banner: { js: "#!/usr/bin/env node" },
    plugins: [lazyDoors, sharedCatalogue],
  },
  // The sandbox runs in a separate process, which loads this bundle.
  {
    ...common,
    platform: "node",
    entryPoints: { sandbox: "src/sandbox/main.ts" },
    plugins: [sharedEngine],
  },
  { ...common, platform: "node", entryPoints: { re2js: "re2js" } },
  {
    ...common,
    platform: "node",
    entryPoints: { catalogue: "catalogue" },
    plugins: [catalogueEntry],
  },
  // The page of the timeline panel loads this bundle.
  {
    ...common,
    platform: "browser",
    format: "iife",
    target: "es2023",
    outExtension: {},
    entryPoints: { timeline: "src/page/timelinePage.ts", timelineStyle: "src/page/timeline.css" },
  },
  // The web extension host cannot load a second file, so this bundle contains all code.
  { ...common, platform: "browser", target: "es2023", entryPoints: { web: "src/web.ts" } },
];

if (process.argv.includes("--watch")) {
  for (const options of bundles) await (await context(options)).watch();
} else {
  const results = await Promise.all(bundles.map((options) => build(options)));
  const packages = bundledPackages(
    root,
    results.flatMap(({ metafile }) => metafile ?? []),
  );
  const product = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Product;
  writeFileSync(join(root, "dist/THIRD-PARTY-NOTICES.txt"), printNotices(packages));
  writeFileSync(join(root, "dist/sbom.cdx.json"), printSbom(product, packages));
  for (const { metafile } of results) {
    for (const [file, { bytes }] of Object.entries(metafile?.outputs ?? {})) {
      console.log(`${file.padEnd(22)} ${bytes.toLocaleString("en-US").padStart(9)} bytes`);
    }
  }
}
