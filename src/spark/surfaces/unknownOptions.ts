import { newestSparkVersion } from "../conf/catalogue/sparkVersions.ts";
import type { Finding } from "../conf/lint/finding.ts";
import { nearestWord } from "../conf/nearest/words.ts";
import { commandOptions } from "../submit/arguments/options.ts";
import { parseCommandLine } from "../submit/arguments/commandLine.ts";
import { versionTraits } from "../submit/conf/versionTraits.ts";
import { parsePastedCommand } from "../submit/pasted/parsePastedCommand.ts";
import { isPlain, textOfWord } from "../submit/pasted/shellWord.ts";
import { commandParts } from "./wholeOfCommand.ts";

/** Options of `kubectl` and of Spark forks, with spark-submit's equivalents. */
const insteadOf: ReadonlyMap<string, string> = new Map([
  ["--kubernetes-namespace", "--conf spark.kubernetes.namespace=…"],
  ["--namespace", "--conf spark.kubernetes.namespace=…"],
  ["--image", "--conf spark.kubernetes.container.image=…"],
  ["--service-account", "--conf spark.kubernetes.authenticate.driver.serviceAccountName=…"],
]);

/**
 * Finds options that spark-submit does not have. Checks only the two words after the last known option of a command,
 * because the parser stops there.
 */
export const unknownOptionsIn = (text: string): readonly Finding[] =>
  commandParts(text).flatMap(({ start, end }) => {
    const { tokens } = parsePastedCommand(text.slice(start, end));
    const line = parseCommandLine(tokens.map(textOfWord), versionTraits[newestSparkVersion]);
    const used = line.options.reduce((last, { token }) => Math.max(last, token), -1);
    if (line.resource !== undefined) return [];
    return tokens.slice(used + 1, used + 3).flatMap((word): readonly Finding[] => {
      const option = isPlain(word) ? textOfWord(word).replace(/=.*/s, "") : "";
      if (!/^--[a-z][a-z-]{2,}$/.test(option) || names.includes(option)) return [];
      const span = { start: start + word.span.start, end: start + word.span.start + option.length };
      const near = insteadOf.get(option) ?? nearestWord(option, names);
      return [{ code: "unknown-option", span, option, near }];
    });
  });

const names: readonly string[] = commandOptions.map(({ name }) => name);
