import type { PlotColor } from "../spark/timeline/plots.ts";
import { opaqueOf } from "../spark/timeline/plotText.ts";

/** The resolved colors of the current theme, because a canvas cannot use CSS variables. */
export interface ThemeColors {
  readonly of: (color: PlotColor) => string;
  readonly text: string;
  readonly faint: string;
  readonly background: string;
  readonly font: string;
}

export function themeColors(): ThemeColors {
  const style = getComputedStyle(document.body);
  const variable = (name: string, otherwise: string): string =>
    style.getPropertyValue(`--vscode-${name}`).trim() || otherwise;
  const text = variable("editor-foreground", "#888");
  const background = variable("editor-background", "#fff");
  return {
    of: (color) =>
      opaqueOf(variable(color === "lines" ? "descriptionForeground" : `charts-${color}`, text)),
    text,
    faint: variable("charts-lines", "#8886"),
    background,
    font: `11px ${variable("font-family", "sans-serif")}`,
  };
}

/**
 * Returns the fill of a stacked area. All areas but the first have a pattern, so that they differ not only by color.
 */
export function fillOf(
  color: string,
  index: number,
  { background }: ThemeColors,
): CanvasPattern | string {
  if (index === 0) return color;
  const size = 8 * devicePixelRatio;
  const tile = document.createElement("canvas");
  tile.width = tile.height = size;
  const context = tile.getContext("2d");
  if (context === null) return color;
  context.fillStyle = color;
  context.fillRect(0, 0, size, size);
  context.strokeStyle = background;
  context.fillStyle = background;
  context.globalAlpha = 0.45;
  context.lineWidth = 1.5 * devicePixelRatio;
  context.beginPath();
  if (index % 3 === 1) {
    context.moveTo(-size / 2, size / 2);
    context.lineTo(size / 2, -size / 2);
    context.moveTo(0, size);
    context.lineTo(size, 0);
    context.moveTo(size / 2, size * 1.5);
    context.lineTo(size * 1.5, size / 2);
    context.stroke();
  } else if (index % 3 === 2) {
    context.arc(size / 2, size / 2, size / 5, 0, 2 * Math.PI);
    context.fill();
  } else {
    context.moveTo(0, size / 2);
    context.lineTo(size, size / 2);
    context.stroke();
  }
  return context.createPattern(tile, "repeat") ?? color;
}
