import type { Message } from "../../../base/message.ts";
import { openCatalogue } from "../catalogue/catalogue.ts";
import { knowledgeOf } from "../catalogue/knowledge.ts";
import type { SparkVersion } from "../catalogue/sparkVersions.ts";
import { lazyKeyFinder } from "../nearest/keys.ts";
import { directivesIn, severityIn, type SeverityChoices } from "../parse/directives.ts";
import { parseProperties } from "../parse/properties.ts";
import { unknownKey } from "../rules/unknownKey.ts";
import { wrongValue } from "../rules/wrongValue.ts";
import type { Finding } from "./finding.ts";
import { describeFinding } from "./findingWords.ts";

/** A setting that Spark does not know, or whose value it rejects. */
export interface SettingProblem {
  readonly key: string;
  readonly code: Finding["code"];
  readonly isUnknown: boolean;
  /** The linter's message, with similar keys or the expected form of the value. */
  readonly message: Message;
}

const unknownCode = "unknown-key";

/**
 * Returns a predicate that is true for problems that are turned off. The VS Code setting (`choices`) or a directive
 * comment in the properties file `text` can turn them off.
 */
export function silencer(
  text: string,
  choices: SeverityChoices,
): (problem: Omit<SettingProblem, "message">) => boolean {
  const { entries } = parseProperties(text);
  const severityAt = severityIn(entries, directivesIn(text), choices);
  return ({ key, code, isUnknown }) => {
    const entry = entries.findLast((one) => one.key === key);
    const severity = isUnknown ? "warning" : "error";
    return severityAt(code, entry?.keySpan.start ?? 0, severity) === "off";
  };
}

/**
 * Lints Spark properties that are not from a document. Reports keys that this Spark version does not know, and values
 * that it rejects.
 */
export function settingProblems(
  settings: Iterable<readonly [key: string, value: string]>,
  version: SparkVersion,
): readonly SettingProblem[] {
  const catalogue = openCatalogue();
  const knowledge = knowledgeOf(catalogue, version);
  const nowhere = { start: 0, end: 0 };
  const entries = [...settings].map(([key, value]) => ({
    entry: { key, value, keySpan: nowhere, valueSpan: nowhere },
    knowledge: knowledge(key),
    ...{ group: undefined, isSecret: false },
  }));
  const context = { catalogue, version, keys: lazyKeyFinder(catalogue, version) };
  const problemOf = (finding: Finding): readonly SettingProblem[] => {
    const isUnknown = finding.code === unknownCode;
    const key = "key" in finding ? finding.key : undefined;
    return key === undefined
      ? []
      : [{ key, code: finding.code, isUnknown, message: describeFinding(finding) }];
  };
  const unknown = unknownKey(entries, context).filter(({ code }) => code === unknownCode);
  return [...wrongValue(entries, context), ...unknown].flatMap(problemOf);
}
