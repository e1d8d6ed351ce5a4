import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";

const root = join(import.meta.dirname, "../../..");
const program = join(root, "dist/cli.cjs");
const folder = mkdtempSync(join(tmpdir(), "spark-k8s-lint-"));
after(() => {
  rmSync(folder, { recursive: true });
});

const write = (name: string, text: string): void => {
  mkdirSync(join(folder, name, ".."), { recursive: true });
  writeFileSync(join(folder, name), text);
};
write("bad.conf", "spark.app.name a\r\nspark.executor.memory 1.5g\r\nspark.exeutor.cores 1\n");
write("good.properties", "spark.executor.memory=2g\n");
write("conf/spark-defaults.conf", "spark.executor.cores 0\n");
write("conf/other.conf", "listen 80;\n");
write("conf/.hidden/spark-defaults.conf", "spark.executor.cores 0\n");
write("notes.txt", "spark.executor.cores x\n");
write("job.yaml", "sparkConf:\n  spark.executor.cores: none\n");

/** Runs the linter as a shell would; returns its output and exit code. */
function lint(
  words: readonly string[],
  input = "",
): { code: number | null; out: string; err: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...words], {
    cwd: folder,
    encoding: "utf8",
    input,
  });
  return { code: status, out: stdout, err: stderr };
}

test("prints findings with their positions, counted from 1, and exits with 1 for an error", () => {
  const { code, out } = lint(["lint", "bad.conf"]);
  assert.equal(code, 1);
  assert.deepEqual(
    out.split("\n").map((line) => line.replace(/ .*\[/, " [")),
    ["bad.conf:2:23: [R035-size-unit]", "bad.conf:3:7: [unknown-key]", ""],
  );
});

test("JSON is an array of findings with start and end", () => {
  const { code, out } = lint(["lint", "--format", "json", "bad.conf", "good.properties"]);
  assert.equal(code, 1);
  assert.deepEqual(JSON.parse(out), [
    {
      file: "bad.conf",
      line: 2,
      column: 23,
      endLine: 2,
      endColumn: 27,
      severity: "error",
      code: "R035-size-unit",
      message: '"1.5g": a size cannot have a fraction. Use a smaller unit.',
    },
    {
      file: "bad.conf",
      line: 3,
      column: 7,
      endLine: 3,
      endColumn: 14,
      severity: "warning",
      code: "unknown-key",
      message:
        'Spark 4.3 does not know "spark.exeutor.cores". Did you mean "spark.executor.cores"?',
    },
  ]);
});

test("a file without findings gives an empty array and 0", () => {
  const { code, out } = lint(["lint", "--format=json", "good.properties"]);
  assert.deepEqual([code, JSON.parse(out)], [0, []]);
});

test("--fail-on says from which severity on it fails", () => {
  const warned = ["lint", "--rule", "R035=warning", "bad.conf"];
  const codes = ["error", "warning", "information", "hint", "never"].map(
    (severity) => lint([...warned, "--fail-on", severity]).code,
  );
  assert.deepEqual(codes, [0, 1, 1, 1, 0]);
  assert.equal(lint(["lint", "--rule", "all=off", "--fail-on", "hint", "bad.conf"]).code, 0);
});

test("--spark sets the Spark version, as a minor version or a release", () => {
  write("unit.conf", "spark.executor.memory 2Gi\n");
  const codes = ["4.1", "4.1.4", "4.2", "4.3.0"].map(
    (version) => lint(["lint", "--spark", version, "unit.conf"]).code,
  );
  assert.deepEqual(codes, [1, 1, 0, 0]);
});

test("a folder is searched for files with known names, and so is the current one", () => {
  const found = (words: readonly string[]): readonly string[] =>
    lint(["lint", ...words])
      .out.split("\n")
      .filter((line) => line !== "")
      .map((line) => line.split(":")[0] ?? "");
  assert.deepEqual(found(["conf"]), [join("conf", "spark-defaults.conf")]);
  assert.deepEqual(new Set(found([])), new Set([join("conf", "spark-defaults.conf"), "job.yaml"]));
  assert.deepEqual(new Set(found(["--surface", "manifest"])), new Set(["job.yaml"]));
});

test("--surface sets the kind of a file or of standard input", () => {
  assert.equal(lint(["lint", "--surface", "conf", "notes.txt"]).code, 1);
  const { code, out } = lint(["lint", "--surface", "properties", "-"], "spark.executor.cores x\n");
  assert.equal(code, 1);
  assert.match(out, /^-:1:22: error: .*\[R027-cores-not-whole\]\n$/);
});

test("invalid arguments exit with 2 and print only the reason", () => {
  const wrong: readonly (readonly [readonly string[], RegExp])[] = [
    [[], /no command/],
    [["check"], /no such command: "check"/],
    [["lint", "none.conf"], /no such file: "none\.conf"/],
    [["lint", "notes.txt"], /give --surface/],
    [["lint", "-"], /standard input needs --surface/],
    [["lint", "--spark", "2.4", "bad.conf"], /"2\.4" is none of 3\.3/],
    [["lint", "--format", "xml", "bad.conf"], /--format: "xml" is none of/],
    [["lint", "--fail-on", "fatal", "bad.conf"], /--fail-on/],
    [["lint", "--surface", "toml", "bad.conf"], /--surface/],
    [["lint", "--rule", "R035", "bad.conf"], /CODE=SEVERITY/],
    [["lint", "--nonsense", "bad.conf"], /nonsense/],
  ];
  for (const [words, why] of wrong) {
    const { code, out, err } = lint(words);
    assert.deepEqual([code, out], [2, ""], words.join(" "));
    assert.match(err, why);
  }
});

test("SARIF contains the rules with their pages and the positions of the results", () => {
  const log: unknown = JSON.parse(lint(["lint", "--format", "sarif", "bad.conf"]).out);
  const at = (...path: readonly (string | number)[]): unknown =>
    path.reduce<unknown>(
      (value, name) =>
        typeof value === "object" && value !== null
          ? new Map(Object.entries(value)).get(String(name))
          : undefined,
      log,
    );
  assert.equal(at("version"), "2.1.0");
  // Only "markdown" is rendered.
  const plain = JSON.stringify(log, (name, value: unknown) => (name === "markdown" ? "" : value));
  assert.doesNotMatch(plain, /`|\*\*|\]\(/);
  assert.equal(at("runs", 0, "tool", "driver", "rules", 0, "id"), "R035-size-unit");
  assert.match(
    String(at("runs", 0, "tool", "driver", "rules", 0, "help", "markdown")),
    /^# R035-size-unit/,
  );
  assert.equal(at("runs", 0, "results", 0, "level"), "error");
  const place = ["runs", 0, "results", 0, "locations", 0, "physicalLocation"];
  assert.equal(at(...place, "artifactLocation", "uri"), "bad.conf");
  assert.deepEqual(at(...place, "region"), {
    startLine: 2,
    startColumn: 23,
    endLine: 2,
    endColumn: 27,
  });
});

test("prints the help and the version", () => {
  const help = lint(["--help"]);
  assert.equal(help.code, 0);
  assert.match(help.out, /^Usage: spark-k8s lint/);
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    version: string;
  };
  assert.equal(lint(["--version"]).out, `${version}\n`);
});

test("the package declares the program, which a shell can start", () => {
  const { bin } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    bin: Record<string, string>;
  };
  assert.deepEqual(bin, { "spark-k8s": "./dist/cli.cjs" });
  assert.match(readFileSync(program, "utf8"), /^#!\/usr\/bin\/env node\n/);
  assert.ok(statSync(program).size < 1_000_000);
});

test("the nearest build file sets the version, unless an option does", () => {
  write(
    "built/pom.xml",
    "<project><properties><spark.version>4.1.0</spark.version></properties>\n",
  );
  write("built/requirements/requirements.txt", "pyspark==4.2.0\n");
  for (const place of ["built", "built/conf", "built/requirements"])
    write(`${place}/spark-defaults.conf`, "spark.executor.memory 2Gi\n");
  const code = (...words: readonly string[]): number | null => lint(["lint", ...words]).code;
  assert.equal(code("built/conf/spark-defaults.conf"), 1);
  assert.equal(code("built/requirements/spark-defaults.conf"), 0);
  assert.equal(code("--spark", "4.2", "built/conf/spark-defaults.conf"), 0);
});

test("named pod templates and properties files are read, but no file of another folder", () => {
  const template = "spec:\n  containers:\n    - name: main\n      livenessProbe: { exec: {} }\n";
  write("named/pod.yaml", template);
  write("named/spark.conf", "spark.kubernetes.executor.podTemplateFile pod.yaml\n");
  write("named/a.sh", "spark-submit --properties-file spark.conf local:///a.jar\n");
  write("named/b.conf", "spark.kubernetes.executor.podTemplateFile pod.yaml\n");
  write("named/c.conf", "spark.kubernetes.executor.podTemplateFile ../../pod.yaml\n");
  const rules = (file: string): readonly string[] =>
    [...lint(["lint", file]).out.matchAll(/\[(R113[^\]]*)\]/g)].map(([, code = ""]) => code);
  assert.deepEqual(rules("named/b.conf"), ["R113-template-probe"]);
  assert.deepEqual(rules("named/c.conf"), []);
  // The finding is reported in the file that sets the key.
  assert.deepEqual(rules("named/a.sh"), []);
});
