// The Spark version of a project, from the build files that declare its libraries.
import { newestOf } from "./versionRanges.ts";

/** Build files of a folder, the most reliable first. */
export const buildFiles = [
  "uv.lock",
  "poetry.lock",
  "pyproject.toml",
  "requirements.txt",
  "build.sbt",
  "project/Dependencies.scala",
  "pom.xml",
  "gradle/libs.versions.toml",
  "build.gradle",
  "build.gradle.kts",
] as const;

export type BuildFile = (typeof buildFiles)[number];

/** The file in the same folder from which Gradle reads properties. */
export const gradleProperties = "gradle.properties";

/**
 * Returns the version as written in the file, or the newest minor version of a range. Undefined if the file does not
 * determine the version. `properties`: the text of `gradle.properties` in the same folder.
 */
export function versionOfBuild(file: BuildFile, text: string, properties = ""): string | undefined {
  switch (file) {
    case "uv.lock":
    case "poetry.lock":
      return ofLock(text);
    case "pyproject.toml":
      return ofProject(text);
    case "requirements.txt":
      return ofRequirements(text);
    case "build.sbt":
    case "project/Dependencies.scala":
      return ofSbt(text);
    case "pom.xml":
      return ofMaven(text);
    case "gradle/libs.versions.toml":
      return ofCatalogue(text);
    case "build.gradle":
    case "build.gradle.kts":
      return ofGradle(text, properties);
  }
}

const linesOf = (text: string): readonly string[] => text.split(/\r?\n/);
const isVersion = (text: string | undefined): text is string =>
  text !== undefined && /^\d{1,3}\.\d{1,3}/.test(text);

const firstVersion = (found: readonly (string | undefined)[]): string | undefined =>
  found.find(isVersion);

// ---- Python ---------------------------------------------------------------------------------------

function ofLock(text: string): string | undefined {
  const [, behind = ""] = text.split(/^name = "pyspark(?:-client|-connect)?"$/m);
  return /^\s*version = "([^"\n]{1,40})"/.exec(behind)?.[1];
}

const packageName = "pyspark(?:-client|-connect)?";

function ofRequirements(text: string): string | undefined {
  const requirement = new RegExp(`^\\s*${packageName}(?:\\[[^\\]]*\\])?\\s*([=<>~!][^#;]*)`, "i");
  return firstVersion(linesOf(text).map((line) => newestOf(requirement.exec(line)?.[1] ?? "")));
}

// Reads PEP 621 and uv: `"pyspark[sql]>=3.5,<3.6"`; Poetry: `pyspark = "^3.5"` or a table with `version`.
function ofProject(text: string): string | undefined {
  const listed = new RegExp(`["']${packageName}(?:\\[[^\\]"']*\\])?\\s*([=<>~!][^"';]*)`, "i");
  const named = new RegExp(
    `^\\s*${packageName}\\s*=\\s*(?:\\{.*?version\\s*=\\s*)?["']([^"']+)["']`,
    "i",
  );
  const wanted = linesOf(text).map((line) => {
    const poetry = named.exec(line)?.[1];
    // Poetry reads a version without an operator as an exact version.
    if (poetry !== undefined) return newestOf(/^\d/.test(poetry) ? `==${poetry}` : poetry);
    return newestOf(listed.exec(line)?.[1] ?? "");
  });
  return firstVersion(wanted);
}

// ---- Scala and Java -------------------------------------------------------------------------------

const withoutLineComments = (text: string): string =>
  linesOf(text)
    .map((line) => line.replace(/(^|\s)\/\/[^]*/, "$1"))
    .join("\n");

/** Returns the values of variables: `val x = "…"`, `def x = '…'`, `x = "…"`, `x by extra("…")`, `set("x", "…")`. */
function namedVersions(text: string): ReadonlyMap<string, string> {
  const assigned =
    /([A-Za-z_][\w.]{0,60})(?:\s*:\s*String)?\s*(?:=|by\s+extra\()\s*["'](\d[^"'\n]{0,30})["']/g;
  const put = /(?:set\(|put\()\s*["']([\w.]{1,60})["']\s*,\s*["'](\d[^"'\n]{0,30})["']/g;
  const found = [...text.matchAll(assigned), ...text.matchAll(put)];
  return new Map(
    found.flatMap(([, name = "", version = ""]) => [
      [name, version] as const,
      // `ext.sparkVersion` is read as `sparkVersion`.
      [name.slice(name.lastIndexOf(".") + 1), version] as const,
    ]),
  );
}

function ofSbt(text: string): string | undefined {
  const code = withoutLineComments(text);
  const names = namedVersions(code);
  const library =
    /"org\.apache\.spark"\s*%{1,3}\s*"[^"\n]{1,80}"\s*%\s*(?:"([^"\n]{1,40})"|([\w.]{1,80}))/g;
  return firstVersion(
    [...code.matchAll(library)].map(
      ([, version, name = ""]) => version ?? names.get(name.slice(name.lastIndexOf(".") + 1)),
    ),
  );
}

function ofGradle(text: string, properties: string): string | undefined {
  const code = withoutLineComments(text);
  const names = new Map([...propertiesOf(properties), ...namedVersions(code)]);
  const resolve = (written: string): string | undefined => {
    const name = /^\$\{?(?:rootProject\.|project\.|ext\.|extra\.)*(?:property\(["'])?([\w.]+)/.exec(
      written,
    )?.[1];
    return name === undefined ? written : names.get(name);
  };
  const inOne = /["']org\.apache\.spark:[^:"'\n]{1,80}:([^"'\n]{1,80})["']/g;
  const inParts =
    /group\s*[:=]\s*["']org\.apache\.spark["'][^\n]{0,120}?version\s*[:=]\s*["']?([^"'\s,)]{1,60})/g;
  return firstVersion([
    ...[...code.matchAll(inOne)].map(([, version = ""]) => resolve(version)),
    ...[...code.matchAll(inParts)].map(
      ([, version = ""]) => names.get(version) ?? resolve(version),
    ),
  ]);
}

const propertiesOf = (text: string): readonly (readonly [string, string])[] =>
  linesOf(text).flatMap((line) => {
    const [, name = "", value = ""] = /^\s*([\w.]+)\s*[=:]\s*(\S+)/.exec(line) ?? [];
    return name === "" ? [] : [[name, value] as const];
  });

// Reads `[versions]` and `[libraries]` of a version catalogue.
function ofCatalogue(text: string): string | undefined {
  const names = new Map<string, string>();
  const found: (string | undefined)[] = [];
  for (const line of linesOf(text)) {
    const [, name = "", version = ""] = /^\s*([\w.-]+)\s*=\s*["'](\d[^"']*)["']/.exec(line) ?? [];
    if (name !== "") names.set(name, version);
    if (!line.includes("org.apache.spark")) continue;
    const inOne = /["']org\.apache\.spark:[^:"']+:([^"']+)["']/.exec(line)?.[1];
    const ref = /version\.ref\s*=\s*["']([^"']+)["']/.exec(line)?.[1];
    const own = /version\s*=\s*["']([^"']+)["']/.exec(line)?.[1];
    found.push(inOne ?? own ?? names.get(ref ?? ""));
  }
  return firstVersion(found);
}

// Returns the version of the first Spark dependency, with properties filled in. If no dependency has a version, returns
// the property `spark.version`, which parent POMs use.
function ofMaven(text: string): string | undefined {
  const xml = text
    .split("<!--")
    .map((part, index) => (index === 0 ? part : part.slice(part.indexOf("-->") + 3)))
    .join("");
  const names = new Map<string, string>();
  for (const block of blocksOf(xml, "properties")) {
    for (const [, name = "", value = ""] of block.matchAll(
      /<([\w.-]{1,80})>\s*([^<\s]{1,80})\s*</g,
    )) {
      if (!names.has(name)) names.set(name, value);
    }
  }
  const resolve = (written: string | undefined, left = 8): string | undefined => {
    const name = /^\$\{([\w.-]+)\}$/.exec(written ?? "")?.[1];
    return name === undefined || left === 0 ? written : resolve(names.get(name), left - 1);
  };
  const found = blocksOf(xml, "dependency")
    .filter((block) => /<groupId>\s*org\.apache\.spark\s*</.test(block))
    .map((block) => resolve(/<version>\s*([^<\s]{1,80})\s*</.exec(block)?.[1]));
  return firstVersion([...found, resolve("${spark.version}")]);
}

const blocksOf = (xml: string, tag: string): readonly string[] =>
  xml
    .split(`<${tag}>`)
    .slice(1)
    .map((block) => block.slice(0, Math.max(0, block.indexOf(`</${tag}>`))));
