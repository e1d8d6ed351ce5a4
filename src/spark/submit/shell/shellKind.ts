import { shellLabel } from "../../labels.ts";

/** The interactive shells of a Spark distribution. */
export const shellKinds = ["pyspark", "spark-shell", "spark-sql"] as const;
export type ShellKind = (typeof shellKinds)[number];

/** The shell that a driver pod runs; undefined for other pods. */
export const shellKindOf = ({
  labels,
}: {
  readonly labels: Readonly<Record<string, string>>;
}): ShellKind | undefined => shellKinds.find((kind) => kind === labels[shellLabel]);
