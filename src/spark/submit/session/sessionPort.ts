import { sessionLabel } from "../../labels.ts";

/** Returns the Spark Connect port of a session's driver. Undefined for other pods. */
export function sessionPort({
  labels,
}: {
  readonly labels: Readonly<Record<string, string>>;
}): number | undefined {
  const label = labels[sessionLabel] ?? "";
  const port = /^\d{1,5}$/.test(label) ? Number(label) : 0;
  return port > 0 && port <= 65_535 ? port : undefined;
}

/**
 * Returns the address for clients. Does not use `localhost`, which may resolve to `::1`, where another program may
 * listen.
 */
export const remoteOf = (localPort: number): string => `sc://127.0.0.1:${localPort}`;

/** Returns the first lines of a notebook or program whose process does not have the variable `SPARK_REMOTE`. */
export const remoteCode = (remote: string): string =>
  `import os\n\nos.environ["SPARK_REMOTE"] = "${remote}"\n`;

/** Returns the package that pip installs for a session's client. */
export function clientPackage(sparkVersion: string | undefined): string {
  if (sparkVersion === undefined || !/^\d+\.\d+(?:\.\d+)?$/.test(sparkVersion)) {
    return "pyspark-client";
  }
  return sparkVersion.startsWith("3.")
    ? `pyspark[connect]==${sparkVersion}`
    : `pyspark-client==${sparkVersion}`;
}
