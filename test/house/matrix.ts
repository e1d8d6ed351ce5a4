// The import matrix as data. src/README.md gives the reasons.
import { readImports, type ImportLine } from "./readImports.ts";
import { resolveImport, type Source } from "./sources.ts";

/** The first rule whose `files` matches a path applies. */
interface Rule {
  readonly files: RegExp;
  /** Paths below src/ that the files may import. */
  readonly own: readonly RegExp[];
  /** Further paths below src/ that the files may import, but only with `import()`. */
  readonly lazy?: readonly RegExp[];
  /** Packages that the files may import; `node:*` stands for all modules of Node. */
  readonly packages?: readonly string[];
  /** Allows static imports of a `door.ts`, whose code then becomes part of the importing bundle. */
  readonly holdsDoors?: true;
}

const base = /^base\//;
const sparkRoot = /^spark\/[^/]+\.ts$/;
const spark = /^spark\//;
const ports = /^engine\/(?:ports\/\w+|clusterError|eventLoop)\.ts$/;
const io = /^io\//;
const doors = [
  /^(?:cluster|storage|sandbox|engine\/assistant)\/door\.ts$/,
  /^editor\/[^/]+\/door\.ts$/,
];
const anyNode = "node:*";
const clientNode = "@kubernetes/client-node";

/**
 * Returns the rule of a feature of spark/: it may import itself, the root files of spark/, and the features in `sees`.
 */
const sparkFeature = (
  name: string,
  sees: readonly string[],
  packages: readonly string[] = [],
): Rule => ({
  files: new RegExp(`^spark/${name}/`),
  own: [base, sparkRoot, ...[name, ...sees].map((feature) => new RegExp(`^spark/${feature}/`))],
  packages,
});

const withYaml = (rule: Rule, files: RegExp): Rule => ({ ...rule, files, packages: ["yaml"] });
const withJsonc = (rule: Rule, files: RegExp): Rule => ({
  ...rule,
  files,
  packages: ["jsonc-parser"],
});

const conf = sparkFeature("conf", []);
const submit = sparkFeature("submit", ["conf"]);
const cluster: Rule = {
  files: /^cluster\//,
  own: [base, io, spark, ports, /^cluster\//],
  packages: [clientNode, anyNode],
};

const storage: Rule = {
  files: /^storage\//,
  own: [base, io, spark, /^engine\/ports\/\w+\.ts$/, /^storage\//],
  packages: [anyNode],
};

const rules: readonly Rule[] = [
  { files: /^base\/linearPattern\.ts$/, own: [base], packages: ["re2js"] },
  { files: base, own: [base] },
  withYaml(
    { files: sparkRoot, own: [base, sparkRoot], packages: [] },
    /^spark\/(?:yamlTokens|printYaml)\.ts$/,
  ),
  { files: sparkRoot, own: [base, sparkRoot] },
  conf,
  withYaml(submit, /^spark\/submit\/(?:template\/templateYaml|packages\/condaEnvironment)\.ts$/),
  withJsonc(submit, /^spark\/submit\/profile\/(?:profilesText|insertProfile|editProfile)\.ts$/),
  { ...submit, files: /^spark\/submit\/code\/tomlText\.ts$/, packages: ["smol-toml"] },
  {
    ...submit,
    files: /^spark\/submit\/packages\/(?:marker|missingPackages)\.ts$/,
    packages: ["@renovatebot/pep440"],
  },
  submit,
  sparkFeature("operator", ["submit", "conf"], ["yaml"]),
  sparkFeature("surfaces", ["conf", "submit", "operator"]),
  sparkFeature("pods", []),
  sparkFeature("diagnosis", ["pods", "conf"]),
  sparkFeature("progress", []),
  sparkFeature("eventLog", []),
  sparkFeature("ui", []),
  sparkFeature("advice", ["diagnosis", "remedy", "submit"]),
  sparkFeature("clusterCheck", ["diagnosis", "submit"]),
  sparkFeature("remedy", ["diagnosis", "pods", "conf", "submit", "surfaces"]),
  sparkFeature("timeline", ["pods", "diagnosis", "progress"]),
  sparkFeature("history", ["timeline", "progress"]),
  sparkFeature("logs", ["pods"]),
  { files: /^engine\//, own: [base, spark, /^engine\//] },
  { ...cluster, files: /^cluster\/kubeconfig\/kubeconfigYaml\.ts$/, packages: ["yaml", anyNode] },
  { files: io, own: [base, io], packages: [anyNode] },
  cluster,
  { ...storage, files: /^storage\/s3\//, packages: [anyNode, "aws4fetch"] },
  storage,
  {
    files: /^sandbox\//,
    own: [base, io, sparkRoot, /^spark\/logs\//, /^sandbox\//],
    packages: ["yaml", anyNode],
  },
  {
    files: /^page\//,
    own: [base, /^spark\/timeline\/(?:plots|plotText|plotView|timelinePanel)\.ts$/, /^page\//],
    packages: ["uplot"],
  },
  { files: /^editor\//, own: [base, spark, /^engine\//, /^editor\//], packages: ["vscode"] },
  {
    files: /^extension\.ts$/,
    own: [base, spark, /^engine\//, /^editor\//],
    lazy: doors,
    packages: ["vscode", anyNode],
  },
  {
    files: /^web\.ts$/,
    own: [
      base,
      sparkRoot,
      /^spark\/(?:conf|operator|surfaces)\//,
      /^editor\/(?:conf\/|ui\/|registerCommands\.ts$|log\.ts$|readOnlyDocuments\.ts$)/,
    ],
    packages: ["vscode"],
    // The browser's extension host cannot load a second file.
    holdsDoors: true,
  },
  {
    files: /^cli\/mcp\//,
    own: [base, /^engine\//, /^cli\//],
    lazy: doors,
    packages: [anyNode, "@modelcontextprotocol/server"],
  },
  {
    files: /^cli(?:\.ts$|\/)/,
    own: [base, sparkRoot, /^spark\/(?:conf|operator|surfaces)\//, /^cli\//],
    lazy: [/^cli\/mcp\/door\.ts$/],
    packages: [anyNode],
  },
  {
    // The demo starts a sandbox and submits without an editor.
    files: /^build\/demo/,
    own: [base, spark, /^engine\//, /^sandbox\//, /^build\/demo\//],
    lazy: [/^cluster\/door\.ts$/],
    packages: [anyNode],
  },
  {
    files: /^build\//,
    own: [base, spark, /^build\//],
    packages: [anyNode, "esbuild", "typescript", "yaml"],
  },
];

/** Returns `file:line imports X` for each import that no rule allows. */
export function findViolations(sources: readonly Source[]): readonly string[] {
  return sources.flatMap((source) => {
    const path = source.path.replace(/^src\//, "");
    const rule = rules.find(({ files }) => files.test(path));
    if (rule === undefined) return [`${source.path} is in no folder that the matrix knows`];
    return readImports(source.text)
      .filter((line) => !isAllowed(rule, source.path, line))
      .map(({ specifier, line }) => `${source.path}:${line} imports ${specifier}`);
  });
}

function isAllowed(rule: Rule, from: string, { specifier, kind }: ImportLine): boolean {
  if (!specifier.startsWith(".")) return allowsPackage(rule.packages ?? [], specifier);
  const target = resolveImport(from, specifier);
  if (!target.startsWith("src/")) return false;
  const path = target.slice("src/".length);
  // A statically imported `door.ts` becomes a part of the importing bundle.
  if (path.endsWith("/door.ts") && kind === "value" && rule.holdsDoors === undefined) return false;
  return [...rule.own, ...(kind === "lazy" ? (rule.lazy ?? []) : [])].some((own) => own.test(path));
}

const allowsPackage = (packages: readonly string[], specifier: string): boolean =>
  packages.some(
    (name) =>
      specifier === name ||
      specifier.startsWith(`${name}/`) ||
      (name === anyNode && specifier.startsWith("node:")),
  );

/** Returns each import cycle once, direct or indirect, as `a -> b -> a`. */
export function findCycles(sources: readonly Source[]): readonly string[] {
  const targets = new Map(
    sources.map(({ path, text }) => [
      path,
      // Lazy imports are ignored, because they run when both modules are already loaded.
      readImports(text)
        .filter(({ specifier, kind }) => specifier.startsWith(".") && kind !== "lazy")
        .map(({ specifier }) => resolveImport(path, specifier)),
    ]),
  );
  const cycles: string[] = [];
  const done = new Set<string>();
  const visit = (path: string, trail: readonly string[]): void => {
    const begin = trail.indexOf(path);
    if (begin !== -1) cycles.push([...trail.slice(begin), path].join(" -> "));
    if (begin !== -1 || done.has(path)) return;
    for (const target of targets.get(path) ?? []) visit(target, [...trail, path]);
    done.add(path);
  };
  for (const path of targets.keys()) visit(path, []);
  return cycles;
}
