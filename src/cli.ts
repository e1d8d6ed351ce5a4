// `spark-k8s lint`: prints the editor's findings, for the command line, CI and pre-commit hooks.
// `spark-k8s mcp`: serves the editor's tools for assistants (Model Context Protocol).
import { inEnglish } from "./base/message.ts";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { knownFiles } from "./cli/knownFiles.ts";
import { mcpOptions, mcpUsage } from "./cli/mcpOptions.ts";
import { packageVersion } from "./cli/packageVersion.ts";
import type { Report } from "./cli/report.ts";
import { sarifOf } from "./cli/sarif.ts";
import { WrongUse } from "./cli/wrongUse.ts";
import { diagnoserOf, type ConfDiagnostic } from "./spark/conf/lint/diagnoseConf.ts";
import { readChoices } from "./spark/conf/parse/directives.ts";
import { severities } from "./spark/conf/lint/finding.ts";
import {
  newestSparkVersion,
  sparkVersions,
  toSparkVersion,
} from "./spark/conf/catalogue/sparkVersions.ts";
import { diagnoseSurface } from "./spark/surfaces/diagnoseSurface.ts";
import { surfaceOfFile } from "./spark/surfaces/surfaceOfFile.ts";
import { surfaces, type Surface } from "./spark/surfaces/surfaces.ts";

const formats = ["text", "json", "sarif"] as const;
const never = "never";

const usage = `Usage: spark-k8s lint [options] [files and folders]
       spark-k8s mcp [options]; "spark-k8s mcp --help" describes it

Looks for mistakes in Spark settings. Without files, the current folder is searched; "-" is standard input.

  --spark VERSION      the version of Spark that reads the settings, where a file names none: ${sparkVersions.join(", ")}
                       (default: that of the nearest build file in the file's folder or above, or else ${newestSparkVersion})
  --surface SURFACE    what the files are, where their names do not tell: ${surfaces.join(", ")}
  --format FORMAT      ${formats.join(", ")} (default text)
  --fail-on SEVERITY   ${severities.join(", ")} or ${never}: from which on the exit code is 1 (default error)
  --rule CODE=SEVERITY how bad a finding is, or "off"; may be given more than once
  --help               this text
  --version            the version of this program

Exit code: 0 if nothing reaches --fail-on, 1 if something does, 2 for wrong use.
`;

async function run(words: readonly string[]): Promise<number> {
  const [first, ...rest] = words;
  if (first !== "mcp") return lint(words);
  const options = mcpOptions(rest);
  if (options === undefined) return print(mcpUsage);
  const { serveMcp } = await import("./cli/mcp/door.ts");
  await serveMcp(options);
  return 0;
}

function lint(words: readonly string[]): number {
  const { values, positionals } = parse(words);
  if (values.help === true) return print(usage);
  if (values.version === true) return print(`${packageVersion()}\n`);
  const [command, ...names] = positionals;
  if (command !== "lint") {
    throw new WrongUse(command === undefined ? "no command" : `no such command: "${command}"`);
  }
  const format = oneOf("--format", formats, values.format ?? "text");
  const failOn = oneOf("--fail-on", [...severities, never], values["fail-on"] ?? "error");
  const surface = values.surface === undefined ? undefined : surfaceOf(values.surface);
  const chosen = values.spark === undefined ? undefined : toSparkVersion(values.spark);
  if (values.spark !== undefined && chosen === undefined) {
    throw new WrongUse(`--spark: "${values.spark}" is none of ${sparkVersions.join(", ")}`);
  }
  const choices = readChoices(checkedChoices(values.rule ?? []).join(" "));

  const diagnoser = diagnoserOf();
  const known = knownFiles();
  const reports = filesOf(names, surface).flatMap(({ file, surface, read }) => {
    const text = read();
    const version = chosen ?? known.versionFor(file) ?? newestSparkVersion;
    const files = known.namedIn(text, surface, file);
    const found = diagnoseSurface(diagnoser, text, surface, version, choices, files);
    return toReports(file, text, found);
  });
  process.stdout.write(printed[format](reports));
  const worst = failOn === never ? -1 : severities.indexOf(failOn);
  return reports.some(({ severity }) => severities.indexOf(severity) <= worst) ? 1 : 0;
}

function print(text: string): number {
  process.stdout.write(text);
  return 0;
}

function parse(words: readonly string[]) {
  try {
    return parseArgs({
      args: [...words],
      allowPositionals: true,
      options: {
        spark: { type: "string" },
        surface: { type: "string" },
        format: { type: "string" },
        "fail-on": { type: "string" },
        rule: { type: "string", multiple: true },
        help: { type: "boolean", short: "h" },
        version: { type: "boolean" },
      },
    });
  } catch (error) {
    throw new WrongUse(error instanceof Error ? error.message : String(error));
  }
}

function oneOf<T extends string>(option: string, known: readonly T[], given: string): T {
  const found = known.find((one) => one === given);
  if (found === undefined)
    throw new WrongUse(`${option}: "${given}" is none of ${known.join(", ")}`);
  return found;
}

/** Aliases for the values of `--surface`. */
const surfaceWords: ReadonlyMap<string, Surface> = new Map<string, Surface>([
  ["conf", "properties"],
  ["yaml", "manifest"],
  ["shell", "command"],
]);

const surfaceOf = (word: string): Surface =>
  surfaceWords.get(word) ?? oneOf("--surface", surfaces, word);

function checkedChoices(given: readonly string[]): readonly string[] {
  for (const choice of given) {
    if (readChoices(choice).size !== 1)
      throw new WrongUse(`--rule: "${choice}" is not CODE=SEVERITY`);
  }
  return given;
}

// ---- Files -----------------------------------------------------------------------------------------

interface Input {
  readonly file: string;
  readonly surface: Surface;
  readonly read: () => string;
}

function filesOf(names: readonly string[], surface: Surface | undefined): readonly Input[] {
  if (names.length === 0) return below(".", surface);
  return names.flatMap((name): readonly Input[] => {
    if (name === "-") {
      if (surface === undefined) throw new WrongUse("standard input needs --surface");
      return [{ file: "-", surface, read: () => readFileSync(0, "utf8") }];
    }
    const status = statSync(name, { throwIfNoEntry: false });
    if (status === undefined) throw new WrongUse(`no such file: "${name}"`);
    if (status.isDirectory()) return below(name, surface);
    const told = surface ?? surfaceOfNamedFile(name);
    if (told === undefined) {
      throw new WrongUse(`the name of "${name}" does not tell what it is: give --surface`);
    }
    return [inputOf(name, told)];
  });
}

// Any `.conf` or `.properties` file that the user names is Spark conf. In a folder, it may belong to another program.
const surfaceOfNamedFile = (name: string): Surface | undefined =>
  surfaceOfFile(name) ?? (/\.(?:conf|properties)$/i.test(name) ? "properties" : undefined);

function below(folder: string, surface: Surface | undefined): readonly Input[] {
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry): readonly Input[] => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        const isPassedOver = entry.name.startsWith(".") || entry.name === "node_modules";
        return isPassedOver ? [] : below(path, surface);
      }
      const told = entry.isFile() ? surfaceOfFile(entry.name) : undefined;
      return told === undefined || (surface !== undefined && told !== surface)
        ? []
        : [inputOf(path, told)];
    });
}

const inputOf = (file: string, surface: Surface): Input => ({
  file,
  surface,
  read: () => {
    try {
      return readFileSync(file, "utf8");
    } catch (error) {
      throw new WrongUse(
        `"${file}" cannot be read: ${error instanceof Error ? error.message : ""}`,
      );
    }
  },
});

// ---- Output ----------------------------------------------------------------------------------------

function toReports(
  file: string,
  text: string,
  found: readonly ConfDiagnostic[],
): readonly Report[] {
  const starts = lineStarts(text);
  return [...found]
    .sort((a, b) => a.span.start - b.span.start)
    .map(({ span, severity, code, message }) => {
      const from = placeOf(starts, span.start);
      const to = placeOf(starts, span.end);
      return {
        file,
        line: from.line,
        column: from.column,
        endLine: to.line,
        endColumn: to.column,
        severity,
        code,
        message: inEnglish(message),
      };
    });
}

function lineStarts(text: string): readonly number[] {
  return [0, ...[...text.matchAll(/\r\n|\r|\n/g)].map(({ index, 0: end }) => index + end.length)];
}

function placeOf(starts: readonly number[], offset: number): { line: number; column: number } {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
}

const printed: Readonly<Record<(typeof formats)[number], (reports: readonly Report[]) => string>> =
  {
    text: (reports) =>
      reports
        .map(
          ({ file, line, column, severity, code, message }) =>
            `${file}:${line}:${column}: ${severity}: ${message} [${code}]\n`,
        )
        .join(""),
    json: (reports) => `${JSON.stringify(reports, undefined, 2)}\n`,
    sarif: (reports) => `${JSON.stringify(sarifOf(reports), undefined, 2)}\n`,
  };

// Run last, so that all constants of this module are initialized.
run(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    if (!(error instanceof WrongUse)) throw error;
    process.stderr.write(
      `spark-k8s: ${error.message}\n"spark-k8s --help" shows what can be given.\n`,
    );
    process.exitCode = 2;
  },
);
