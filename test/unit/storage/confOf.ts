import type { ResolvedConf } from "../../../src/spark/submit/conf/conf.ts";
import type { DocumentTrust } from "../../../src/storage/documentTrust.ts";

/** A DocumentTrust for a document outside the workspace without conf values. The user declines each prompt. */
export const strangeDocument: DocumentTrust = {
  written: "",
  isOfWorkspace: () => Promise.resolve(false),
  agree: () => Promise.resolve(false),
};

/** Creates a conf with computed origins. `s3a.x` is short for `spark.hadoop.fs.s3a.x`. */
export const confOf = (values: Readonly<Record<string, string>>): ResolvedConf =>
  new Map(
    Object.entries(values).map(([key, value]) => [
      key.replace(/^s3a\./, "spark.hadoop.fs.s3a."),
      { value, origin: { kind: "computed" } },
    ]),
  );
