import type { Surface } from "../../../src/spark/surfaces/surfaces.ts";

const settings = [
  (index: number) => [`spark.executorEnv.NAME_${index}`, `value-${index}`],
  (index: number) => [`spark.kubernetes.driver.label.label-${index}`, `value-${index}`],
  (index: number) => [`spark.hadoop.fs.s3a.bucket.b${index}.endpoint`, `http://host-${index}:9000`],
  (index: number) => [`spark.sql.catalog.c${index}`, `org.example.Catalog${index}`],
  (index: number) => [`# a comment of line ${index}`, undefined],
] as const;

interface Writing {
  readonly head: string;
  readonly setting: (key: string, value: string) => string;
}

const call: Writing = { head: "", setting: (key, value) => `conf.set("${key}", "${value}")` };

/** The syntax of the same Spark properties on each surface. */
const writings: Readonly<Record<Surface, Writing>> = {
  properties: { head: "", setting: (key, value) => `${key} ${value}` },
  manifest: {
    head: "apiVersion: sparkoperator.k8s.io/v1beta2\nkind: SparkApplication\nspec:\n  sparkConf:\n",
    setting: (key, value) => `    ${key}: "${value}"`,
  },
  command: { head: "spark-submit \\\n", setting: (key, value) => `  --conf ${key}=${value} \\` },
  python: call,
  scala: call,
  java: call,
  profiles: { head: "", setting: (key, value) => `"${key}": ${JSON.stringify(value)},` },
};

export const surfacesOfTexts = Object.keys(writings) as readonly Surface[];

/** Returns text with this many lines, each a Spark property or a comment. */
export function textOf(surface: Surface, lines: number): string {
  const { head, setting } = writings[surface];
  const isCode = surface === "scala" || surface === "java" || surface === "profiles";
  const written = Array.from({ length: lines }, (_, index) => {
    const [key = "", value] = settings[index % settings.length]?.(index) ?? [];
    if (value === undefined) return isCode ? key.replace("#", "//") : key;
    return setting(key, value);
  });
  if (surface === "profiles")
    return `{ "version": "2.0.0", "tasks": [{ "type": "spark", "label": "long", "conf": {\n${written.join("\n")}\n} }] }\n`;
  return `${head}${written.join("\n")}\n`;
}

/** Returns unusual texts with about this many lines, such as the values of a Helm chart or a key on every line. */
export function unusualTexts(
  lines: number,
): readonly (readonly [name: string, surface: "properties" | "manifest", text: string])[] {
  const written = (
    surface: "properties" | "manifest",
    settingOf: (index: number) => readonly [string, string],
  ): string => {
    const { head, setting } = writings[surface];
    const all = Array.from({ length: lines }, (_, index) => setting(...settingOf(index)));
    return `${head}${all.join("\n")}\n`;
  };
  const part = (index: number): string =>
    `part${index}:\n  image:\n    repository: registry/app-${index}\n    tag: "${index}"\n` +
    `  resources:\n    limits:\n      cpu: ${index}m\n      memory: ${index}Mi\n`;
  const parts = Array.from({ length: lines / 8 }, (_, index) => part(index)).join("");
  const same = (index: number): readonly [string, string] => ["spark.executor.cores", `${index}`];
  const wrong = (index: number): readonly [string, string] => [`spark.executor.memry${index}`, "x"];
  return [
    ["values of a chart", "manifest", `sparkConf:\n  spark.executor.memory: 4g\n${parts}`],
    ["one key in all lines", "properties", written("properties", same)],
    ["one key in all lines", "manifest", written("manifest", same)],
    ["every line wrong", "properties", written("properties", wrong)],
    ["every line wrong", "manifest", written("manifest", wrong)],
  ];
}

/** Returns hostile texts: the value in the last line has 1,000,000 characters or 100,000 braces. */
export function hostileTexts(surface: Surface): readonly (readonly [string, string])[] {
  const length = 1_000_000;
  const fill = (piece: string, size = length): string =>
    piece.repeat(Math.ceil(size / piece.length)).slice(0, size);
  const { head, setting } = writings[surface];
  return [
    ["one character", fill("x")],
    ["nested quotes", fill(`"'`)],
    ["escaped quotes", fill('\\"')],
    ["100,000 braces", fill("{", 100_000)],
    ["pairs of braces", fill("{}")],
    ["placeholders", fill("${")],
    ["options", fill("--conf spark.a=")],
    ["calls", fill('.set("spark.a",(')],
    ["keys", fill("spark.a ")],
  ].map(([name = "", line = ""]) => [name, `${head}${setting("spark.app.name", line)}\n`]);
}
