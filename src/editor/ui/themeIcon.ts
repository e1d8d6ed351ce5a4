import { ThemeColor, ThemeIcon } from "vscode";
import type { RowIcon } from "../apps/rows/icons.ts";

export const themeIcon = ({ id, color }: RowIcon): ThemeIcon =>
  new ThemeIcon(id, color === undefined ? undefined : new ThemeColor(color));
