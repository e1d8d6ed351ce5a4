import type { Catalogue } from "../catalogue/catalogue.ts";
import type { KeyFacts } from "../catalogue/keyFacts.ts";
import type { SparkVersion } from "../catalogue/sparkVersions.ts";
import { judgeOldNumber, judgeValue } from "./judgeValue.ts";
import type { ValueProblem } from "./valueProblem.ts";

/**
 * Returns the problem of a value under a name that Spark knows: an entry, or a deprecated name of an entry. Undefined
 * if the value is valid, or if nothing reads the name.
 */
export function judgeKeyValue(
  catalogue: Catalogue,
  { entry, oldName }: KeyFacts,
  value: string,
  version: SparkVersion,
): ValueProblem | undefined {
  if (entry !== undefined) return judgeValue(entry, value, version);
  if (oldName === undefined) return undefined;
  const reader = catalogue.find(oldName.of, version)?.entry;
  if (reader === undefined) return undefined;
  return oldName.takes === undefined
    ? judgeValue(reader, value, version)
    : judgeOldNumber(value, oldName.takes);
}
