import type { Catalogue } from "../../catalogue.ts";
import type { ApplicationFacts } from "../../applicationFacts.ts";
import type { ConfEntry } from "../../confDocument.ts";
import { isFrom, type SparkVersion } from "../../sparkVersions.ts";
import { isCapitalsMark, isPlaceholder } from "../../values/placeholders.ts";
import { readValue, type ReadValue } from "../../values/readValue.ts";
import type { KnownEntry } from "../rule.ts";
import { groupOf } from "./groups.ts";

/** A document's settings as rules look at them: by key, the last one counting. */
export interface Conf {
  readonly version: SparkVersion;
  readonly application: ApplicationFacts;
  readonly cluster: "kubernetes" | "likely" | "other" | "unknown";
  readonly mode: "cluster" | "client" | "unknown";
  isFrom(version: SparkVersion): boolean;
  /** The setting, under its own name or an old one. */
  entry(key: string): ConfEntry | undefined;
  lacks(key: string): boolean;
  /** Whether the key means something to this or another version of Spark. */
  knows(entry: ConfEntry): boolean;
  /** The setting's text; undefined where it is not set or not known yet. */
  text(key: string): string | undefined;
  /** What Spark reads, the default where nothing is set; undefined where it is not known or refused. */
  flag(key: string): boolean | undefined;
  number(key: string, usual?: number): number | undefined;
  /** In bytes. */
  size(key: string): number | undefined;
  /** In milliseconds. */
  time(key: string): number | undefined;
  list(key: string): readonly string[];
  /** Settings below one of the prefixes of `groups.ts`. */
  group(prefix: string): readonly ConfEntry[];
  /** Whether the setting stands in another place than the document. */
  isElsewhere(entry: ConfEntry): boolean;
  /** Settings whose whole value stands in quotes. */
  readonly quoted: readonly ConfEntry[];
}

export interface ConfSource {
  readonly entries: readonly KnownEntry[];
  readonly elsewhere?: readonly KnownEntry[];
  readonly application: ApplicationFacts;
  readonly catalogue: Catalogue;
  readonly version: SparkVersion;
}

/** Undefined for a template: there only a part of the lines counts in the end. */
export function confOf(source: ConfSource): Conf | undefined {
  const { application, catalogue, version, elsewhere = [] } = source;
  const others = new Set(elsewhere.map(({ entry }) => entry));
  const entries = elsewhere.length === 0 ? source.entries : [...elsewhere, ...source.entries];
  const byKey = new Map<string, ConfEntry>();
  const byGroup = new Map<string, ConfEntry[]>();
  const quoted: ConfEntry[] = [];
  const unknown = new Set<ConfEntry>();
  for (const { entry, knowledge } of entries) {
    if (knowledge.kind === "template") return undefined;
    if (knowledge.kind === "foreign") continue;
    byKey.set(entry.key, entry);
    if (knowledge.kind === "unknown") unknown.add(entry);
    if (isQuoted(entry) && !others.has(entry)) quoted.push(entry);
    const group = groupOf(entry.key);
    if (group === undefined) continue;
    const members = byGroup.get(group);
    if (members === undefined) byGroup.set(group, [entry]);
    else members.push(entry);
  }
  for (const { entry, knowledge } of entries) {
    const of = knowledge.kind === "known" ? knowledge.facts.oldName?.of : undefined;
    if (of !== undefined && !byKey.has(of)) byKey.set(of, entry);
  }

  const text = (key: string): string | undefined => {
    const value = byKey.get(key)?.value.trim();
    return value === undefined || isPlaceholder(value) || isCapitalsMark(value) ? undefined : value;
  };
  const read = (key: string): ReadValue | undefined => {
    const type = catalogue.find(key, version)?.entry;
    if (type === undefined) return text(key);
    const value = byKey.has(key) ? text(key) : type.default;
    if (value === undefined && type.fallback !== undefined && !byKey.has(key))
      return read(type.fallback);
    return value === undefined ? undefined : readValue(type.type, value, version);
  };
  const unitOf = (key: string): number => {
    const type = catalogue.find(key, version)?.entry?.type;
    return type?.kind === "bytes" || type?.kind === "time" ? (units[type.unit] ?? 1) : 1;
  };
  const scaled = (key: string): number | undefined => {
    const value = read(key);
    return typeof value === "bigint" ? Number(value) * unitOf(key) : undefined;
  };
  const master = text("spark.master");
  const cluster = clusterOf(byKey, master);
  return {
    version,
    application,
    cluster,
    mode:
      application.mode ??
      modeOf(byKey, text("spark.submit.deployMode"), cluster, application.isWhole === true),
    isFrom: (first) => isFrom(version, first),
    entry: (key) => byKey.get(key),
    lacks: (key) => !byKey.has(key),
    isElsewhere: (entry) => others.has(entry),
    knows: (entry) => !unknown.has(entry),
    text,
    flag: (key) => {
      const value = read(key);
      if (typeof value === "boolean") return value;
      return value === "true" ? true : value === "false" ? false : undefined;
    },
    number: (key, usual) => {
      if (!byKey.has(key) && usual !== undefined) return usual;
      const value = read(key);
      if (typeof value === "bigint" || typeof value === "number") return Number(value);
      return typeof value === "string" && /^-?[0-9.]+$/.test(value) ? Number(value) : undefined;
    },
    size: scaled,
    time: scaled,
    list: (key) =>
      (text(key) ?? "")
        .split(",")
        .map((one) => one.trim())
        .filter((one) => one !== ""),
    group: (prefix) => byGroup.get(prefix) ?? [],
    quoted,
  };
}

// The launcher takes quotes out of Java options.
function isQuoted({ key, value }: ConfEntry): boolean {
  const [first] = value;
  if (value.length < 2 || (first !== '"' && first !== "'") || !value.endsWith(first)) return false;
  return value.indexOf(first, 1) === value.length - 1 && !key.endsWith("JavaOptions");
}

const units: Readonly<Record<string, number>> = {
  BYTE: 1,
  KiB: 2 ** 10,
  MiB: 2 ** 20,
  nanoseconds: 1e-6,
  milliseconds: 1,
  seconds: 1000,
  minutes: 60_000,
};

function clusterOf(
  byKey: ReadonlyMap<string, ConfEntry>,
  master: string | undefined,
): Conf["cluster"] {
  if (master !== undefined) return /^k8s:/i.test(master) ? "kubernetes" : "other";
  for (const key of byKey.keys()) if (key.startsWith("spark.kubernetes.")) return "likely";
  return "unknown";
}

function modeOf(
  byKey: ReadonlyMap<string, ConfEntry>,
  mode: string | undefined,
  cluster: Conf["cluster"],
  isWhole: boolean,
): Conf["mode"] {
  if (mode === "cluster" || mode === "client") return mode;
  const isUnset = !byKey.has("spark.submit.deployMode");
  return isUnset && isWhole && cluster === "kubernetes" ? "client" : "unknown";
}
