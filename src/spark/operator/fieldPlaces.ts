// Maps an API server's messages about fields to their places in the text.
import type { Span } from "../../base/span.ts";
import { entryOf } from "./schema.ts";
import type { YamlNode } from "./yamlNode.ts";
import { parseYamlTrees } from "./yamlTree.ts";

interface FieldRemark {
  /** The path, such as `spec.driver.cores`; empty for a message about the whole object. */
  readonly path: string;
  readonly message: string;
}

/**
 * Returns the span of a field's key or list item in the document, or that of the nearest existing parent. Returns the
 * document's first line if there is none.
 */
export function placeOfField(text: string, document: Span, path: string): Span {
  const tree = parseYamlTrees(text).documents.find(({ span }) => span.start === document.start);
  let node: YamlNode | undefined = tree;
  let place: Span = { start: document.start, end: endOfLine(text, document.start) };
  for (const step of stepsOf(path)) {
    if (node?.kind === "list") {
      node = node.items[Number(step)];
      if (node === undefined) break;
      place = node.span;
      continue;
    }
    const entry = entryOf(node, step);
    if (entry === undefined) break;
    place = entry.keySpan;
    node = entry.value;
  }
  return place;
}

/**
 * Extracts the messages about single fields from an API server's error. Strict validation has no causes and names the
 * fields only in the message: `unknown field "spec.a"`. An error that names no field gives one message for the object.
 */
export function remarksOf(
  detail: string,
  causes: readonly { readonly field: string; readonly message: string }[],
): readonly FieldRemark[] {
  if (causes.length > 0) {
    return causes.map(({ field, message }) => ({
      path: field === "<nil>" ? "" : field,
      message,
    }));
  }
  const named = [...detail.matchAll(/\b((?:unknown|duplicate) field) "([^"]+)"/g)];
  if (named.length === 0) return [{ path: "", message: detail }];
  return named.map(([message, , path = ""]) => ({ path, message }));
}

// Splits a path. Brackets contain an index or a key with dots: `spec.volumes[0].name`,
// `spec.sparkConf[spark.executor.cores]`.
const stepsOf = (path: string): readonly string[] =>
  [...path.matchAll(/\[([^[\]]*)\]|([^.[\]]+)/g)].map(([, inside, name]) => inside ?? name ?? "");

function endOfLine(text: string, start: number): number {
  const end = text.indexOf("\n", start);
  return end < 0 ? text.length : end;
}
