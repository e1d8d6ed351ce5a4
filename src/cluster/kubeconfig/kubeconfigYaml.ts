import { isMap, isScalar, isSeq, parseDocument, visit, type Document } from "yaml";
import { err, ok, type Result } from "../../base/result.ts";

/**
 * Parses the YAML of a kubeconfig. Numbers and booleans become their source text, as in Go's string fields: a numeric
 * token keeps its leading zeros. Values in `extensions` keep their types, because exec plug-ins receive them. The error
 * contains the problem and its position, but never quotes the file.
 */
export function parseKubeconfigYaml(text: string): Result<unknown, string> {
  try {
    return readValues(read(text));
  } catch (error) {
    // The parser throws for cyclic or unresolved aliases and for too deep nesting.
    if (error instanceof Error) return err(error.message);
    throw error;
  }
}

function readValues(document: Document.Parsed): Result<unknown, string> {
  const [problem] = document.errors;
  if (problem) {
    const where = problem.linePos?.[0];
    const what = problem.message.split(/ at line|\n/)[0] ?? problem.code;
    return err(where ? `${what} (line ${where.line}, column ${where.col})` : what);
  }
  visit(document, {
    Pair: (_key, { key }) => (isScalar(key) && key.value === "extensions" ? visit.SKIP : undefined),
    Scalar: (_key, node) => {
      if (node.value !== null && typeof node.value !== "string") {
        node.value = node.source ?? node.value;
      }
    },
  });
  const value: unknown = document.toJS({ maxAliasCount: 100 });
  return ok(value);
}

/**
 * Returns the text with new values in the `config` of a user's `auth-provider`. Keeps comments and layout. Returns
 * undefined if the user has no such `config`, or if `expected` differs from a current value.
 */
export function replaceProviderConfig(
  text: string,
  user: string,
  expected: Readonly<Record<string, string | undefined>>,
  values: Readonly<Record<string, string>>,
): string | undefined {
  const config = findProviderConfig(read(text), user);
  if (!isMap(config)) return undefined;
  for (const [key, value] of Object.entries(expected)) {
    if (config.get(key) !== value) return undefined;
  }
  const edits = Object.entries(values).flatMap(([key, value]) => {
    const range = nodeAt(config, key)?.range;
    return range ? [{ start: range[0], end: range[1], text: JSON.stringify(value) }] : [];
  });
  return edits
    .sort((one, other) => other.start - one.start)
    .reduce(
      (changed, { start, end, text: value }) =>
        changed.slice(0, start) + value + changed.slice(end),
      text,
    );
}

// Accepts duplicate keys, as kubectl's parser does.
const read = (text: string): Document.Parsed =>
  parseDocument(text, { uniqueKeys: false, merge: true, schema: "core" });

function findProviderConfig(document: Document.Parsed, user: string): unknown {
  const users = document.get("users");
  if (!isSeq(users)) return undefined;
  const entry = users.items.find((item) => isMap(item) && item.get("name") === user);
  return isMap(entry) ? entry.getIn(["user", "auth-provider", "config"]) : undefined;
}

function nodeAt(
  map: { get(key: string, keepScalar: true): unknown },
  key: string,
): { readonly range?: readonly [number, number, number] | null } | undefined {
  const node = map.get(key, true);
  return isScalar(node) ? node : undefined;
}
