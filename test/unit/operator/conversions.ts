// Short notations for conversion tests: command lines as text, objects as YAML.
import { inEnglish } from "../../../src/base/message.ts";
import assert from "node:assert/strict";
import {
  convert,
  type Conversion,
  type ConversionPlace,
  type SourceForm,
  type SubmissionForm,
} from "../../../src/spark/operator/convert.ts";
import { decodeManifests } from "../../../src/spark/operator/decodeManifests.ts";
import { printYaml } from "../../../src/spark/printYaml.ts";
import { isJsonObject } from "../../../src/base/json.ts";

export const place: ConversionPlace = {
  sparkVersion: "4.3.0",
  master: undefined,
  context: undefined,
  readFile: () => undefined,
};

/** Parses a command line with one option or argument per line. */
export function line(text: string, sparkVersion = "4.3.0"): SubmissionForm {
  const tokens = text
    .trim()
    .split("\n")
    .flatMap((part) => {
      const [, option, value] = /^\s*(-\S+) (.*)$/.exec(part) ?? [];
      return option === undefined || value === undefined ? [part.trim()] : [option, value];
    });
  return { kind: "line", line: { kind: "tokens", sparkVersion, tokens } };
}

/** Returns the only manifest in a text; fails if it has errors. */
export function object(yaml: string): SourceForm {
  const { manifests, findings } = decodeManifests(yaml);
  assert.deepEqual(
    findings.filter(({ severity }) => severity === "error"),
    [],
  );
  const [only] = manifests;
  assert.ok(only && manifests.length === 1);
  const { manifest } = only;
  if (manifest.apiVersion === "spark.apache.org/v1") return { kind: "apache", manifest };
  return manifest.kind === "SparkApplication"
    ? { kind: "kubeflow", manifest }
    : { kind: "scheduled", manifest };
}

/** Returns the form as text: one option per line, or the object's spec as YAML. */
export function textOf({ form }: Conversion): string {
  switch (form.kind) {
    case "line":
      return form.line.tokens
        .map((token, index) => (index === 0 ? "" : token.startsWith("-") ? "\n" : " ") + token)
        .join("");
    case "profile":
      return JSON.stringify(form.profile, undefined, 2);
    case "kubeflow":
    case "apache": {
      const { metadata, spec } = form.manifest;
      assert.ok(isJsonObject(metadata));
      return printYaml({ metadata, spec });
    }
  }
}

export function checkConversion(
  source: SourceForm,
  target: SubmissionForm["kind"],
  expected: string,
  at: Partial<ConversionPlace> = {},
): Conversion {
  const conversion = convert(source, target, { ...place, ...at });
  assert.equal(textOf(conversion).trim(), withoutIndent(expected));
  return conversion;
}

/** Returns `kind entry` for each loss. */
export const lossesOf = ({ losses }: Conversion): readonly string[] =>
  losses.map(
    ({ kind, entry }) => `${kind} ${typeof entry === "string" ? entry : inEnglish(entry)}`,
  );

function withoutIndent(text: string): string {
  const lines = text.replace(/^\n/, "").trimEnd().split("\n");
  const indent = Math.min(
    ...lines.filter((one) => one.trim() !== "").map((one) => one.search(/\S/)),
  );
  return lines.map((one) => one.slice(indent)).join("\n");
}
