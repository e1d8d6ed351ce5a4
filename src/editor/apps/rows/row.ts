import type { MessageText } from "../../../base/message.ts";
import type { Fact } from "../../ui/markdown.ts";
import type { RowIcon } from "./icons.ts";

/** The decoration of a row. */
export type Mark = "failed" | "trouble" | "kept" | undefined;

/** The contents of a tree row of any kind. */
export interface Row {
  readonly label: MessageText;
  /** `none`: the row has no children. */
  readonly state: "collapsed" | "expanded" | "none";
  /** The name as used in other tools, such as kubectl; undefined for a row that groups others. */
  readonly name?: string;
  /** Only for rows with a name. */
  readonly mark?: Mark;
  readonly description: MessageText;
  readonly icon: RowIcon;
  readonly contextValue: string;
  /** The label for screen readers. */
  readonly spoken: MessageText;
  /** The tooltip. VS Code requests it on hover. */
  readonly details?: Details;
}

/** Returns the facts of a tooltip. Asynchronous if some of them are read from the cluster on hover. */
export type Details = () => readonly Fact[] | Promise<readonly Fact[]>;
