import { msg, type Message, type ShowMessage } from "../../../base/message.ts";
import type { Span } from "../../../base/span.ts";
import type { Catalogue } from "../../conf/catalogue/catalogue.ts";
import { printProperty } from "../../conf/parse/propertiesEscapes.ts";
import type { SparkVersion } from "../../conf/catalogue/sparkVersions.ts";
import { unknownValue } from "../../conf/values/placeholders.ts";
import { settingProblems } from "../../conf/lint/settingProblems.ts";
import { secretRule } from "../../redact.ts";
import { redactValue } from "../../redactText.ts";
import { versionTraits } from "../../submit/conf/versionTraits.ts";
import { isLaunchOnly } from "../../conf/rules/launchOnly.ts";
import type { ConfLayer } from "./layers.ts";

/** The effective settings as a properties file. Comments in it name their sources and the overridden settings. */
export interface EffectiveText {
  readonly text: string;
  /** The spans of overridden settings. */
  readonly lost: readonly Span[];
  /** The spans of comments about settings that the application's code sets too late. */
  readonly late: readonly Span[];
}

interface Source {
  readonly value: string;
  readonly from: Message;
  readonly isLate: boolean;
}

/**
 * Renders the effective conf as a properties file, in the language of `show`. `layers`: later layers override earlier
 * ones. Redacts secrets.
 */
export function effectiveText(
  subject: Message,
  layers: readonly ConfLayer[],
  catalogue: Catalogue,
  version: SparkVersion,
  show: ShowMessage,
): EffectiveText {
  const settings = new Map<string, Source[]>();
  for (const { name, isCode, settings: own } of layers) {
    for (const { key, value, line } of own) {
      const from = line === undefined ? name : msg`${name}, line ${line}`;
      const source = { value, from, isLate: isCode && isLaunchOnly(key) };
      const before = settings.get(key);
      if (before === undefined) settings.set(key, [source]);
      else before.push(source);
    }
  }
  const last = settings.get("spark.redaction.regex")?.at(-1)?.value;
  const isSecret = secretRule(last, versionTraits[version].redactionPattern);
  const shown = (key: string, value: string): string =>
    value === unknownValue
      ? show(msg("(calculated at run time)"))
      : redactValue(key, value, isSecret);
  const page = new Page();
  const remark = (message: Message): string => `# ${oneLine(show(message))}`;
  page.line(remark(msg`Effective conf of ${subject} for Spark ${version}.`));
  if (isSecret.problem !== undefined) page.line(remark(isSecret.problem));
  page.line(remark(msg("Later layers override earlier ones:")));
  if (layers.length === 0) page.line(`#   ${show(msg("no properties are set"))}`);
  layers.forEach(({ name, settings: own }, index) => {
    const layer =
      own.length === 1 ? msg`${name} (1 property)` : msg`${name} (${own.length} properties)`;
    page.line(`#   ${index + 1}. ${oneLine(show(layer))}`);
  });
  const keys = [...settings.keys()].sort();
  const problems = settingProblems(
    keys.map((key) => [key, settings.get(key)?.at(-1)?.value ?? ""]),
    version,
  );
  // Includes only problems about keys, because a message about a value may contain a secret.
  const unknown = new Map(
    problems.flatMap(({ key, isUnknown, message }) => (isUnknown ? [[key, message] as const] : [])),
  );
  for (const key of keys) {
    const sources = settings.get(key) ?? [];
    // Skips late settings, which never take effect.
    const winner = sources.findLast(({ isLate }) => !isLate);
    page.line("");
    for (const source of sources) {
      if (source === winner) continue;
      const words = `#   ${oneLine(`${key}  ${shown(key, source.value)}`)}`;
      page.mark("lost", words);
      page.line(`#     ${oneLine(show(msg`overridden (from ${source.from})`))}`);
      if (source.isLate) page.mark("late", `#     ${show(tooLate)}`);
    }
    const known = catalogue.find(key, version)?.entry;
    const isSetAside = known?.default !== undefined && known.default !== "";
    const own = winner === undefined ? msg("not set in time") : winner.from;
    page.line(remark(isSetAside ? msg`${own}; default ${known.default}` : own));
    const problem = unknown.get(key);
    if (problem !== undefined) page.line(remark(problem));
    if (winner !== undefined) page.line(printProperty(key, shown(key, winner.value)));
  }
  return page.end();
}

const tooLate = msg("too late: Spark reads it before the application code runs");

class Page {
  readonly #lines: string[] = [];
  readonly #marks = { lost: new Array<Span>(), late: new Array<Span>() };
  #length = 0;

  line(text: string): void {
    this.#lines.push(text);
    this.#length += text.length + 1;
  }

  /** Adds a comment line, and records the span of its text without the `#`. */
  mark(kind: "lost" | "late", text: string): void {
    const start = this.#length + (/^#\s*/.exec(text)?.[0].length ?? 0);
    this.line(text);
    this.#marks[kind].push({ start, end: this.#length - 1 });
  }

  end(): EffectiveText {
    return { text: `${this.#lines.join("\n")}\n`, ...this.#marks };
  }
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ");
