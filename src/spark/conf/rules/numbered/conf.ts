import type { Catalogue } from "../../catalogue/catalogue.ts";
import type { ApplicationFacts } from "../../catalogue/applicationFacts.ts";
import type { ConfEntry } from "../../parse/confDocument.ts";
import { isFrom, type SparkVersion } from "../../catalogue/sparkVersions.ts";
import { readValue, type ReadValue } from "../../values/readValue.ts";
import { settingTextOf, type Settings } from "./settings.ts";

/** The settings that rules read: by key, the last one wins. */
export interface RuleConf {
  readonly version: SparkVersion;
  readonly application: ApplicationFacts;
  readonly cluster: "kubernetes" | "likely" | "other" | "unknown";
  readonly mode: "cluster" | "client" | "unknown";
  isFrom(version: SparkVersion): boolean;
  /** Returns the setting, under its own name or a deprecated one. */
  entry(key: string): ConfEntry | undefined;
  lacks(key: string): boolean;
  /** True if this or another Spark version knows the key. */
  knows(entry: ConfEntry): boolean;
  /** Returns the setting's text; undefined if it is not set or is a placeholder. */
  text(key: string): string | undefined;
  /** Returns the value that Spark reads: the default if unset; undefined if unknown or invalid. */
  flag(key: string): boolean | undefined;
  number(key: string, defaultValue?: number): number | undefined;
  /** As `flag`, for a size in bytes. */
  size(key: string): number | undefined;
  /** As `flag`, for a time in milliseconds. */
  time(key: string): number | undefined;
  list(key: string): readonly string[];
  /** Returns the settings below one of the prefixes of `groups.ts`. */
  group(prefix: string): readonly ConfEntry[];
  /** True if the setting is outside the document. */
  isElsewhere(entry: ConfEntry): boolean;
  /** Settings whose whole value is in quotes, or has surrounding blanks that Spark keeps. */
  readonly wrapped: readonly ConfEntry[];
  /** Settings whose key marks the value as a secret. */
  readonly secrets: readonly ConfEntry[];
}

/** Facts about the document as a whole. */
export interface Situation {
  readonly application: ApplicationFacts;
  readonly cluster: RuleConf["cluster"];
  readonly mode: RuleConf["mode"];
}

export function confOf(
  settings: Settings,
  situation: Situation,
  catalogue: Catalogue,
  version: SparkVersion,
): RuleConf {
  const { entry } = settings;
  const text = (key: string): string | undefined => settingTextOf(settings, key);
  const read = (key: string): ReadValue | undefined => {
    const type = catalogue.find(key, version)?.entry;
    if (type === undefined) return text(key);
    const value = entry(key) !== undefined ? text(key) : type.default;
    if (value === undefined && type.fallback !== undefined && entry(key) === undefined)
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
  return {
    version,
    ...situation,
    isFrom: (first) => isFrom(version, first),
    entry,
    lacks: (key) => entry(key) === undefined,
    isElsewhere: settings.isElsewhere,
    knows: (one) => !settings.isUnknown(one),
    text,
    flag: (key) => {
      const value = read(key);
      if (typeof value === "boolean") return value;
      return value === "true" ? true : value === "false" ? false : undefined;
    },
    number: (key, defaultValue) => {
      if (entry(key) === undefined && defaultValue !== undefined) return defaultValue;
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
    group: settings.group,
    get wrapped() {
      return settings.wrapped;
    },
    get secrets() {
      return settings.secrets;
    },
  };
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
