// Bundles the extension: `node src/build/bundle.ts [--watch]`. Each door is a file of its own, which the
// main bundle requires at first use.
import { build, context, type BuildOptions, type Plugin } from "esbuild";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { slimClient } from "./slimClient.ts";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");

/** Folder of a door -> its bundle in `dist/`. */
const doors: Readonly<Record<string, string>> = {
  "src/cluster": "cluster",
  "src/editor/apps": "apps",
  "src/editor/conf": "conf",
  "src/editor/describe": "describe",
  "src/editor/forward": "forward",
  "src/editor/lifecycle": "lifecycle",
  "src/editor/logs": "logs",
  "src/editor/profiles": "profiles",
  "src/editor/submit": "submit",
  "src/sandbox": "sandboxDoor",
  "src/storage": "storage",
};

// `import("./cluster/door.ts")` becomes `require("./cluster.cjs")`: typed in the source, apart in the bundle.
const lazyDoors: Plugin = {
  name: "lazy-doors",
  setup(bundler) {
    bundler.onResolve({ filter: /\/door\.ts$/ }, ({ path, kind, resolveDir }) => {
      const folder = relative(root, dirname(resolve(resolveDir, path))).replaceAll("\\", "/");
      const name = doors[folder];
      if (kind !== "dynamic-import" || name === undefined) {
        return { errors: [{ text: `a door is opened by import(): ${path}` }] };
      }
      return { path: `./${name}.cjs`, external: true };
    });
  },
};

const common: BuildOptions = {
  absWorkingDir: root,
  bundle: true,
  format: "cjs",
  target: "node22",
  minify: true,
  sourcemap: false,
  // The notices that the licenses of what is bundled ask for.
  legalComments: "eof",
  external: ["vscode"],
  // Its other form asks for its parts at run time, where they cannot be found.
  alias: { "jsonc-parser": "jsonc-parser/lib/esm/main.js" },
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
    plugins: [lazyDoors],
  },
  {
    ...common,
    platform: "node",
    entryPoints: Object.fromEntries(
      Object.entries(doors).map(([folder, name]) => [name, join(folder, "door.ts")]),
    ),
    plugins: [slimClient],
  },
  {
    ...common,
    platform: "node",
    entryPoints: { cli: "src/cli.ts" },
    banner: { js: "#!/usr/bin/env node" },
    // The package is CommonJS there.
    define: { "import.meta.dirname": "__dirname" },
  },
  // A process of its own.
  { ...common, platform: "node", entryPoints: { sandbox: "src/sandbox/main.ts" } },
  // The web extension host cannot require a second file, so this bundle holds all it needs.
  { ...common, platform: "browser", target: "es2023", entryPoints: { web: "src/web.ts" } },
];

if (process.argv.includes("--watch")) {
  for (const options of bundles) await (await context(options)).watch();
} else {
  const results = await Promise.all(bundles.map((options) => build(options)));
  for (const { metafile } of results) {
    for (const [file, { bytes }] of Object.entries(metafile?.outputs ?? {})) {
      console.log(`${file.padEnd(22)} ${bytes.toLocaleString("en-US").padStart(9)} bytes`);
    }
  }
}
