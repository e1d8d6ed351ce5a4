// Where in a text stands what a server says of an object.
import type { Span } from "../../base/span.ts";
import { entryOf } from "./schema.ts";
import type { YamlNode } from "./yamlNode.ts";
import { parseYamlTrees } from "./yamlTree.ts";

export interface FieldRemark {
  /** `spec.driver.cores`; empty where the remark is about the whole. */
  readonly path: string;
  readonly message: string;
}

/**
 * The place of a field in the document that starts where `document` does: its key, or the nearest key above
 * it that is there.
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
 * What a server's refusal says of single fields. With strict checks it names them in its sentence only:
 * `unknown field "spec.a"`.
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

// `spec.volumes[0].name`, `spec.sparkConf[spark.executor.cores]`: brackets hold an index or a key with dots.
const stepsOf = (path: string): readonly string[] =>
  [...path.matchAll(/\[([^[\]]*)\]|([^.[\]]+)/g)].map(([, inside, name]) => inside ?? name ?? "");

function endOfLine(text: string, start: number): number {
  const end = text.indexOf("\n", start);
  return end < 0 ? text.length : end;
}
