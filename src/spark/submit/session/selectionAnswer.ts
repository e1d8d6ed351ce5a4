import { fieldAt, isRecord, itemsOf, numberAt, textAt, textOf } from "../../../base/json.ts";

/** The result of a selection that ran in a session. */
export type SelectionAnswer =
  /** `text`: a value that is not a table. If both `text` and `table` are undefined, the selection has no value. */
  | {
      readonly kind: "done";
      readonly output: string;
      readonly text: string | undefined;
      readonly table: ResultTable | undefined;
    }
  /** `text`: the traceback. */
  | { readonly kind: "failed"; readonly output: string; readonly text: string }
  | { readonly kind: "interrupted"; readonly output: string }
  /** Python has no Spark Connect client, or lacks a module that the client needs. */
  | { readonly kind: "missing"; readonly module: string };

/** The first rows of a query's result. */
export interface ResultTable {
  readonly columns: readonly ResultColumn[];
  /** Each row has as many cells as there are columns. `null` is SQL's null. */
  readonly rows: readonly (readonly (string | null)[])[];
  /** True if the query has more rows. */
  readonly more: boolean;
  /** The number of columns that are not shown, after the last shown one. */
  readonly hiddenColumns: number;
}

export interface ResultColumn {
  readonly name: string;
  /** For example `bigint` or `array<string>`. */
  readonly type: string;
}

/** Decodes the response of `run_selection.py` to the request `id`. Undefined if `json` is not that response. */
export function decodeAnswer(json: unknown, id: number): SelectionAnswer | undefined {
  if (numberAt(json, "id") !== id) return undefined;
  const output = textAt(json, "output") ?? "";
  const text = textAt(json, "text");
  switch (textAt(json, "kind")) {
    case "done":
      return { kind: "done", output, text, table: decodeTable(fieldAt(json, "table")) };
    case "failed":
      return { kind: "failed", output, text: text ?? "" };
    case "interrupted":
      return { kind: "interrupted", output };
    case "missing":
      return { kind: "missing", module: textAt(json, "module") ?? "pyspark" };
    case undefined:
    default:
      return undefined;
  }
}

/** Decodes a table. Undefined for a statement without a result, such as `create view`. */
function decodeTable(json: unknown): ResultTable | undefined {
  if (!isRecord(json)) return undefined;
  const columns = itemsOf(json["columns"]).map((column) => ({
    name: textAt(column, "name") ?? "",
    type: textAt(column, "type") ?? "",
  }));
  if (columns.length === 0) return undefined;
  return {
    columns,
    rows: itemsOf(json["rows"]).map((row) => {
      const cells = itemsOf(row);
      return columns.map((_, at) => textOf(cells[at]) ?? null);
    }),
    more: json["more"] === true,
    hiddenColumns: numberAt(json, "hiddenColumns") ?? 0,
  };
}

// ---- Text --------------------------------------------------------------------------------------

/** Prints CSV with a header (RFC 4180). Null is an empty field, and an empty string is `""`. */
export const csvText = ({ columns, rows }: ResultTable): string =>
  [columns.map(({ name }) => name), ...rows]
    .map((cells) => `${cells.map(csvField).join(",")}\r\n`)
    .join("");

const csvField = (cell: string | null): string => {
  if (cell === null) return "";
  return cell === "" || /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
};

/** Prints a Markdown table. Escapes the cells, so that none becomes a link, markup or HTML. */
export const markdownText = ({ columns, rows }: ResultTable): string =>
  [
    columns.map(({ name }) => markdownCell(name)),
    columns.map(() => "---"),
    ...rows.map((cells) => cells.map((cell) => (cell === null ? "" : markdownCell(cell)))),
  ]
    .map((cells) => `| ${cells.join(" | ")} |\n`)
    .join("");

const markdownCell = (text: string): string =>
  text.replace(/[\\`*_[\]<>|~#&:@]/g, "\\$&").replace(/\r\n?|\n/g, " ");

/** Returns a header and rows as tab-separated values, which spreadsheets accept. */
export const tabbedText = ({ columns, rows }: ResultTable): string =>
  [columns.map(({ name }) => name), ...rows]
    .map((cells) => cells.map((cell) => (cell ?? "").replace(/[\t\r\n]+/g, " ")).join("\t"))
    .join("\n");
