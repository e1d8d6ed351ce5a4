import type { Message } from "../../../base/message.ts";
import { openCatalogue } from "../catalogue/catalogue.ts";
import { knowledgeOf } from "../catalogue/knowledge.ts";
import type { SparkVersion } from "../catalogue/sparkVersions.ts";
import { lazyKeyFinder } from "../nearest/keys.ts";
import { directivesIn, severityIn, type SeverityChoices } from "../parse/directives.ts";
import { parseProperties } from "../parse/properties.ts";
import { unknownKey } from "../rules/unknownKey.ts";
import { describeFinding } from "./findingWords.ts";

interface UnknownKey {
  readonly key: string;
  readonly code: typeof code;
  /** The linter's sentence, with similar keys. */
  readonly message: Message;
}

const code = "unknown-key";

/**
 * Returns a function that is true for a key whose finding the setting, or a comment of the file with this text, turns
 * off.
 */
export function silencer(text: string, choices: SeverityChoices): (key: string) => boolean {
  const { entries } = parseProperties(text);
  const severityAt = severityIn(entries, directivesIn(text), choices);
  return (key) => {
    const entry = entries.findLast((one) => one.key === key);
    return severityAt(code, entry?.keySpan.start ?? 0, "warning") === "off";
  };
}

/** Returns the keys that the linter reports as unknown to this Spark version, for settings that no document shows. */
export function unknownKeys(keys: Iterable<string>, version: SparkVersion): readonly UnknownKey[] {
  const catalogue = openCatalogue();
  const knowledge = knowledgeOf(catalogue, version);
  const nowhere = { start: 0, end: 0 };
  const entries = [...keys].map((key) => ({
    entry: { key, value: "", keySpan: nowhere, valueSpan: nowhere },
    knowledge: knowledge(key),
    ...{ group: undefined, isSecret: false },
  }));
  const context = { catalogue, version, keys: lazyKeyFinder(catalogue, version) };
  return unknownKey(entries, context).flatMap((finding) =>
    finding.code === code ? [{ key: finding.key, code, message: describeFinding(finding) }] : [],
  );
}
