import type { Catalogue } from "../../catalogue/catalogue.ts";
import type { ApplicationFacts } from "../../catalogue/applicationFacts.ts";
import type { ConfEntry } from "../../parse/confDocument.ts";
import { isFrom, type SparkVersion } from "../../catalogue/sparkVersions.ts";
import { readValue, type ReadValue } from "../../values/readValue.ts";
import { settingTextOf, type Settings } from "./settings.ts";

/** The Spark properties that rules read. If a key is set several times, the last entry is effective. */
export interface RuleConf {
  readonly version: SparkVersion;
  readonly application: ApplicationFacts;
  readonly cluster: "kubernetes" | "likely" | "other" | "unknown";
  readonly mode: "cluster" | "client" | "unknown";
  isFrom(version: SparkVersion): boolean;
  /** Returns the setting, under its own name or a deprecated one. Undefined if neither is set. */
  entry(key: string): ConfEntry | undefined;
  lacks(key: string): boolean;
  /** True if this or another Spark version knows the key. */
  knows(entry: ConfEntry): boolean;
  /** Returns the setting's text; undefined if it is not set or is a placeholder. */
  text(key: string): string | undefined;
  /** Returns the boolean that Spark reads: the default if the key is unset; undefined if unknown or invalid. */
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

/** The application, the cluster manager and the deploy mode of a document. */
export interface Situation {
  readonly application: ApplicationFacts;
  readonly cluster: RuleConf["cluster"];
  readonly mode: RuleConf["mode"];
}

/**
 * A class, because closures would need more memory: a source file can yield thousands of documents with one setting.
 */
export class DocumentConf implements RuleConf {
  readonly #settings: Settings;
  readonly #catalogue: Catalogue;
  readonly version: SparkVersion;
  readonly application: ApplicationFacts;
  readonly cluster: RuleConf["cluster"];
  readonly mode: RuleConf["mode"];

  constructor(
    settings: Settings,
    { application, cluster, mode }: Situation,
    catalogue: Catalogue,
    version: SparkVersion,
  ) {
    this.#settings = settings;
    this.#catalogue = catalogue;
    this.version = version;
    this.application = application;
    this.cluster = cluster;
    this.mode = mode;
  }

  get wrapped(): readonly ConfEntry[] {
    return this.#settings.wrapped;
  }

  get secrets(): readonly ConfEntry[] {
    return this.#settings.secrets;
  }

  isFrom(first: SparkVersion): boolean {
    return isFrom(this.version, first);
  }

  entry(key: string): ConfEntry | undefined {
    return this.#settings.entry(key);
  }

  lacks(key: string): boolean {
    return this.entry(key) === undefined;
  }

  isElsewhere(entry: ConfEntry): boolean {
    return this.#settings.isElsewhere(entry);
  }

  knows(entry: ConfEntry): boolean {
    return !this.#settings.isUnknown(entry);
  }

  text(key: string): string | undefined {
    return settingTextOf(this.#settings, key);
  }

  flag(key: string): boolean | undefined {
    const value = this.#read(key);
    if (typeof value === "boolean") return value;
    return value === "true" ? true : value === "false" ? false : undefined;
  }

  number(key: string, defaultValue?: number): number | undefined {
    if (this.lacks(key) && defaultValue !== undefined) return defaultValue;
    const value = this.#read(key);
    if (typeof value === "bigint" || typeof value === "number") return Number(value);
    return typeof value === "string" && /^-?[0-9.]+$/.test(value) ? Number(value) : undefined;
  }

  size(key: string): number | undefined {
    return this.#scaled(key);
  }

  time(key: string): number | undefined {
    return this.#scaled(key);
  }

  list(key: string): readonly string[] {
    return (this.text(key) ?? "")
      .split(",")
      .map((one) => one.trim())
      .filter((one) => one !== "");
  }

  group(prefix: string): readonly ConfEntry[] {
    return this.#settings.group(prefix);
  }

  #read(key: string): ReadValue | undefined {
    const type = this.#catalogue.find(key, this.version)?.entry;
    if (type === undefined) return this.text(key);
    const value = this.lacks(key) ? type.default : this.text(key);
    if (value === undefined && type.fallback !== undefined && this.lacks(key))
      return this.#read(type.fallback);
    return value === undefined ? undefined : readValue(type.type, value, this.version);
  }

  #scaled(key: string): number | undefined {
    const value = this.#read(key);
    return typeof value === "bigint" ? Number(value) * this.#unitOf(key) : undefined;
  }

  #unitOf(key: string): number {
    const type = this.#catalogue.find(key, this.version)?.entry?.type;
    return type?.kind === "bytes" || type?.kind === "time" ? (units[type.unit] ?? 1) : 1;
  }
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
