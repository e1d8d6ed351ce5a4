/** Messages that the far process prints, one JSON object per line. */
export type FarWord =
  | {
      readonly kind: "there";
      /** TCP ports of the HTTP server, the TLS server and the proxy. */
      readonly plain: number;
      readonly secure: number;
      readonly proxy: number;
      readonly authority: string;
    }
  | { readonly kind: "asked"; readonly path: string };

/** The report that the near process prints as JSON. */
export interface NearReport {
  /** For each route to the server: milliseconds from link down to the end of the watch. */
  readonly noticedMs: Readonly<Record<string, number>>;
  /** Paths of the watch requests that the far process received after the link went down. */
  readonly asked: readonly string[];
}
