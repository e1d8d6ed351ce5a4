// Checks the .vsix package, which is built twice in different folders from the files of a checkout.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { readZipEntry } from "../../src/storage/zipEntry.ts";
import { projectRoot } from "./sources.ts";

const folder = mkdtempSync(join(tmpdir(), "spark-k8s-twice-"));
after(() => {
  rmSync(folder, { recursive: true });
});

/** Builds and packages in a separate folder, with this umask and time zone. Returns the path of the package. */
function makeIn(name: string, umask: string, zone: string): string {
  const root = join(folder, name);
  mkdirSync(root);
  for (const part of [
    ...["src", "media", "syntaxes", "package.json", "package.nls.json", "package-lock.json"],
    ...[".vscodeignore", "README.md", "CHANGELOG.md", "LICENSE"],
  ]) {
    cpSync(join(projectRoot, part), join(root, part), { recursive: true });
  }
  symlinkSync(join(projectRoot, "node_modules"), join(root, "node_modules"));
  const vsix = join(root, "out/spark-k8s.vsix");
  const script = [
    `umask ${umask}`,
    "find . -path ./node_modules -prune -o -type f -exec chmod a-x,go=,u=rw {} +",
    `"${process.execPath}" src/build/bundle.ts`,
    `"${process.execPath}" -e 'import("./src/build/package/makePackage.ts").then((made) => made.makePackage(process.cwd(), "${vsix}"))'`,
  ].join(" && ");
  execFileSync("sh", ["-c", script], { cwd: root, env: { ...process.env, TZ: zone } });
  return vsix;
}

const first = makeIn("a", "022", "UTC");
const second = makeIn("another place", "077", "Pacific/Kiritimati");

/** Returns the file names in a zip file's central directory (PKWARE APPNOTE, 4.3.12). */
function namesIn(path: string): readonly string[] {
  const bytes = readFileSync(path);
  const names: string[] = [];
  const signature = Buffer.from("PK\u0001\u0002", "latin1");
  for (let at = bytes.indexOf(signature); at !== -1; at = bytes.indexOf(signature, at + 46)) {
    names.push(bytes.toString("utf8", at + 46, at + 46 + bytes.readUInt16LE(at + 28)));
  }
  return names;
}

const names = namesIn(first);
const textIn = (name: string): string => String(readZipEntry(first, `extension/${name}`));

test("the same sources give the same bytes in another folder, time zone and umask", () => {
  assert.ok(readFileSync(first).equals(readFileSync(second)));
  assert.equal(readFileSync(`${first}.sha256`, "utf8"), readFileSync(`${second}.sha256`, "utf8"));
});

test("the checksums match the package and its bill of materials", () => {
  const cwd = join(folder, "a/out");
  const said = execFileSync("sha256sum", ["--check", "spark-k8s.vsix.sha256"], { cwd });
  assert.equal(said.toString(), "spark-k8s.vsix: OK\nspark-k8s.cdx.json: OK\n");
});

test("the package contains exactly the shipped files", () => {
  const bundles = [
    ...[
      "apps",
      "assistant",
      "catalogue",
      "cli",
      "cluster",
      "conf",
      "debug",
      "describe",
      "extension",
      "forward",
      "lifecycle",
      "logs",
      "mcp",
    ],
    ...["profiles", "re2js", "runs", "sandbox", "sandboxDoor", "session", "storage", "submit"],
    ...["timelineDoor", "web"],
  ];
  const expected = [
    ...bundles.map((name) => `extension/dist/${name}.cjs`),
    ...["timeline.js", "timelineStyle.css"].map((name) => `extension/dist/${name}`),
    ...["THIRD-PARTY-NOTICES.txt", "sbom.cdx.json"].map((name) => `extension/dist/${name}`),
    ...["package.json", "package.nls.json", "readme.md", "changelog.md", "LICENSE.txt"].map(
      (name) => `extension/${name}`,
    ),
    "extension.vsixmanifest",
    "[Content_Types].xml",
  ];
  const shipped = execFileSync("git", ["ls-files", "media", "syntaxes"], { cwd: projectRoot });
  const tracked = shipped.toString().trim().split("\n");
  const all = [...expected, ...tracked.map((name) => `extension/${name}`)];
  assert.deepEqual(names.toSorted(), all.sort());
});

test("the package is within its size limit", () => {
  const megabyte = 1_000_000;
  assert.ok(statSync(first).size < 3 * megabyte, `${statSync(first).size} bytes`);
});

test("no shipped text names a folder of the machine, a private key or a source map", () => {
  for (const name of names.filter((one) => /\.(?:cjs|json|txt|md)$/.test(one))) {
    const text = String(readZipEntry(first, name));
    for (const word of [projectRoot, folder, "sourceMappingURL"]) {
      assert.ok(!text.includes(word), `${name} has ${word}`);
    }
    assert.doesNotMatch(text, /-----BEGIN [A-Z ]*PRIVATE KEY-----\\?n?[A-Za-z0-9+/=]{40}/, name);
  }
});

interface Bom {
  readonly bomFormat: string;
  readonly specVersion: string;
  readonly serialNumber: string;
  readonly version: number;
  readonly metadata: { readonly component: Component; readonly timestamp?: unknown };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

interface Component {
  readonly type: string;
  readonly "bom-ref": string;
  readonly group?: string;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly licenses: readonly ({ readonly license: { readonly id: string } } | undefined)[];
  readonly hashes?: readonly ({ readonly alg: string; readonly content: string } | undefined)[];
}

test("the bill of materials is CycloneDX 1.6 and complete", () => {
  const bom = JSON.parse(textIn("dist/sbom.cdx.json")) as Bom;
  assert.equal(bom.bomFormat, "CycloneDX");
  assert.equal(bom.specVersion, "1.6");
  // The pattern of `serialNumber` in the CycloneDX schema.
  assert.match(
    bom.serialNumber,
    /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/,
  );
  assert.equal(bom.version, 1);
  assert.equal(bom.metadata.timestamp, undefined);
  const refs = [bom.metadata.component, ...bom.components].map((one) => one["bom-ref"]);
  assert.equal(new Set(refs).size, refs.length);
  assert.deepEqual(
    bom.dependencies.map(({ ref }) => ref),
    refs,
  );
  for (const component of bom.components) {
    assert.equal(component.type, "library");
    assert.match(component.purl, /^pkg:npm\/(?:%40[\w.-]+\/)?[\w.-]+@\d+\.\d+\.\d+$/);
    assert.ok(component.licenses.some((one) => /^[A-Za-z0-9.-]+$/.test(one?.license.id ?? "")));
    assert.equal(component.hashes?.[0]?.alg, "SHA-512");
    assert.match(component.hashes[0].content, /^[0-9a-f]{128}$/);
  }
});

test("each package in the bill of materials has its license text in the notices", () => {
  const bom = JSON.parse(textIn("dist/sbom.cdx.json")) as Bom;
  const notices = textIn("dist/THIRD-PARTY-NOTICES.txt");
  const listed = bom.components.map(({ group, name }) => (group ? `${group}/${name}` : name));
  assert.deepEqual(
    listed,
    [
      "@kubernetes/client-node",
      "@modelcontextprotocol/core",
      "@modelcontextprotocol/server",
      "@renovatebot/pep440",
      "aws4fetch",
      "jsonc-parser",
      "re2js",
      "rfc4648",
      "smol-toml",
      "uplot",
      "yaml",
      "zod",
    ],
    "a package that is bundled anew is worth a look at its license",
  );
  for (const { group, name, version } of bom.components) {
    const title = `\n${group === undefined ? "" : `${group}/`}${name} ${version} (`;
    const [, text = ""] = notices.split(title);
    assert.match(text.slice(0, 2_000), /Permission|Apache License|MIT License/, title);
  }
});
