// Creates the findings about manifests, with their messages.
import { msg, type Message } from "../../base/message.ts";
import type { Span } from "../../base/span.ts";
import type { ManifestCode, ManifestFinding } from "./manifestFinding.ts";

export const manifestProblems = {
  badYaml: (reason: string, span: Span) =>
    error("bad-yaml", "", span, msg`Invalid YAML: ${withSmallStart(reason)}.`),
  repeatedKey: (span: Span) =>
    error("bad-yaml", "", span, msg("Invalid YAML: map keys must be unique.")),
  tooDeep: (span: Span) => error("bad-yaml", "", span, msg("The manifest is nested too deeply.")),
  tooLarge: (span: Span) =>
    error("bad-yaml", "", span, msg("The manifest is too large after its aliases are expanded.")),
  badAlias: (name: string, span: Span) =>
    error("bad-yaml", "", span, msg`No anchor "${name}" is defined before this alias.`),

  unknownApi: (apiVersion: string, meant: string, span: Span) =>
    error(
      "unknown-api",
      "apiVersion",
      span,
      msg`"${apiVersion}" is not an API version of a Spark operator. Did you mean "${meant}"?`,
      meant,
    ),
  unknownKind: (kind: string, meant: string, span: Span) =>
    error(
      "unknown-api",
      "kind",
      span,
      msg`The operator has no kind "${kind}". Did you mean "${meant}"?`,
      meant,
    ),
  oldVersion: (apiVersion: string, current: string, span: Span) =>
    warning(
      "old-version",
      "apiVersion",
      span,
      msg`"${apiVersion}" is an old version of this API. Use "${current}".`,
      current,
    ),

  unknownField: (path: string, field: string, meant: string | undefined, span: Span) =>
    error(
      "unknown-field",
      path,
      span,
      meant === undefined
        ? msg`Unknown field "${field}".`
        : msg`Unknown field "${field}". Did you mean "${meant}"?`,
      meant,
    ),
  missingField: (path: string, field: string, span: Span) =>
    error("missing-field", path, span, msg`The required field "${field}" is missing.`),
  wrongType: (path: string, expected: Message, span: Span, fix?: string) =>
    error("wrong-type", path, span, msg`This must be ${expected}.`, fix),
  badChoice: (path: string, text: string, choices: readonly string[], span: Span, fix?: string) =>
    error(
      "bad-choice",
      path,
      span,
      msg`"${text}" is not one of ${choices.map((choice) => `"${choice}"`).join(", ")}.`,
      fix,
    ),
  tooSmall: (path: string, minimum: number, span: Span) =>
    error("out-of-range", path, span, msg`This must be at least ${minimum}.`),

  badName: (name: string, span: Span) =>
    error(
      "bad-name",
      "metadata.name",
      span,
      msg`"${name}" is not a valid name for a Spark application. Use at most 63 lowercase letters, digits and "-". Start with a letter, and do not end with "-".`,
    ),
  refusedKey: (path: string, key: string, instead: Message, span: Span) =>
    error("refused", path, span, msg`The operator rejects "${key}" in "sparkConf". ${instead}`),
  otherNamespace: (path: string, namespace: string, own: string, span: Span) =>
    error(
      "refused",
      path,
      span,
      msg`The application runs in the namespace of its object ("${own}"), not in "${namespace}".`,
    ),
  selectorTwice: (path: string, span: Span) =>
    error(
      "refused",
      path,
      span,
      msg('Set node selectors either in "spec" or in "driver" and "executor", not in both.'),
    ),

  emptyEntry: (path: string, span: Span) =>
    warning(
      "no-effect",
      path,
      span,
      msg('The API server drops an entry without a value. Use "" for an empty string.'),
    ),
  driverPodNameKey: (path: string, span: Span) =>
    warning(
      "no-effect",
      path,
      span,
      msg('The operator ignores this key. Set "driver.podName" instead.'),
    ),
  shadowedKey: (path: string, field: string, span: Span) =>
    warning(
      "no-effect",
      path,
      span,
      msg`The field "${field}" overrides this key with another value.`,
    ),
  shadowedField: (path: string, key: string, span: Span) =>
    warning("no-effect", path, span, msg`"${key}" in "sparkConf" overrides this field.`),
  typeAgainstFile: (path: string, type: string, file: string, span: Span) =>
    warning(
      "no-effect",
      path,
      span,
      msg`The operator ignores this type. The extension of "${file}" determines the type, which is not ${type}.`,
    ),
  unreadFiles: (span: Span) =>
    warning(
      "no-effect",
      "spec.files",
      span,
      msg('The operator ignores this field. Set "spark.files" in "sparkConf" instead.'),
    ),
} as const;

function error(
  code: ManifestCode,
  path: string,
  span: Span,
  message: Message,
  fix?: string,
): ManifestFinding {
  return { code, severity: "error", message, path, span, fix };
}

function warning(
  code: ManifestCode,
  path: string,
  span: Span,
  message: Message,
  fix?: string,
): ManifestFinding {
  return { code, severity: "warning", message, path, span, fix };
}

const withSmallStart = (text: string): string =>
  text.slice(0, 1).toLowerCase() + text.slice(1).replace(/\.$/, "");
