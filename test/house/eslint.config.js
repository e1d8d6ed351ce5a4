import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import tseslint from "typescript-eslint";

// Set explicitly, because the default would be the folder of this file.
const projectRoot = resolve(dirname(fileURLToPath(import.meta.url)), "../..");

const outside = {
  vscode: { regex: "^vscode$", message: "Only src/editor and the entries may import vscode." },
  clientNode: {
    regex: "^@kubernetes/client-node",
    message: "Only src/cluster may import @kubernetes/client-node.",
  },
  yaml: { regex: "^yaml$", message: "Only the files that read YAML may import yaml." },
  re2: {
    regex: "^re2js$",
    message: "Patterns from outside are compiled by src/base/linearPattern.ts.",
  },
  node: { regex: "^node:", message: "What needs Node comes in through a port." },
};

/** Returns a ban on imports from these folders of src/. */
const folders = (...names) => ({
  regex: `(?:^|/)(?:${names.join("|")})/`,
  message: "This layer does not know that one: see src/README.md.",
});

const onlyPorts = {
  regex: "(?:^|/)engine/(?!(?:ports/\\w+|clusterError|eventLoop)\\.ts$)",
  message: "Of engine/, only ports/, clusterError.ts and eventLoop.ts.",
};

/** The parts of `vscode` that show text. The modules of editor/ui/ replace them and treat text as data. */
const rawTexts = {
  regex: "^vscode$",
  importNames: [
    ...["window", "languages", "MarkdownString", "Task"],
    ...["authentication", "chat", "comments", "debug", "lm", "notebooks", "scm", "tests"],
  ],
  allowTypeImports: true,
  message: "What shows texts comes from editor/ui/, which treats them as data.",
};

const { vscode, clientNode, yaml, node, re2 } = outside;
const pure = [vscode, clientNode, node];

// For a file, a later entry replaces all bans of an earlier one, so each entry lists all its bans.
const bans = [
  [
    "src/base/**",
    [...pure, yaml, folders("spark", "engine", "io", "cluster", "storage", "sandbox", "editor")],
  ],
  [
    "src/spark/**",
    [...pure, yaml, folders("engine", "io", "cluster", "storage", "sandbox", "editor")],
  ],
  [
    [
      "src/spark/yamlTokens.ts",
      "src/spark/submit/packages/condaEnvironment.ts",
      "src/spark/conf/confYaml.ts",
      "src/spark/submit/template/templateYaml.ts",
      "src/spark/printYaml.ts",
      "src/spark/operator/**",
    ],
    [...pure, folders("engine", "io", "cluster", "storage", "sandbox", "editor")],
  ],
  ["src/engine/**", [...pure, yaml, folders("io", "cluster", "storage", "sandbox", "editor")]],
  [
    "src/io/**",
    [
      vscode,
      clientNode,
      yaml,
      folders("spark", "engine", "cluster", "storage", "sandbox", "editor"),
    ],
  ],
  ["src/cluster/**", [vscode, yaml, onlyPorts, folders("storage", "sandbox", "editor")]],
  [
    "src/cluster/kubeconfig/kubeconfigYaml.ts",
    [vscode, clientNode, onlyPorts, folders("storage", "sandbox", "editor")],
  ],
  ["src/storage/**", [vscode, clientNode, yaml, folders("cluster", "sandbox", "editor")]],
  ["src/sandbox/**", [vscode, clientNode, folders("engine", "cluster", "storage", "editor")]],
  [
    "src/editor/**",
    [rawTexts, clientNode, yaml, node, folders("io", "cluster", "storage", "sandbox")],
  ],
  [
    "src/page/**",
    [...pure, yaml, folders("engine", "io", "cluster", "storage", "sandbox", "editor")],
  ],
  ["src/editor/ui/**", [clientNode, yaml, node, folders("io", "cluster", "storage", "sandbox")]],
  ["src/extension.ts", [rawTexts, clientNode, yaml]],
  [
    "src/web.ts",
    [rawTexts, clientNode, yaml, node, folders("engine", "io", "cluster", "storage", "sandbox")],
  ],
  ["src/cli/mcp/**", [vscode, clientNode, yaml, folders("io", "editor")]],
  [
    "src/cli{.ts,/*}",
    [vscode, clientNode, yaml, folders("engine", "cluster", "storage", "editor")],
  ],
  ["src/build/**", [vscode, clientNode, folders("cluster", "storage", "sandbox", "editor")]],
  // The demo starts a sandbox and submits without an editor.
  [
    ["src/build/demo.ts", "src/build/demo/**"],
    [vscode, clientNode, folders("storage", "editor")],
  ],
];

const syntaxBans = [
  { selector: "ExportDefaultDeclaration", message: "Exports have names." },
  { selector: "ExportAllDeclaration", message: "No barrels: import from where it stands." },
  { selector: "TSEnumDeclaration", message: "A union of strings says it without code." },
];

// Allows the locale en-US, which is used for numbers with thousands separators.
const timeBan = {
  selector:
    "CallExpression[callee.property.name=/^to(?:Locale(?:Date|Time)?|UTC|Date|Time)String$/]:not([arguments.0.value='en-US'])",
  message: "base/timeOfDay.ts formats times, so that all of them are local and alike.",
};

const rightsOfMarkdown = "/^(?:isTrusted|supportHtml|supportThemeIcons)$/";
const markdownMessage = "Markdown is never trusted, and has no HTML and no icons.";

export default tseslint.config(
  {
    ignores: [
      "**/node_modules/**",
      "dist/**",
      "out/**",
      "test/house/planted/**",
      "test/host/kit/**",
    ],
  },
  {
    files: ["src/**/*.ts", "test/**/*.ts"],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: projectRoot } },
    rules: {
      "@typescript-eslint/no-floating-promises": [
        "error",
        {
          checkThenables: true,
          allowForKnownSafeCalls: [
            {
              from: "package",
              package: "node:test",
              name: [
                "test",
                "describe",
                "it",
                "suite",
                "before",
                "after",
                "beforeEach",
                "afterEach",
              ],
            },
          ],
        },
      ],
      "@typescript-eslint/switch-exhaustiveness-check": "error",
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/consistent-type-imports": ["error", { disallowTypeAnnotations: false }],
      eqeqeq: "error",
      "@typescript-eslint/max-params": ["error", { max: 5 }],
      "no-restricted-syntax": ["error", ...syntaxBans],
    },
  },
  {
    files: ["src/**/*.ts"],
    ignores: ["src/base/timeOfDay.ts", "src/editor/**", "src/extension.ts", "src/web.ts"],
    rules: { "no-restricted-syntax": ["error", ...syntaxBans, timeBan] },
  },
  {
    files: ["src/editor/**", "src/extension.ts", "src/web.ts"],
    rules: {
      "no-restricted-syntax": [
        "error",
        ...syntaxBans,
        timeBan,
        {
          selector: `AssignmentExpression[left.property.name=${rightsOfMarkdown}]`,
          message: markdownMessage,
        },
        {
          selector: `ObjectExpression > Property[key.name=${rightsOfMarkdown}]`,
          message: markdownMessage,
        },
        {
          selector: "ImportExpression[source.value='vscode']",
          message: "A static import of vscode says what is used of it.",
        },
      ],
    },
  },
  ...bans.map(([files, patterns]) => ({
    files: [files].flat(),
    ignores: ["src/base/linearPattern.ts"],
    rules: {
      "@typescript-eslint/no-restricted-imports": ["error", { patterns: [...patterns, re2] }],
    },
  })),
);
