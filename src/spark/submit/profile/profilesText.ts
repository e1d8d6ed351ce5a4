// Run profiles as they stand in a tasks.json: which there are, and where each of their members is.
import {
  createScanner,
  findNodeAtLocation,
  getNodeValue,
  parseTree,
  type Node,
} from "jsonc-parser";
import type { Span } from "../../../base/span.ts";
import { decodeRunProfile } from "../runProfile.ts";
import type { SubmissionFinding } from "../submissionFinding.ts";
import { checkVariables } from "./variables.ts";

/** A value or member in the tree of the text. */
export type WrittenMember = Node;

/** A task of the type `spark`. */
export interface WrittenProfile {
  readonly label: string | undefined;
  /** Its members, variables not filled in. */
  readonly definition: unknown;
  readonly span: Span;
  /** Where a member stands that these names lead to, or else the nearest one around it; never the whole task. */
  readonly spanOf: (path: readonly string[], part: "name" | "value") => Span;
  /** The value of a member in the tree of the text, if it is there. */
  readonly nodeOf: (path: readonly string[]) => WrittenMember | undefined;
  /** Its settings in order, those too that are still being written. */
  readonly conf: readonly WrittenSetting[];
}

/** A member of `conf`, with the places inside of the quotes. */
export interface WrittenSetting {
  readonly key: string;
  readonly keySpan: Span;
  /** Undefined where none stands yet, or none that could be a setting's. */
  readonly value: string | undefined;
  readonly valueSpan: Span;
}

/** Reads any text; in what is no tasks.json there are none. */
export function profilesIn(text: string): readonly WrittenProfile[] {
  const root = parseTree(text, [], { allowTrailingComma: true });
  if (root === undefined) return [];
  // A workspace's own file has them one level deeper.
  const list = [["tasks"], ["tasks", "tasks"]]
    .map((path) => findNodeAtLocation(root, path))
    .find((node) => node?.type === "array");
  return (list?.children ?? []).flatMap((task) => {
    if (textAt(task, "type") !== "spark") return [];
    return [
      {
        label: textAt(task, "label"),
        definition: getNodeValue(task) as unknown,
        span: spanOfNode(task),
        spanOf: (path, part) => spanInTask(task, path, part),
        nodeOf: (path) => memberAt(task, path),
        conf: (memberAt(task, ["conf"])?.children ?? []).flatMap((member) =>
          settingOf(member, text.length),
        ),
      },
    ];
  });
}

/** What can be said of a profile before anything is known of where it will run. */
export function judgeProfile({ definition }: WrittenProfile): readonly SubmissionFinding[] {
  return [...decodeRunProfile(definition).findings, ...checkVariables(definition, "written")];
}

/** Of a member that nobody knows and of one without effect, the name is what is wrong. */
export const partOf = ({ code }: { readonly code: string }): "name" | "value" =>
  ["E-81", "W-80"].includes(code) ? "name" : "value";

/** Where the comma is that comes next; comments in between are passed over. */
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

// The parser takes a comment that is not closed for longer than it is.
const within = ({ start, end }: Span, textEnd: number): Span => ({
  start: Math.min(start, textEnd),
  end: Math.min(end, textEnd),
});

/** Without the quotes of a text; one that is not closed ends with what is there. */
const insideOf = ({ type, offset, length }: Node): Span =>
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
  // The task as a whole is named by its label.
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
