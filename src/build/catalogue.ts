// Generates `src/spark/conf/catalogue/catalogue.json`: `npm run catalogue -- FOLDER`. FOLDER contains `spark-facts/`,
// recorded by reflection on the jars of each Spark version. The table has only facts: keys, kinds, units, defaults,
// ranges, allowed values, versions. The descriptions are this project's own, from `descriptions/`. Without FOLDER, only
// the descriptions are updated.
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import {
  byteUnits,
  comparisonLetters,
  kindLetters,
  tags,
  timeUnits,
  type Comparison,
  type Form,
  type ValueKind,
} from "../spark/conf/catalogue/catalogueFormat.ts";
import { readDescriptions } from "./descriptions.ts";
import {
  isFrom,
  releases,
  sparkVersions,
  versionBit,
  type SparkVersion,
} from "../spark/conf/catalogue/sparkVersions.ts";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const addons = ["addons-3.5.9.json", "addons-4.2.1.json"];
const everyVersion = (1 << sparkVersions.length) - 1;

type Json = Readonly<Record<string, unknown>>;

/** The values that a check accepts, by the comparison that it uses. */
type NamedChoices = Partial<Readonly<Record<Comparison, readonly string[]>>>;

/** Maps each key to its fields, and each field to the bit set of the versions that have it. */
type Table = Map<string, Map<string, number>>;

// Forms and allowed values of checks that reflection records only as functions. They are derived from the names of the
// checks and from trial values.
const namedChecks: Readonly<Record<string, Form | NamedChoices>> = {
  "spark.deploy.appIdPattern": "idPattern",
  "spark.deploy.driverIdPattern": "idPattern",
  "spark.worker.idPattern": "workerIdPattern",
  "spark.deploy.recoverySerializationFilter": "serialFilter",
  "spark.history.fs.logDirectory": "nonEmptyList",
  "spark.kubernetes.executor.podNamePrefix": "podNamePrefix",
  "spark.sql.artifact.cacheStorageLevel": "storageLevel",
  "spark.storage.decommission.fallbackStorage.path": "trailingSlash",
  "spark.ui.reverseProxyUrl": "proxyFreeUrl",
  "spark.sql.hive.version": "onlyDefault",
  "spark.python.unix.domain.socket.dir": "socketDirectory",
  "spark.sql.kafka.disallowedOptions": "noKafkaPrefix",
  "spark.sql.files.ignoredPathSegmentRegex": "regexOrEmpty",
  "spark.sql.reflect.allowList": "regexList",
  "spark.sql.defaultPath": "sqlPath",
  "spark.sql.hive.metastore.version": "hiveVersion",
  "spark.sql.parquet.output.committer.class": "className",
  "spark.sql.session.timeZone": "timeZone",
  "spark.sql.sources.commitProtocolClass": "className",
  "spark.sql.sources.outputCommitterClass": "className",
  "spark.kubernetes.pyspark.pythonVersion": { exact: ["3"] },
  "spark.driver.log.redirectConsoleOutputs": { lower: ["stdout", "stderr"] },
  "spark.executor.logs.redirectConsoleOutputs": { lower: ["stdout", "stderr"] },
  "spark.shuffle.checksum.algorithm": { upper: ["ADLER32", "CRC32"] },
  "spark.log.level": { upper: ["ALL", "TRACE", "DEBUG", "INFO", "WARN", "ERROR", "FATAL", "OFF"] },
  "spark.sql.dataframeCache.logLevel": { upper: ["TRACE", "DEBUG", "INFO", "WARN", "ERROR"] },
  "spark.sql.expressionTreeChangeLog.level": { upper: ["TRACE", "DEBUG", "INFO", "WARN", "ERROR"] },
  "spark.sql.planChangeLog.level": { upper: ["TRACE", "DEBUG", "INFO", "WARN", "ERROR"] },
  "spark.sql.streaming.multipleWatermarkPolicy": { lower: ["min", "max"] },
  "spark.sql.streaming.stateStore.encodingFormat": { lower: ["unsaferow", "avro"] },
  "spark.sql.ui.explainMode": { upper: ["SIMPLE", "EXTENDED", "CODEGEN", "COST", "FORMATTED"] },
};

// Intervals that trial values cannot determine completely.
const namedRanges: Readonly<Record<string, string>> = {
  "spark.kubernetes.executor.pvc.resizeInterval": "[0,%5",
  "spark.sql.parser.parserDfaCacheFlushRatio": ",100]",
};

// Keys that only PySpark reads, with their first version. Reflection cannot find them.
const pythonNames: Readonly<Record<string, SparkVersion>> = {
  "spark.local.connect.reuse": "4.3",
  "spark.local.connect.server.port": "4.3",
  "spark.python.profile": "3.3",
  "spark.python.profile.dump": "3.3",
  "spark.python.profile.memory": "3.4",
  "spark.python.worker.memory": "3.3",
};

function main(shared: string | undefined): void {
  const target = join(root, "src/spark/conf/catalogue/catalogue.json");
  const rows =
    shared === undefined
      ? strings(readJson(target)["rows"])
      : rowsOf(tableOf(join(shared, "spark-facts")));
  const descriptions = readDescriptions().map(({ keys, text }) => [text, ...keys].join("\t"));
  const text = `${JSON.stringify({ rows, descriptions }, undefined, 2)}\n`;
  writeFileSync(target, text);
  const bytes = (count: number): string => count.toLocaleString("en-US");
  console.log(
    `${bytes(rows.length)} keys, ${bytes(Buffer.byteLength(text))} bytes, ` +
      `${bytes(gzipSync(text, { level: 9 }).length)} with gzip`,
  );
}

function tableOf(facts: string): Table {
  const table: Table = new Map();
  for (const version of sparkVersions) {
    const release = releases[version];
    const conf = readJson(join(facts, "conf", `conf-${release}.json`));
    addRelease(table, versionBit(version), conf);
    addLiterals(table, versionBit(version), join(facts, "conf", `literals-${release}.tsv`));
  }
  for (const version of sparkVersions) {
    for (const [key, first] of Object.entries(pythonNames)) {
      if (isFrom(version, first)) adder(table, versionBit(version))(key, tags.literal);
    }
  }
  for (const addon of addons) addConnector(table, readJson(join(facts, addon)));
  return table;
}

function addRelease(table: Table, version: number, conf: Json): void {
  const put = adder(table, version);
  const entries = list(conf["entries"]);
  const keys = new Set(entries.map((entry) => text(entry["key"])));
  const successor = (said: Json): string => {
    const named = text(said["message"]).match(/spark(?:\.[A-Za-z0-9_]+)+/g) ?? [];
    const other = named.find((key) => keys.has(key) && key !== text(said["key"]));
    return other === undefined ? "" : `>${other}`;
  };
  for (const entry of entries) {
    const key = text(entry["key"]);
    for (const field of entryFields(entry)) put(key, field);
    for (const old of strings(entry["alternatives"])) put(old, tags.oldNameOf + key);
  }
  for (const old of list(conf["configsWithAlternatives"])) {
    put(text(old["alternative"]), tags.oldNameOf + text(old["key"]) + translation(old));
  }
  for (const table of ["deprecatedConfigs", "deprecatedSQLConfigs"]) {
    for (const said of list(conf[table])) {
      put(text(said["key"]), tags.deprecated + text(said["version"]) + successor(said));
    }
  }
  for (const said of list(conf["removedSQLConfigs"])) {
    const field = `${text(said["version"])}${successor(said)}=${text(said["onlyAllowedValue"])}`;
    put(text(said["key"]), tags.removed + field);
  }
}

function entryFields(entry: Json): readonly string[] {
  const key = text(entry["key"]);
  const factKind = text(entry["kind"]);
  const isEnum = factKind === "enum";
  const kind = kindOf(factKind);
  const steps = list(entry["steps"] ?? []);
  const fields = [tags.kind + kindLetters[kind] + unitOf(entry, kind)];
  if (entry["machineDependent"] === undefined) fields.push(...defaultFields(entry));
  const range = rangeOf(entry);
  if (range !== undefined) fields.push(tags.range + range);
  const allowed = strings(entry["allowed"] ?? []);
  const transforms = strings(entry["transforms"] ?? []);
  const check = kind === "decimal" ? "nineDecimals" : namedChecks[key];
  if (allowed.length > 0) {
    fields.push(choices(isEnum ? "trimmedAnyCase" : comparisonOf(transforms), allowed));
  } else if (steps.some((step) => step["step"] === "check")) {
    if (typeof check === "string") fields.push(tags.form + check);
    else if (check !== undefined) fields.push(namedChoices(check));
    else if (range === undefined) throw new Error(`a check that is not understood: ${key}`);
  }
  const since = text(entry["version"]);
  if (since !== "") fields.push(tags.since + since);
  if (entry["isPublic"] === false) fields.push(tags.internal);
  if (entry["sqlStatic"] === true) fields.push(tags.staticSql);
  else if (entry["sqlConf"] === true) fields.push(tags.sessionSql);
  if (entry["protoDefined"] === true) fields.push(tags.untrimmed);
  if (entry["prependedKey"] !== undefined) {
    fields.push(tags.prepended + text(entry["prependedKey"]));
  }
  return fields;
}

function kindOf(kind: string): ValueKind {
  switch (kind) {
    case "enum":
      return "string";
    case "seq":
      return "list";
    case "boolean":
    case "int":
    case "long":
    case "double":
    case "decimal":
    case "string":
    case "time":
    case "bytes":
    case "regex":
      return kind;
    default:
      throw new Error(`unknown kind: ${kind}`);
  }
}

function unitOf(entry: Json, kind: ValueKind): string {
  if (kind === "time" || kind === "bytes") {
    const unit = text(entry["unit"]);
    const known: readonly string[] = kind === "time" ? timeUnits : byteUnits;
    if (!known.includes(unit)) throw new Error(`unknown unit: ${unit}`);
    return `:${unit}`;
  }
  if (kind !== "list") return "";
  const element = kindOf(text(record(entry["element"])["kind"]));
  return element === "string" ? "" : `:${kindLetters[element]}`;
}

function defaultFields(entry: Json): readonly string[] {
  const fallback = strings(entry["fallback"] ?? [])[0];
  if (fallback !== undefined) return [tags.fallback + fallback];
  // Spark prints an absent default as "null".
  const absent: readonly unknown[] = [undefined, null, "null", "<undefined>"];
  if (absent.includes(entry["default"]) || entry["entryClass"] === "OptionalConfigEntry") return [];
  const value = text(entry["default"]);
  // Leave out URLs of Maven mirrors, which do not help users.
  if (value.startsWith("https://maven")) return [];
  if (/[\t\n\r]/.test(value)) throw new Error(`a default with a tab: ${text(entry["key"])}`);
  return [tags.default + value];
}

function rangeOf(entry: Json): string | undefined {
  if (entry["range"] === undefined) return undefined;
  const key = text(entry["key"]);
  const named = namedRanges[key];
  if (named !== undefined) return named;
  const range = record(entry["range"]);
  const accepted = strings(range["accepted"]);
  const rejected = strings(range["rejected"]);
  if (rejected.length === 0) return undefined;
  // `spark.task.cpus` is the only decimal entry. Its check, `nineDecimals`, implies these bounds.
  if (entry["kind"] === "decimal") return "[1e-9,2147483647]";
  if (entry["kind"] === "double") return doubleRange(key, accepted, rejected);
  const { min, max } = range;
  const from = typeof min === "number" ? `[${min}` : "";
  const to = typeof max === "number" ? `${max}]` : "";
  const holes = range["contiguous"] === true ? [] : holesIn(rejected, min, max);
  if (from === "" && to === "") throw new Error(`a range without bounds: ${key}`);
  return `${from},${to}${holes.length > 0 ? `!${holes.join(",")}` : ""}`;
}

function holesIn(rejected: readonly string[], min: unknown, max: unknown): readonly string[] {
  return rejected.filter((point) => {
    const value = Number(point);
    return !(typeof min === "number" && value < min) && !(typeof max === "number" && value > max);
  });
}

// Returns the interval of a number, derived from the trial values that Spark accepted. The only possible bounds are 0
// and 1.
function doubleRange(
  key: string,
  accepted: readonly string[],
  rejected: readonly string[],
): string {
  const takes = (point: string): boolean => {
    if (!accepted.includes(point) && !rejected.includes(point)) {
      throw new Error(`${point} was not tried for ${key}`);
    }
    return accepted.includes(point);
  };
  const low = takes("-1.0") ? "" : takes("0.0") ? "[0" : takes("1.0E-9") ? "(0" : "[1";
  const high = takes("1.0E9") ? "" : takes("1.0") ? "1]" : "1)";
  if (high !== "" && takes("1.000001")) throw new Error(`a bound that is not understood: ${key}`);
  return `${low},${high}`;
}

function comparisonOf(transforms: readonly string[]): Comparison {
  if (transforms.includes("uppercase")) return "upper";
  return transforms.includes("lowercase") ? "lower" : "exact";
}

function namedChoices({ exact, lower, upper }: NamedChoices): string {
  if (exact !== undefined) return choices("exact", exact);
  return lower === undefined ? choices("upper", upper ?? []) : choices("lower", lower);
}

const choices = (comparison: Comparison, allowed: readonly string[]): string =>
  tags.choices + comparisonLetters[comparison] + allowed.join("|");

// Returns `*` and the number type of an old key, if Spark converts its number to a value with a unit for the new key.
// Returns an empty string if the new key reads the value unchanged. If the trial value 0.5 was rejected, the type is
// integer, otherwise double.
function translation(old: Json): string {
  if (old["translates"] !== true) return "";
  const half = text(record(old["translationExamples"])["0.5"]);
  return `*${half.startsWith("!") ? kindLetters.int : kindLetters.double}`;
}

function addLiterals(table: Table, version: number, path: string): void {
  const put = adder(table, version);
  for (const line of readFileSync(path, "utf8").split("\n")) {
    const [key = "", kind] = line.split("\t");
    // Skip names with placeholders, because they belong to key families.
    if (kind === "key" && !/[%[]/.test(key)) put(key, tags.literal);
  }
}

// There is no list of connector entries per version, so an entry applies from the version that it names. For a
// connector that became a part of the distribution, such as Connect, it applies only before that version.
function addConnector(table: Table, addon: Json): void {
  for (const entry of list(addon["entries"])) {
    const key = text(entry["key"]);
    const own = [...(table.get(key) ?? [])].filter(([field]) => field.startsWith(tags.kind));
    const inDistribution = own.reduce((bits, [, versions]) => bits | versions, 0);
    const firstInside = sparkVersions.findIndex((one) => inDistribution & versionBit(one));
    const outside = firstInside < 0 ? sparkVersions : sparkVersions.slice(0, firstInside);
    const since = text(entry["version"]).split(".").slice(0, 2).map(Number);
    const [major = 0, minor = 0] = since;
    for (const version of outside) {
      const [thisMajor = 0, thisMinor = 0] = version.split(".").map(Number);
      if (thisMajor < major || (thisMajor === major && thisMinor < minor)) continue;
      const put = adder(table, versionBit(version));
      for (const field of entryFields(entry)) put(key, field);
      put(key, tags.connector);
    }
  }
}

function adder(table: Table, version: number): (key: string, field: string) => void {
  return (key, field) => {
    const fields = table.get(key) ?? new Map<string, number>();
    table.set(key, fields);
    fields.set(field, (fields.get(field) ?? 0) | version);
  };
}

function rowsOf(table: Table): readonly string[] {
  const byText = (a: string, b: string): number => (a < b ? -1 : 1);
  return [...table].sort(([a], [b]) => byText(a, b)).map(([key, fields]) => rowOf(key, fields));
}

function rowOf(key: string, fields: ReadonlyMap<string, number>): string {
  const groups = new Map<number, string[]>();
  for (const [field, versions] of fields) {
    groups.set(versions, [...(groups.get(versions) ?? []), field]);
  }
  const row = [key, ...(groups.get(everyVersion) ?? [])];
  groups.delete(everyVersion);
  for (const [versions, group] of [...groups].sort(([a], [b]) => a - b)) {
    row.push(tags.versions + versions.toString(16).padStart(2, "0"), ...group);
  }
  return row.join("\t");
}

// ---- Accessors for untyped facts ----------------------------------------------------------------

function readJson(path: string): Json {
  return record(JSON.parse(readFileSync(path, "utf8")));
}

function isRecord(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function record(value: unknown): Json {
  if (!isRecord(value)) throw new Error(`not an object: ${JSON.stringify(value)}`);
  return value;
}

function list(value: unknown): readonly Json[] {
  if (!Array.isArray(value)) throw new Error(`not a list: ${JSON.stringify(value)}`);
  return value.map(record);
}

function strings(value: unknown): readonly string[] {
  if (!Array.isArray(value)) throw new Error(`not a list: ${JSON.stringify(value)}`);
  return value.map(text);
}

function text(value: unknown): string {
  if (typeof value !== "string") throw new Error(`not a text: ${JSON.stringify(value)}`);
  return value;
}

main(process.argv[2]);
