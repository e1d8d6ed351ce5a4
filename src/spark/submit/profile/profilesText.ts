// Finds the run profiles in the text of a tasks.json, with the spans of their members.
import {
  createScanner,
  findNodeAtLocation,
  getNodeValue,
  parseTree,
  type Node,
} from "jsonc-parser";
import type { Span } from "../../../base/span.ts";
import { decodeRunProfile } from "./runProfile.ts";
import type { SubmissionFinding } from "../plan/submissionFinding.ts";
import { checkVariables } from "./variables.ts";

/** A value or member in the JSON tree of the text. */
export type WrittenMember = Node;

/** A task of the type `spark`. */
export interface WrittenProfile {
  readonly label: string | undefined;
  /** The definition with unresolved variables. */
  readonly definition: unknown;
  readonly span: Span;
  /** The JSON path of the task in the text. */
  readonly taskPath: readonly (string | number)[];
  /** Returns the span of the member at the path, else of its nearest parent. Never the span of the whole task. */
  readonly spanOf: (path: readonly string[], part: "name" | "value") => Span;
  /** Returns the value at the path. Undefined if there is none. */
  readonly nodeOf: (path: readonly string[]) => WrittenMember | undefined;
  /** The conf entries in the order of the text, including incomplete ones. */
  readonly conf: readonly WrittenSetting[];
}

/** A member of `conf`, with spans inside the quotes. */
interface WrittenSetting {
  readonly key: string;
  readonly keySpan: Span;
  /** Undefined if the value is missing or has an invalid type. */
  readonly value: string | undefined;
  readonly valueSpan: Span;
}

/** Finds the profiles in a text. Returns an empty list if the text is not a tasks.json. */
export function profilesIn(text: string): readonly WrittenProfile[] {
  if (isTooDeep(text)) return [];
  const root = parseTree(text, [], { allowTrailingComma: true });
  if (root === undefined) return [];
  // A `.code-workspace` file nests tasks one level deeper.
  const listPath =
    [["tasks"], ["tasks", "tasks"]].find(
      (path) => findNodeAtLocation(root, path)?.type === "array",
    ) ?? [];
  const list = listPath.length === 0 ? undefined : findNodeAtLocation(root, listPath);
  return (list?.children ?? []).flatMap((task, index) => {
    if (textAt(task, "type") !== "spark") return [];
    return [
      {
        label: textAt(task, "label"),
        definition: getNodeValue(task) as unknown,
        span: spanOfNode(task),
        taskPath: [...listPath, index],
        spanOf: (path, part) => spanInTask(task, path, part),
        nodeOf: (path) => memberAt(task, path),
        conf: (memberAt(task, ["conf"])?.children ?? []).flatMap((member) =>
          settingOf(member, text.length),
        ),
      },
    ];
  });
}

/** Returns the findings that do not depend on the target of a run, such as its context. */
export function judgeProfile({ definition }: WrittenProfile): readonly SubmissionFinding[] {
  return [...decodeRunProfile(definition).findings, ...checkVariables(definition, "written")];
}

/** Returns the part of a member to mark for a finding: the name of an unknown or ineffective member, else the value. */
export const partOf = ({ code }: { readonly code: string }): "name" | "value" =>
  ["E-81", "W-80"].includes(code) ? "name" : "value";

// The maximum nesting depth. Prevents a stack overflow of the recursive JSON parser; a tasks.json has about ten levels.
const maxLevels = 200;

function isTooDeep(text: string): boolean {
  const scanner = createScanner(text, true);
  let depth = 0;
  for (scanner.scan(); scanner.getTokenOffset() < text.length; scanner.scan()) {
    const first = text[scanner.getTokenOffset()];
    if (first === "{" || first === "[") depth += 1;
    if (first === "}" || first === "]") depth -= 1;
    if (depth > maxLevels) return true;
  }
  return false;
}

/**
 * Returns the offset of the comma that follows `offset`, after blanks and comments. Undefined if another token follows.
 */
export function commaFrom(text: string, offset: number): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(offset);
  scanner.scan();
  return text[scanner.getTokenOffset()] === "," ? scanner.getTokenOffset() : undefined;
}

function settingOf({ children = [] }: Node, textEnd: number): readonly WrittenSetting[] {
  const [name, value] = children;
  if (name === undefined) return [];
  const keySpan = insideOf(name);
  const behind = { start: name.offset + name.length, end: name.offset + name.length };
  const written: unknown = value?.value;
  const isText =
    typeof written === "string" || typeof written === "number" || typeof written === "boolean";
  return [
    {
      key: String(name.value),
      keySpan,
      value: isText ? String(written) : undefined,
      valueSpan: value === undefined ? behind : within(insideOf(value), textEnd),
    },
  ];
}

// Limits the span to the text: the parser's span of an unclosed comment ends after the text.
const within = ({ start, end }: Span, textEnd: number): Span => ({
  start: Math.min(start, textEnd),
  end: Math.min(end, textEnd),
});

/**
 * Returns the span between the quotes of a string, and the whole span of any other node. Omits the last character of an
 * unterminated string.
 */
export const insideOf = ({ type, offset, length }: Node): Span =>
  type === "string" && length >= 2
    ? { start: offset + 1, end: offset + length - 1 }
    : spanOfNode({ offset, length });

function spanInTask(task: Node, path: readonly string[], part: "name" | "value"): Span {
  for (let length = path.length; length > 0; length--) {
    const node = memberAt(task, path.slice(0, length));
    if (node === undefined) continue;
    const name = node.parent?.type === "property" ? node.parent.children?.[0] : undefined;
    return spanOfNode(part === "name" ? (name ?? node) : node);
  }
  // Returns the span of the label, which identifies the task.
  const name = memberAt(task, ["label"]) ?? memberAt(task, ["type"]);
  return name === undefined ? { start: task.offset, end: task.offset + 1 } : spanOfNode(name);
}

function memberAt(task: Node, path: readonly string[]): Node | undefined {
  let node: Node | undefined = task;
  for (const name of path) {
    if (node === undefined) return undefined;
    node = findNodeAtLocation(node, [node.type === "array" ? Number(name) : name]);
  }
  return node;
}

function textAt(task: Node, name: string): string | undefined {
  const value: unknown = findNodeAtLocation(task, [name])?.value;
  return typeof value === "string" ? value : undefined;
}

const spanOfNode = ({ offset, length }: Pick<Node, "offset" | "length">): Span => ({
  start: offset,
  end: offset + length,
});
