import type { Message } from "../../../base/message.ts";
import table from "./catalogue.json" with { type: "json" };
import { decodeRow } from "./catalogueRow.ts";
import type { KeyFacts } from "./keyFacts.ts";
import { sparkVersions, versionBit, type SparkVersion } from "./sparkVersions.ts";

/** The conf keys of each Spark version. */
export interface Catalogue {
  /** Returns the facts about a key; undefined if this Spark version does not know the name. */
  find(key: string, version: SparkVersion): KeyFacts | undefined;
  /** Returns the versions that declare the key as an entry, oldest first. */
  versionsOf(key: string): readonly SparkVersion[];
  /** Returns all names that this Spark version knows, sorted. */
  keys(version: SparkVersion): readonly KeyFacts[];
  /** Returns this extension's description of a key, or of a family by its pattern; undefined for rarely used keys. */
  descriptionOf(name: string): Message | undefined;
}

/** Opens the catalogue. Indexes only the keys. Decodes and caches a row at its first use with each version. */
export function openCatalogue(): Catalogue {
  const rows = new Map<string, string>();
  for (const row of table.rows) {
    const end = row.indexOf("\t");
    rows.set(row.slice(0, end), row);
  }
  const decoded = new Map(
    sparkVersions.map((version) => [version, new Map<string, KeyFacts | undefined>()]),
  );
  const find = (key: string, version: SparkVersion): KeyFacts | undefined => {
    const row = rows.get(key);
    if (row === undefined) return undefined;
    const known = decoded.get(version);
    if (known?.has(key) === true) return known.get(key);
    const facts = decodeRow(row, versionBit(version));
    known?.set(key, facts);
    return facts;
  };
  let descriptions: ReadonlyMap<string, Message> | undefined;
  return {
    find,
    versionsOf: (key) => sparkVersions.filter((version) => find(key, version)?.entry !== undefined),
    keys: (version) =>
      [...rows.keys()].map((key) => find(key, version)).filter((facts) => facts !== undefined),
    descriptionOf: (name) => (descriptions ??= readDescriptions()).get(name),
  };
}

/** Returns the descriptions by key or family pattern. In a row, the text precedes the names that it describes. */
function readDescriptions(): ReadonlyMap<string, Message> {
  const byName = new Map<string, Message>();
  for (const row of table.descriptions) {
    const [text = "", ...names] = row.split("\t");
    // Builds the message without `msg`, because the l10n extractor finds the text in src/build/descriptions.
    for (const name of names) byName.set(name, { strings: [text], values: [] });
  }
  return byName;
}
