import { fieldsOf } from "../../base/json.ts";
import type { PlotTarget, TimelinePlots } from "./plots.ts";

/** The content of the timeline panel. The page shows all strings as plain text, never as HTML. */
export interface TimelineContent {
  readonly kind: "content";
  readonly title: string;
  /** Lines of text below the title. */
  readonly notes: readonly string[];
  readonly plots: TimelinePlots<string>;
  readonly labels: Readonly<Record<TimelineLabel, string>>;
}

export type TimelineLabel =
  | "zoomIn"
  | "zoomOut"
  | "reset"
  | "savePng"
  | "saveSvg"
  | "saveCsv"
  | "tools"
  | "table"
  | "time"
  | "until"
  | "name"
  | "details"
  | "bytes"
  | "keys";

/** A message from the page: `ready` once the page has loaded, or an action of the user. */
export type TimelineAction =
  | { readonly kind: "ready" }
  | { readonly kind: "saveSvg" | "saveCsv" }
  /** `image`: a data URL, `data:image/png;base64,…`. */
  | { readonly kind: "savePng"; readonly image: string }
  | { readonly kind: "open"; readonly target: PlotTarget };

/** Decodes a message from the page. Undefined for an unknown message. */
export function timelineActionOf(message: unknown): TimelineAction | undefined {
  const { kind, image, target } = fieldsOf(message);
  if (kind === "ready" || kind === "saveSvg" || kind === "saveCsv") return { kind };
  if (kind === "savePng") {
    return typeof image === "string" && image.startsWith(pngStart) ? { kind, image } : undefined;
  }
  const { kind: of, id, key } = fieldsOf(target);
  if (kind !== "open") return undefined;
  if (of === "executor" && typeof id === "string") return { kind, target: { kind: of, id } };
  return of === "stage" && typeof key === "string"
    ? { kind, target: { kind: of, key } }
    : undefined;
}

const pngStart = "data:image/png;base64,";

/** Returns the base64 data of a PNG data URL. */
export const pngBase64 = (image: string): string => image.slice(pngStart.length);
