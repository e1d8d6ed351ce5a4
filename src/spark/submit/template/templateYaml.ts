// Parses the YAML of a template like Spark's client library.
import { msg, verbatim, type Message } from "../../../base/message.ts";
import { parseAllDocuments, type Document, type ScalarTag, type Tags } from "yaml";
import { err, ok, type Result } from "../../../base/result.ts";
import type { Span } from "../../../base/span.ts";
import { yamlTokens } from "../../yamlTokens.ts";
import { javaDouble } from "../conf/javaText.ts";
import type { Json } from "../../../base/json.ts";
import { readTyped, WrittenNumber } from "../driver/podModel.ts";
import type { VersionTraits } from "../conf/versionTraits.ts";

interface TemplateProblem {
  readonly reason: Message;
  /** The position of the problem, if the parser reports one. */
  readonly span?: Span;
}

/** Parses one object to JSON. Converts scalars to the types of their fields. */
export function parseTemplate(
  text: string,
  type: "Pod" | "PodGroup",
  traits: VersionTraits,
): Result<Json, TemplateProblem> {
  if (isTooDeep(text)) return err({ reason: msg("it is nested too deeply") });
  const isLikeJson = /^\s*[{[]/.test(text);
  const relevant = isLikeJson ? firstJsonValue(text) : text;
  if (relevant === undefined) return err({ reason: msg("it is not valid JSON") });
  const document = parseDocument(relevant, traits);
  if (!document.ok) return document;
  const { value } = document;
  const typed = hasNullContainers(value, traits)
    ? err("spec.containers")
    : readTyped(value, type, traits);
  return typed.ok ? typed : err({ reason: msg`the value of "${typed.error}" has the wrong type` });
}

// The maximum nesting depth: more than any pod needs, and low enough for a recursive parser.
const maxLevels = 200;

function isTooDeep(text: string): boolean {
  let depth = 0;
  for (const [bracket] of text.matchAll(/[[{\]}]/g)) {
    depth = bracket === "[" || bracket === "{" ? depth + 1 : Math.max(depth - 1, 0);
    if (depth > maxLevels) return true;
  }
  return /^[-? ]{400}/m.test(text) || yamlTokens(text) === undefined;
}

// Returns the first JSON value of a text that begins like JSON; Spark parses only this value. Undefined if it is
// invalid.
function firstJsonValue(text: string): string | undefined {
  let depth = 0;
  // An unclosed string matches to the end of the text; otherwise the search would restart at each quote.
  for (const { 0: token, index } of text.matchAll(/"(?:\\[^]|[^"\\])*(?:"|\\?$)|[{}[\]]/g)) {
    if (token === "{" || token === "[") depth++;
    else if (token === "}" || token === "]") depth--;
    if (depth > 0) continue;
    const value = text.slice(0, index + token.length);
    return isJson(value) ? value : undefined;
  }
  return undefined;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

function parseDocument(text: string, traits: VersionTraits): Result<unknown, TemplateProblem> {
  if (unprintable.test(text))
    return err({ reason: msg("it has a character that is invalid in YAML") });
  const documents = parseAllDocuments(text, {
    ...dialects[traits.templateYaml],
    logLevel: "silent",
  });
  const isEmpty = ({ errors, contents }: Document.Parsed): boolean =>
    errors.length === 0 && (contents === null || ("value" in contents && contents.value === null));
  const [first, ...others] =
    traits.templateYaml === "json"
      ? [...documents].filter((document) => !isEmpty(document))
      : [...documents];
  if (others.length > 0) return err({ reason: msg("it has more than one document") });
  if (first === undefined) return ok(null);
  const [problem] = [...first.errors, ...first.warnings];
  if (problem) {
    // Limits the position to the text: the parser reports a missing end after the text.
    const [start, end] = problem.pos.map((at) => Math.min(at, text.length));
    return err({
      reason: verbatim(problem.message.split("\n")[0] ?? problem.code),
      span: { start: start ?? 0, end: end ?? 0 },
    });
  }
  // `toJS` throws a ReferenceError for an unknown alias or too many aliases.
  try {
    return ok(first.toJS({ mapAsMap: true, maxAliasCount: 100 }) as unknown);
  } catch (error) {
    if (error instanceof ReferenceError) return err({ reason: verbatim(error.message) });
    throw error;
  }
}

const unprintable = /[^\t\n\r\u0020-\u007e\u0085\u00a0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;

// Returns true if Spark fails on a null list of containers, or on a null container in the list.
function hasNullContainers(value: unknown, { templateYaml }: VersionTraits): boolean {
  const spec: unknown = value instanceof Map ? value.get("spec") : undefined;
  const containers: unknown = spec instanceof Map ? spec.get("containers") : undefined;
  return (
    (containers === null && templateYaml !== "1.1") ||
    (Array.isArray(containers) && containers.includes(null))
  );
}

const without = (tags: Tags, names: RegExp): Tags =>
  tags.filter((tag) => typeof tag === "string" || !names.test(tag.tag));

const withOldScalars = (tags: Tags): Tags => [
  ...without(tags, /:(?:bool|int|float)$/),
  // Excludes a lone "y" or "n", which Spark's parser does not parse as a boolean.
  booleans(/^(?:[Yy]es|YES|[Tt]rue|TRUE|[Oo]n|ON|[Nn]o|NO|[Ff]alse|FALSE|[Oo]ff|OFF)$/),
  ...oldNumbers,
];

const withPlainOldScalars = (tags: Tags): Tags => [
  ...without(tags, /:(?:bool|int|float|timestamp)$/),
  booleans(/^(?:[Tt]rue|TRUE|[Ff]alse|FALSE)$/),
  ...oldNumbers,
];

const booleans = (test: RegExp): ScalarTag => ({
  tag: "tag:yaml.org,2002:bool",
  default: true,
  test,
  resolve: (text) => /^(?:y|t|on)/i.test(text),
});

const writtenFloat = (value: number): WrittenNumber => new WrittenNumber(value, javaDouble(value));

const withJsonScalars = (tags: Tags): Tags => [
  ...without(tags, /:(?:null|bool|int|float)$/),
  ...jsonScalars,
];

const oldNumbers: readonly ScalarTag[] = [
  {
    tag: "tag:yaml.org,2002:int",
    default: true,
    test: /^[-+]?(?:0b_*[01][01_]*|0_*[0-7][0-7_]*|0|[1-9][0-9_]*|0x_*[0-9a-fA-F][0-9a-fA-F_]*|[1-9][0-9_]*(?::[0-5]?[0-9])+)$/,
    resolve: (text) => {
      const whole = oldInteger(text);
      return new WrittenNumber(Number(whole), `${whole}`);
    },
  },
  {
    tag: "tag:yaml.org,2002:float",
    default: true,
    test: /^[-+]?(?:(?:[0-9][0-9_]*\.[0-9_]*|\.[0-9_]+)(?:[eE][-+]?[0-9]+)?|[0-9][0-9_]*[eE][-+]?[0-9]+)$/,
    resolve: (text) => writtenFloat(Number(text.replaceAll("_", ""))),
  },
  {
    tag: "tag:yaml.org,2002:float",
    default: true,
    test: /^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/,
    resolve: (text) =>
      writtenFloat(/n$/i.test(text) ? NaN : text.startsWith("-") ? -Infinity : Infinity),
  },
];

// Parses only JSON scalars: Spark reads `~`, `True`, `0x10` and `010` as strings.
const jsonScalars: readonly ScalarTag[] = [
  { tag: "tag:yaml.org,2002:null", default: true, test: /^(?:null)?$/, resolve: () => null },
  {
    tag: "tag:yaml.org,2002:bool",
    default: true,
    test: /^(?:true|false)$/,
    resolve: (text) => text === "true",
  },
  {
    tag: "tag:yaml.org,2002:float",
    default: true,
    test: /^(?:-?(?:0|[1-9][0-9]*)(?:\.[0-9]*)?(?:[eE][-+]?[0-9]+)?|-?\.inf|\.nan)$/,
    resolve: (text) => {
      const value = Number(text.replace(".inf", "Infinity").replace(".nan", "NaN"));
      const isWhole = /^-?[0-9]+$/.test(text);
      return isWhole ? new WrittenNumber(value, `${BigInt(text)}`) : writtenFloat(value);
    },
  },
];

// Parses integers with `0b`, `0x`, a leading zero (octal) or colons (base 60).
function oldInteger(text: string): bigint {
  const digits = text.replaceAll("_", "").replace(/^[-+]/, "");
  const size = /^0[0-7]/.test(digits)
    ? BigInt(`0o${digits.slice(1)}`)
    : digits.split(":").reduce((sum, part) => sum * 60n + BigInt(part), 0n);
  return text.startsWith("-") ? -size : size;
}

const dialects = {
  "1.1": { version: "1.1", uniqueKeys: false, customTags: withOldScalars },
  "1.1 plain": { version: "1.1", uniqueKeys: false, customTags: withPlainOldScalars },
  json: { customTags: withJsonScalars },
} as const;
