import { releases, type SparkVersion } from "./sparkVersions.ts";

/** Returns the URL of the page about keys of this kind in Spark's documentation. The page may not list the key. */
export function documentationOf(key: string, version: SparkVersion): string {
  const page = pages.find(([pattern]) => pattern.test(key))?.[1] ?? "configuration.html";
  return `https://spark.apache.org/docs/${releases[version]}/${page}`;
}

const pages: readonly (readonly [RegExp, string])[] = [
  [/^spark\.kubernetes\./, "running-on-kubernetes.html#spark-properties"],
  [/^spark\.yarn\./, "running-on-yarn.html#spark-properties"],
  [/^spark\.history\./, "monitoring.html#spark-history-server-configuration-options"],
  [/^spark\.metrics\./, "monitoring.html#metrics"],
  [/^spark\.(?:deploy|worker|master|standalone)\./, "spark-standalone.html"],
  [
    /^spark\.(?:authenticate|acls|admin|modify|ssl|kerberos|security|network\.crypto)\b/,
    "security.html",
  ],
  [/^spark\.sql\./, "configuration.html#spark-sql"],
];
