/** Messages of the far side, one per line. */
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

/** The report of the near side. */
export interface NearReport {
  /** For each route to the server: milliseconds from link down to the end of the watch. */
  readonly noticedMs: Readonly<Record<string, number>>;
  /** Requests received after the link was up again. */
  readonly asked: readonly string[];
}
