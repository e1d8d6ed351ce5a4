import type { ResolvedConf } from "../../../src/spark/submit/conf.ts";

/** A conf whose origins do not matter; `s3a.x` is short for `spark.hadoop.fs.s3a.x`. */
export const confOf = (values: Readonly<Record<string, string>>): ResolvedConf =>
  new Map(
    Object.entries(values).map(([key, value]) => [
      key.replace(/^s3a\./, "spark.hadoop.fs.s3a."),
      { value, origin: { kind: "computed" } },
    ]),
  );
