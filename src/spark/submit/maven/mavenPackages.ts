import { listParts } from "../../conf/values/javaText.ts";
import { valueOf, type ResolvedConf } from "../conf/conf.ts";

/** A package of `spark.jars.packages` and the addresses of its POM, in the order in which Spark tries them. */
export interface WantedPackage {
  /** The coordinates as written. */
  readonly coordinates: string;
  readonly addresses: readonly string[];
}

const packagesKey = "spark.jars.packages";

/** The repositories that Spark uses without an Ivy settings file. The driver's local cache may have more packages. */
const ownRepositories = [
  ["https://repo1.maven.org", "maven2", ""].join("/"),
  "https://repos.spark-packages.org/",
];
const maxPackages = 20;

/**
 * Returns the packages of a conf whose existence can be checked, at most 20. Empty if an Ivy settings file may name
 * other repositories. `mayAsk`: true if a request may contain this text, because it has no values of variables.
 */
export function wantedPackages(
  conf: ResolvedConf,
  mayAsk: (value: string) => boolean,
): readonly WantedPackage[] {
  if (conf.has("spark.jars.ivySettings")) return [];
  const given = listParts(valueOf(conf, "spark.jars.repositories") ?? "");
  // Returns no packages if requests to a repository are not allowed, because it could have packages that others lack.
  if (!given.every((address) => /^https?:\/\//.test(address) && mayAsk(address))) return [];
  const repositories = [...given, ...ownRepositories].map((address) =>
    address.endsWith("/") ? address : `${address}/`,
  );
  return listParts(valueOf(conf, packagesKey) ?? "")
    .filter(mayAsk)
    .slice(0, maxPackages)
    .flatMap((coordinates) => {
      const path = pathOf(coordinates);
      return path === undefined
        ? []
        : [{ coordinates, addresses: repositories.map((address) => `${address}${path}`) }];
    });
}

/**
 * Returns the path of the POM for `group:name:version` or `group/name:version`. Undefined for other formats and for
 * names with unusual characters.
 */
function pathOf(coordinates: string): string | undefined {
  const [group = "", name = "", version = "", ...rest] = coordinates.replace("/", ":").split(":");
  const parts = [group, name, version];
  if (rest.length > 0 || !parts.every((part) => /^[\w.+-]+$/.test(part) && !part.includes(".."))) {
    return undefined;
  }
  return `${group.replaceAll(".", "/")}/${name}/${version}/${name}-${version}.pom`;
}
