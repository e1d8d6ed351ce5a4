/** What the far side of the link says, a line each. */
export type FarWord =
  | {
      readonly kind: "there";
      /** Ports. */
      readonly plain: number;
      readonly secure: number;
      readonly proxy: number;
      readonly authority: string;
    }
  | { readonly kind: "asked"; readonly path: string };

/** What the near side has seen. */
export interface NearReport {
  /** For each way to the server: from the end of the link to the end of the watch. */
  readonly noticedMs: Readonly<Record<string, number>>;
  /** Requests that came after the link was up again. */
  readonly asked: readonly string[];
}
