import type { Location, Uri } from "vscode";
import type { TreeNode } from "./apps/treeNode.ts";
import type { ArgumentKind, CommandName, commandTable } from "./commandTable.ts";
import { isRunNode, type RunNode } from "./runs/runNode.ts";
import { isProfileName, type ProfileName } from "./profiles/profileName.ts";

/** The rows that a context-menu command was invoked on; `"selection"` for the selected rows of the view. */
export type RowsArgument = readonly TreeNode[] | "selection";

/** A file, a location in a document, or a run profile. Undefined if the caller passed none of them. */
export type TargetArgument = Uri | Location | ProfileName | undefined;

export interface PlaceArgument {
  readonly uri: Uri;
  readonly offset: number;
}

interface RuleArgument {
  readonly code: string;
  readonly uri: Uri;
}

/** The decoded argument of each kind. `undefined`: the caller passed no argument, or one of another type. */
interface CommandArguments {
  readonly nothing: undefined;
  readonly rows: RowsArgument;
  readonly target: TargetArgument;
  readonly profile: ProfileName | undefined;
  readonly line: string | undefined;
  readonly place: PlaceArgument | undefined;
  readonly rule: RuleArgument | undefined;
  readonly runs: readonly RunNode[] | "selection";
}

type Decoders = {
  readonly [Kind in ArgumentKind]: (first: unknown, second: unknown) => CommandArguments[Kind];
};

/** Type guards for VS Code's `Uri` and `Location`. */
interface ArgumentTypes {
  readonly isUri: (value: unknown) => value is Uri;
  readonly isLocation: (value: unknown) => value is Location;
}

/** Returns a decoder for each kind of argument. Key bindings and other extensions can pass any value. */
export function argumentDecoders({ isUri, isLocation }: ArgumentTypes): Decoders {
  return {
    nothing: () => undefined,
    rows: (first, second) => (first === "selection" ? first : several(first, second, isTreeNode)),
    target: (first) =>
      isUri(first) || isLocation(first) || isProfileName(first) ? first : undefined,
    profile: (first) => (isProfileName(first) ? first : undefined),
    line: (first) => (typeof first === "string" ? first : undefined),
    place: (first, second) =>
      isUri(first) && typeof second === "number" ? { uri: first, offset: second } : undefined,
    runs: (first, second) => (first === "selection" ? first : several(first, second, isRunNode)),
    rule: (first, second) =>
      typeof first === "string" && isUri(second) ? { code: first, uri: second } : undefined,
  };
}

/**
 * Returns the rows among a menu command's arguments. VS Code passes the clicked row and, if several rows are selected,
 * all of them.
 */
function several<T>(
  node: unknown,
  nodes: unknown,
  isOne: (value: unknown) => value is T,
): readonly T[] {
  if (Array.isArray(nodes) && nodes.length > 0) return nodes.filter(isOne);
  return isOne(node) ? [node] : [];
}

const isTreeNode = (value: unknown): value is TreeNode =>
  typeof value === "object" && value !== null && "kind" in value && "id" in value;

export type CommandHandler<Name extends CommandName> = (
  argument: CommandArguments[(typeof commandTable)[Name]["takes"]],
) => Promise<void>;

export type CommandHandlers<Name extends CommandName = CommandName> = {
  readonly [One in Name]: CommandHandler<One>;
};
