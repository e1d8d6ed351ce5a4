import { element } from "./element.ts";
import { themeColors } from "./plotColors.ts";
import {
  scaledRange,
  storedRange,
  wholeRange,
  zoomOf,
  type TimeRange,
} from "../spark/timeline/plotView.ts";
import { clock, TimelinePlot } from "./timelinePlot.ts";
import type {
  TimelineAction,
  TimelineContent,
  TimelineLabel,
} from "../spark/timeline/timelinePanel.ts";

declare function acquireVsCodeApi(): {
  postMessage(action: TimelineAction): void;
  getState(): unknown;
  setState(state: unknown): void;
};

openPage();

function openPage(): void {
  const host = acquireVsCodeApi();
  const header = element("header");
  const grid = element("main");
  const live = element("div", "live");
  const plots = new Map<string, TimelinePlot>();
  let content: TimelineContent | undefined;
  /** The zoomed time range; undefined if the plots show everything until now. */
  let zoomed = storedRange(host.getState());

  live.setAttribute("role", "status");
  live.setAttribute("aria-live", "polite");
  document.body.append(header, grid, live);

  addEventListener("message", ({ data }: MessageEvent<unknown>) => {
    if (isContent(data)) show(data);
  });
  // Redraw when the panel is resized or the theme changes.
  let redrawing = 0;
  const redraw = (): void => {
    cancelAnimationFrame(redrawing);
    redrawing = requestAnimationFrame(() => {
      for (const plot of plots.values()) plot.draw();
    });
  };
  let width = innerWidth;
  new ResizeObserver(() => {
    if (innerWidth === width) return;
    width = innerWidth;
    redraw();
  }).observe(document.body);
  new MutationObserver(redraw).observe(document.body, {
    attributes: true,
    attributeFilter: ["class"],
  });
  host.postMessage({ kind: "ready" });

  function show(given: TimelineContent): void {
    const isFirst = content === undefined;
    content = given;
    const { title, notes, labels } = given;
    document.title = title;
    if (isFirst) header.append(element("h1"), element("p", "notes"), toolbar(labels));
    const [heading, facts] = [header.querySelector("h1"), header.querySelector(".notes")];
    if (heading !== null) heading.textContent = title;
    if (facts !== null) facts.textContent = notes.join(" · ");
    for (const plot of given.plots.plots) {
      let shown = plots.get(plot.id);
      if (shown === undefined) {
        shown = new TimelinePlot(plot, {
          labels,
          zoomTo,
          open: (target) => {
            host.postMessage({ kind: "open", target });
          },
          say: (text) => {
            live.textContent = text;
          },
        });
        plots.set(plot.id, shown);
        grid.append(shown.root);
      }
      shown.show(plot, given.plots.marks, rangeNow(given));
    }
  }

  const rangeNow = ({ plots }: TimelineContent): TimeRange => zoomed ?? wholeRange(plots);

  function zoomTo(given: TimeRange): void {
    if (content === undefined) return;
    const whole = wholeRange(content.plots);
    const zoom = zoomOf(given, whole);
    if (zoom === undefined) return;
    zoomed = zoom === "all" ? undefined : zoom;
    host.setState(zoomed);
    const range = zoomed ?? whole;
    for (const plot of plots.values()) plot.zoom(range);
    live.textContent = `${clock(range.from)}–${clock(range.to)}`;
  }

  function zoomBy(factor: number): void {
    if (content === undefined) return;
    zoomTo(scaledRange(rangeNow(content), factor));
  }

  function toolbar(labels: TimelineContent["labels"]): HTMLElement {
    const tools = element("div", "tools");
    tools.setAttribute("role", "toolbar");
    tools.setAttribute("aria-label", labels.tools);
    const actions: readonly (readonly [TimelineLabel, () => void])[] = [
      [
        "zoomIn",
        () => {
          zoomBy(0.5);
        },
      ],
      [
        "zoomOut",
        () => {
          zoomBy(2);
        },
      ],
      [
        "reset",
        () => {
          zoomTo({ from: -Infinity, to: Infinity });
        },
      ],
      [
        "savePng",
        () => {
          host.postMessage({ kind: "savePng", image: image() });
        },
      ],
      [
        "saveSvg",
        () => {
          host.postMessage({ kind: "saveSvg" });
        },
      ],
      [
        "saveCsv",
        () => {
          host.postMessage({ kind: "saveCsv" });
        },
      ],
    ];
    for (const [label, act] of actions) {
      const button = element("button", "", labels[label]);
      button.type = "button";
      button.addEventListener("click", act);
      tools.append(button);
    }
    return tools;
  }

  /** Returns a PNG image of all plots, one below the other, as a data URL. Empty if the browser has no 2D context. */
  function image(): string {
    const shown = [...plots.values()].flatMap((plot) =>
      plot.canvas === undefined ? [] : [{ plot, canvas: plot.canvas }],
    );
    const sheet = document.createElement("canvas");
    const ratio = devicePixelRatio;
    const titleHeight = 40 * ratio;
    sheet.width = Math.max(1, ...shown.map(({ canvas }) => canvas.width)) + 16 * ratio;
    sheet.height =
      titleHeight + shown.reduce((sum, { canvas }) => sum + canvas.height + titleHeight, 0);
    const context = sheet.getContext("2d");
    if (context === null) return "";
    const colors = themeColors();
    const write = (text: string, x: number, y: number, size: number): void => {
      context.font = colors.font.replace(/^\d+px/, `${Math.round(size * ratio)}px`);
      context.fillText(text, x, y);
    };
    context.fillStyle = colors.background;
    context.fillRect(0, 0, sheet.width, sheet.height);
    context.fillStyle = colors.text;
    write(content?.title ?? "", 8 * ratio, 24 * ratio, 15);
    let y = titleHeight;
    for (const { plot, canvas } of shown) {
      write(plot.title, 8 * ratio, y + 16 * ratio, 13);
      let x = 8 * ratio;
      for (const { name, color } of plot.legend) {
        context.fillStyle = color;
        context.fillRect(x, y + 24 * ratio, 10 * ratio, 10 * ratio);
        context.fillStyle = colors.text;
        write(name, x + 14 * ratio, y + 33 * ratio, 11);
        x += context.measureText(name).width + 30 * ratio;
      }
      y += titleHeight;
      context.drawImage(canvas, 8 * ratio, y);
      y += canvas.height;
    }
    return sheet.toDataURL("image/png");
  }
}

// Only the extension sends messages, but a different version of it may send other content.
const isContent = (data: unknown): data is TimelineContent =>
  typeof data === "object" && data !== null && "kind" in data && data.kind === "content";
