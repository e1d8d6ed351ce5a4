import { shellLabel } from "../../labels.ts";

/** The interactive shells of a Spark distribution. */
export const shellKinds = ["pyspark", "spark-shell", "spark-sql"] as const;
export type ShellKind = (typeof shellKinds)[number];

/** Returns the shell that a driver pod runs. Undefined for other pods. */
export const shellKindOf = ({
  labels,
}: {
  readonly labels: Readonly<Record<string, string>>;
}): ShellKind | undefined => shellKinds.find((kind) => kind === labels[shellLabel]);
