// Uses the type checker to find the calls of cluster ports that change a cluster.
import { dirname, join } from "node:path";
import ts from "typescript";
import { projectRoot } from "./sources.ts";

export interface ClusterCall {
  /** Path of the calling file, such as `src/engine/lifecycle/deletePod.ts`. */
  readonly path: string;
  /** Interface and member, such as `ObjectApi.delete`. */
  readonly request: string;
}

const portsFolder = join(projectRoot, "src/engine/ports/");

/** Members of ports that only read. All others change a cluster or open a channel into it. */
const readers = new Set([
  ...["PodSource.listPods", "PodSource.watchPods", "LogSource.readLog", "ObjectApi.read"],
  ...["ObjectApi.list", "PodPages.read", "NoticeSource.noticesOf", "DriverApi.executors"],
  ...["Discovery.serverVersion", "Discovery.versionsOf"],
  ...[
    "DriverApi.allocation",
    "DriverApi.rows",
    "NodeSizes.largest",
    "PodMetrics.usageOf",
    "ResourceSource.listResources",
    "ResourceSource.watchResources",
  ],
]);

const clusterPorts = new Set([
  ...["PodSource", "LogSource", "ObjectApi", "Evictions", "PodExec", "PodPorts", "PodPages"],
  ...["AccessReviews", "NoticeSource", "DriverApi", "NodeSizes", "PodMetrics", "ResourceSource"],
  "Discovery",
]);

/**
 * Returns the uses of port members that are not in `readers`, and the value imports of each file, in engine/ and
 * editor/. `planted` is an additional file that is compiled with them.
 */
export function changesIn(planted?: { readonly path: string; readonly text: string }): {
  readonly calls: readonly ClusterCall[];
  readonly imports: ReadonlyMap<string, ReadonlySet<string>>;
} {
  const configuration = ts.readConfigFile(join(projectRoot, "src/editor/tsconfig.json"), (path) =>
    ts.sys.readFile(path),
  );
  const { options } = ts.parseJsonConfigFileContent(
    configuration.config,
    ts.sys,
    join(projectRoot, "src/editor"),
  );
  const files = ["src/engine", "src/editor"].flatMap((folder) =>
    ts.sys.readDirectory(join(projectRoot, folder), [".ts"]),
  );
  const host = ts.createCompilerHost(options);
  const plantedPath = planted && join(projectRoot, planted.path);
  const readPlain = host.readFile.bind(host);
  host.readFile = (path) => (path === plantedPath ? planted?.text : readPlain(path));
  const existsPlain = host.fileExists.bind(host);
  host.fileExists = (path) => path === plantedPath || existsPlain(path);
  const program = ts.createProgram({
    rootNames: plantedPath === undefined ? files : [...files, plantedPath],
    options: { ...options, noEmit: true, composite: false, incremental: false },
    host,
  });
  const checker = program.getTypeChecker();
  const calls: ClusterCall[] = [];
  const imports = new Map<string, ReadonlySet<string>>();
  for (const file of program.getSourceFiles()) {
    const path = file.fileName.slice(projectRoot.length + 1).replaceAll("\\", "/");
    if (!/^src\/(?:engine|editor)\//.test(path)) continue;
    const found = new Set<string>();
    const visit = (node: ts.Node): void => {
      ts.forEachChild(node, visit);
      if (!ts.isIdentifier(node)) return;
      const request = requestOf(node, checker);
      if (request !== undefined && !readers.has(request)) found.add(request);
    };
    if (!file.fileName.startsWith(portsFolder)) visit(file);
    calls.push(...[...found].sort().map((request) => ({ path, request })));
    imports.set(path, valueImportsOf(file));
  }
  return { calls, imports };
}

/**
 * Returns `ObjectApi.delete` if the identifier names that member, as in `objects.delete` or `const { delete } =
 * objects`; undefined if it names no member of a cluster port.
 */
function requestOf(node: ts.Identifier, checker: ts.TypeChecker): string | undefined {
  const { parent } = node;
  const isMember =
    (ts.isPropertyAccessExpression(parent) && parent.name === node) ||
    (ts.isBindingElement(parent) && (parent.propertyName ?? parent.name) === node);
  if (!isMember) return undefined;
  const symbol = ts.isBindingElement(parent)
    ? checker.getTypeAtLocation(parent.parent).getProperty(node.text)
    : checker.getSymbolAtLocation(node);
  for (const declaration of symbol?.declarations ?? []) {
    const owner = declaration.parent;
    if (!ts.isInterfaceDeclaration(owner)) continue;
    if (
      !owner.getSourceFile().fileName.startsWith(portsFolder) ||
      !clusterPorts.has(owner.name.text)
    )
      continue;
    return `${owner.name.text}.${node.text}`;
  }
  return undefined;
}

function valueImportsOf(file: ts.SourceFile): ReadonlySet<string> {
  const found = new Set<string>();
  for (const statement of file.statements) {
    if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) continue;
    const { moduleSpecifier } = statement;
    if (moduleSpecifier === undefined || !ts.isStringLiteral(moduleSpecifier)) continue;
    const isType = ts.isImportDeclaration(statement)
      ? statement.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword
      : statement.isTypeOnly;
    if (isType || !moduleSpecifier.text.startsWith(".")) continue;
    const target = join(dirname(file.fileName), moduleSpecifier.text);
    found.add(target.slice(projectRoot.length + 1).replaceAll("\\", "/"));
  }
  return found;
}
